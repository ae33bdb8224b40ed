// long_windows.h: would longer windows name a disk that is a little slower than its peers for days,
// and nobody else?
//
// Healthy disks, and some that become 1.05 to 1.25 times as slow after a day, at steps of 15 s, in
// windows of half an hour, four hours and a day, and by medians of a day's windows. The largest
// degrees that healthy ones reach give the threshold that the budget for wrong indictments allows;
// that gives who would be named.
// Threads: as RunMatrix.
#pragma once

#include <string>
#include <vector>

#include "tests/accuracy/scenarios.h"

namespace limpet::accuracy {

// At most one wrong indictment in so many server-days.
inline constexpr double kBudgetDays = 1000;

struct TailThreshold {
  double plain = 0;  // the least that no more of the maxima exceed than the budget allows
  double tail = 0;   // the same by an exponential tail above the largest tenth
  double upper = 0;  // with the tail's slope at the upper end of its 95 % interval
};
// `maxima`: the largest degree of each healthy disk; of servers watched for so many days in all.
// At least 20 of them.
[[nodiscard]] TailThreshold ThresholdWithin(std::vector<double> maxima, double server_days);

// Two tables for each kind of disks: of thresholds, and of who is named with them. `seeds` runs of
// each kind, healthy and not; `at_15s` judges.
[[nodiscard]] std::string LongWindowTable(const ScenarioSpec& spec, const Progress& progress);

}  // namespace limpet::accuracy
