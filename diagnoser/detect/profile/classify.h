// classify.h: which profile a second of a host belongs to [Pan08 Figure 5].
//
// Label:   the profile with the largest -ln|S|/2 - D^2/2, D the Mahalanobis distance to it.
// Unknown: when that D is over sqrt(chi^2 quantile 0.999 of the dimensions): 6.01 for 14. Of the
//          seconds that a profile describes, one in a thousand is called unknown.
// Cost:    a triangular solve a profile.
// Threads: immutable after construction.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "diagnoser/detect/profile/model.h"

namespace limpet {

struct Classified {
  std::size_t label = 0;  // from 1; Profiles() + 1: unknown
  double distance = 0;    // D to the best profile
};

class Classifier {
 public:
  // The model's covariances are positive definite (ParseProfileModel, TrainProfiles).
  explicit Classifier(ProfileModel model);
  ~Classifier();
  Classifier(Classifier&&) noexcept;
  Classifier& operator=(Classifier&&) noexcept;

  // `x` as Normalise gives it.
  [[nodiscard]] Classified Classify(std::span<const double> x) const;
  // nullopt when a metric that the model needs is missing.
  [[nodiscard]] std::optional<Classified> Classify(const HostSample& sample) const;

  [[nodiscard]] const ProfileModel& Model() const;
  [[nodiscard]] std::size_t Profiles() const { return Model().profiles.size(); }
  [[nodiscard]] double Limit() const;  // of D

 private:
  struct Tables;
  std::unique_ptr<const Tables> tables_;
};

}  // namespace limpet
