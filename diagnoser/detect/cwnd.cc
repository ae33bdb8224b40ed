#include "diagnoser/detect/cwnd.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "diagnoser/detect/peers.h"
#include "diagnoser/detect/stats.h"
#include "diagnoser/metrics/missing.h"

namespace limpet {

std::optional<double> CwndMean(std::span<const double> observations) {
  double sum = 0;
  std::size_t count = 0;
  for (const double observation : observations) {
    if (!IsMissing(observation)) {
      sum += observation;
      ++count;
    }
  }
  if (count < kCwndLeastSeconds) {
    return std::nullopt;
  }
  return sum / static_cast<double>(count);
}

double CwndLog(double mean) { return std::log(std::max(1.0, mean)); }

std::optional<double> CwndMedian(std::span<const double> logs) {
  if (logs.size() < kMinPeers) {
    return std::nullopt;
  }
  return Median({logs.begin(), logs.end()});
}

bool CwndAnomalous(double log, double median, double f) { return median > 0 && log < f * median; }

double CwndDegree(double log, double median, double f) {
  return median > 0 ? (1 - log / median) / std::max(1 - f, 0.01) : 0;
}

std::optional<CwndWindow> CwndOfWindow(std::span<const double> logs,
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
  return CwndWindow{.anomalous = 2 * anomalous >= degrees.size(),
                    .degree = Median(std::move(degrees))};
}

}  // namespace limpet
