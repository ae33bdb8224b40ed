// training_rule.h: what a detector's thresholds mean and how they are learned (training.h).
//
// Threads: values.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace limpet {

struct TrainingRule {
  // Degrees without a natural scale: thresholds go up in tenths, and the cap is of the group's
  // median threshold. False: a degree of 1 is where the untrained default draws the line.
  bool in_tenths = true;
  double scale = 2;  // T / v, about
  double cap = 0;    // in_tenths: of the group's median; else of T itself. 0: none
  // A component that would have been flagged in training under its group's median threshold gets
  // that threshold, not one of its own.
  bool deviant_as_group = false;
  std::optional<double> largest;  // no degree can be larger; absent: there is no bound
  // Windows whose samples differ by less than the noise floor are not compared: they train nothing.
  bool skips_noise = false;
  // Bins are as wide as the spread of all samples together, which one of few components decides.
  bool pooled_spread = false;
  // Settings that the degrees depend on beyond the windows' shape, in the words of the
  // configuration: thresholds trained with other settings are refused.
  std::map<std::string, std::string, std::less<>> settings;
};

}  // namespace limpet
