// model.h: K behaviour profiles of hosts, as training wrote them [Pan08 Figure 6].
//
// A second of a host is the vector x of ln(sample + 1) / sigma over the model's metrics; a profile
// is a Gaussian over such vectors. All profiles are equally likely beforehand.
// Threads: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/metrics/host.h"
#include "exporter/common/result.h"

namespace limpet {

struct Profile {
  std::vector<double> mean;
  std::vector<double> covariance;  // row by row, symmetric, positive definite
  bool operator==(const Profile&) const = default;
};

struct ProfileModel {
  std::vector<HostMetric> metrics;  // each once
  std::vector<double> sigma;        // a metric, over 0
  std::vector<Profile> profiles;
  double threshold = 0.5;  // of the distance to more than half of the peers
  std::uint64_t seed = 0;  // of the k-means starts
  bool trained = false;    // the threshold comes from training
  bool operator==(const ProfileModel&) const = default;

  [[nodiscard]] std::size_t Dimensions() const { return metrics.size(); }
};

// x; nullopt when a metric of the model is missing.
[[nodiscard]] std::optional<std::vector<double>> Normalise(const ProfileModel& model,
                                                           const HostSample& sample);

//   version: 1
//   metrics: [user, system, ctxt]   # names of metrics.h
//   sigma: [0.37, 0.55, 1.02]
//   profiles:
//     - mean: [2.1, 0.9, 6.6]
//       covariance: [[0.4, 0, 0], [0, 0.1, 0], [0, 0, 0.04]]
//   threshold: 0.21                 # absent: untrained, 0.5
//   seed: 1
// Keys beside these are for people and are skipped. `file` is the name in messages. Refused:
// another version, unknown metrics, sizes that do not fit, more than 64 profiles, a covariance that
// is not symmetric and positive definite.
[[nodiscard]] Result<ProfileModel> ParseProfileModel(std::string_view text,
                                                     const std::string& file);

// The text of a model: numbers read back as they were. `notes`: lines for people, put first as
// comments.
[[nodiscard]] std::string PrintProfileModel(const ProfileModel& model,
                                            const std::vector<std::string>& notes);

}  // namespace limpet
