// mixture.h: a mixture of Gaussians with equal fixed priors, fitted by expectation-maximisation
// ([Pan08 §4.1] "Training").
//
// Covariance: full, plus 1e-3 I, so that a metric that does not vary inside a profile does no harm.
// Stop:       when the log-likelihood changes by less than 1e-6 of itself, falls (the ridge makes a
//             round inexact; the parameters before it are kept), or after 200 rounds.
// Emptied:    a profile with less than one point's worth of responsibility begins again at the
//             point that is farthest from all, with the covariance of all points.
// Threads: pure.
#pragma once

#include <cstddef>
#include <vector>

#include "diagnoser/detect/profile/kmeans.h"
#include "diagnoser/detect/profile/model.h"
#include "diagnoser/detect/profile/points.h"

namespace limpet {

struct MixtureOptions {
  double ridge = 1e-3;
  double tolerance = 1e-6;
  std::size_t most_rounds = 200;
};

struct Mixture {
  std::vector<Profile> profiles;
  // Likelihoods of the parameters at the start of each round and of the final ones; rises but where
  // a profile began again.
  std::vector<double> log_likelihoods;
  std::size_t restarts = 0;  // of emptied profiles
  bool converged = false;
};

// Fits from the clusters of `start`; `points` are those that were clustered.
[[nodiscard]] Mixture FitMixture(const Points& points, const Clustering& start,
                                 const MixtureOptions& options = {});

}  // namespace limpet
