// cwnd.h: congestion windows of a group's servers compared second by second [Kasick10 §10.1].
//
// Unit:    segments.
// Missing: a server without an observation in a second, or with too few in the trailing mean.
// Threads: pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace limpet {

inline constexpr std::size_t kCwndMeanSeconds = 31;
inline constexpr std::size_t kCwndMinSeconds = (kCwndMeanSeconds + 1) / 2;  // more than half

// Mean of the last kCwndMeanSeconds observations, the newest last; holes are kMissing
// (metrics/missing.h). nullopt with fewer than kCwndMinSeconds present.
[[nodiscard]] std::optional<double> CwndMean(std::span<const double> observations);

// ln(max(1, mean)).
[[nodiscard]] double CwndLog(double mean);

// The median of the servers' logs; nullopt with fewer than three.
[[nodiscard]] std::optional<double> CwndMedian(std::span<const double> logs);

// Returns whether in one second log < f * median, and the median over 0.
[[nodiscard]] bool CwndAnomalous(double log, double median, double f);
// (1 - log/median) / max(1-f, 0.01); over 1 exactly when anomalous (for f <= 0.99). 0 for median 0.
[[nodiscard]] double CwndDegree(double log, double median, double f);

struct CwndWindow {
  bool anomalous = false;  // in at least half of its seconds
  double degree = 0;       // the median over its seconds
};
// One server's logs and the group's medians in the seconds of a window, kMissing where either is
// not there. nullopt when no second has both.
[[nodiscard]] std::optional<CwndWindow> JudgeCwndWindow(std::span<const double> logs,
                                                        std::span<const double> medians, double f);
// Returns whether some second has both.
[[nodiscard]] bool CwndSharesSecond(std::span<const double> logs, std::span<const double> medians);

}  // namespace limpet
