#include "diagnoser/detect/wasserstein/saturation.h"

#include <cmath>
#include <cstddef>

namespace limpet {
namespace {

constexpr double kBusy = 90;      // %
constexpr double kMinPairs = 20;  // fewer are alike, or go together, by chance
// Simulated days, windows of half an hour at 15 s, standard deviations of the logarithm: the
// requests of striped disks at their limit vary by 0.01 to 0.03, those of drives under an open load
// by 0.06 and more, and their queue by 1.1 to 2.5 times as much (docs/decisions/0185).
constexpr double kMinVariation = 0.05;
constexpr double kMaxTimesLonger = 3;
constexpr double kMinCorrelation = 0.5;

}  // namespace

bool IsBusyWithinItsLimit(std::span<const double> util, std::span<const double> requests,
                          std::span<const double> queue) {
  if (requests.size() != util.size() || queue.size() != util.size()) {
    return false;
  }
  double count = 0;
  double x = 0;
  double y = 0;
  double xx = 0;
  double yy = 0;
  double xy = 0;
  for (std::size_t i = 0; i < util.size(); ++i) {
    if (util[i] >= kBusy && requests[i] > 0 && queue[i] > 0) {
      const double one = std::log(requests[i]);
      const double other = std::log(queue[i]);
      count += 1;
      x += one;
      y += other;
      xx += one * one;
      yy += other * other;
      xy += one * other;
    }
  }
  if (count < kMinPairs || 2 * count < static_cast<double>(util.size())) {
    return false;
  }
  const double variance = xx / count - x / count * (x / count);
  const double of_queue = yy / count - y / count * (y / count);
  const double covariance = xy / count - x / count * (y / count);
  return variance >= kMinVariation * kMinVariation &&
         of_queue <= kMaxTimesLonger * kMaxTimesLonger * variance &&
         covariance >= kMinCorrelation * std::sqrt(variance * of_queue);
}

}  // namespace limpet
