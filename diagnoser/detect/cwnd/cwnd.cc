#include "diagnoser/detect/cwnd/cwnd.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "diagnoser/detect/comparison.h"
#include "diagnoser/metrics/missing.h"
#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

constexpr double kMinStretch = 0.01;

}  // namespace

std::optional<double> CwndMean(std::span<const double> observations) {
  double sum = 0;
  std::size_t count = 0;
  for (const double observation : observations) {
    if (!IsMissing(observation)) {
      sum += observation;
      ++count;
    }
  }
  if (count < kCwndMinSeconds) {
    return std::nullopt;
  }
  return sum / static_cast<double>(count);
}

// Under one segment a logarithm would be negative, and f times it larger than it.
double CwndLog(double mean) { return std::log(std::max(1.0, mean)); }

std::optional<double> CwndMedian(std::span<const double> logs) {
  if (logs.size() < kMinPeers) {
    return std::nullopt;
  }
  return Median({logs.begin(), logs.end()});
}

bool CwndAnomalous(double log, double median, double f) { return median > 0 && log < f * median; }

// The log goes from the median (0) down to f times the median (1); the floor keeps an f near 1 from
// making noise a degree of thousands.
double CwndDegree(double log, double median, double f) {
  return median > 0 ? (1 - log / median) / std::max(1 - f, kMinStretch) : 0;
}

std::optional<CwndWindow> JudgeCwndWindow(std::span<const double> logs,
                                          std::span<const double> medians, double f) {
  std::vector<double> degrees;
  std::size_t anomalous = 0;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    if (IsMissing(logs[i]) || IsMissing(medians[i])) {
      continue;
    }
    degrees.push_back(CwndDegree(logs[i], medians[i], f));
    anomalous += CwndAnomalous(logs[i], medians[i], f) ? 1U : 0U;
  }
  if (degrees.empty()) {
    return std::nullopt;
  }
  // Half is enough: windows recover slowly, so a fault shows in some seconds only.
  return CwndWindow{.anomalous = 2 * anomalous >= degrees.size(),
                    .degree = Median(std::move(degrees))};
}

bool CwndSharesSecond(std::span<const double> logs, std::span<const double> medians) {
  for (std::size_t i = 0; i < logs.size(); ++i) {
    if (!IsMissing(logs[i]) && !IsMissing(medians[i])) {
      return true;
    }
  }
  return false;
}

}  // namespace limpet
