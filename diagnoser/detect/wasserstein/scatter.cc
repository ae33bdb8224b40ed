#include "diagnoser/detect/wasserstein/scatter.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

constexpr std::size_t kMinComponents = 3;

}  // namespace

std::optional<double> ResidualIqr(const SampleSet& samples, std::size_t window) {
  std::vector<std::span<const double>> whole;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    // With a hole, places are not times any more.
    if (samples.Of(i).size() == window) {
      whole.push_back(samples.Of(i));
    }
  }
  if (whole.size() < kMinComponents) {
    return std::nullopt;
  }
  std::vector<double> common(window);
  std::vector<double> at_once(whole.size());
  for (std::size_t t = 0; t < window; ++t) {
    for (std::size_t i = 0; i < whole.size(); ++i) {
      at_once[i] = whole[i][t];
    }
    common[t] = Median(at_once);
  }
  std::vector<double> iqrs;
  std::vector<double> residuals(window);
  for (const auto own : whole) {
    std::transform(own.begin(), own.end(), common.begin(), residuals.begin(),
                   [](double x, double median) { return x - median; });
    std::sort(residuals.begin(), residuals.end());
    iqrs.push_back(SortedIqr(residuals));
  }
  return Median(std::move(iqrs));
}

}  // namespace limpet
