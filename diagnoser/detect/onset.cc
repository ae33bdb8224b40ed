#include "diagnoser/detect/onset.h"

#include <algorithm>

#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

constexpr std::size_t kMostPeers = 256;

}  // namespace

std::size_t FindOnset(std::span<const double> own, std::span<const double> peers,
                      Direction direction) {
  const auto count = std::min(own.size(), peers.size());
  if (count == 0) {
    return 0;
  }
  const double sign = direction == Direction::kLow ? -1 : 1;
  std::vector<double> excess(count);
  for (std::size_t i = 0; i < count; ++i) {
    excess[i] = sign * (own[i] - peers[i]);
  }
  // The split of the variance between two parts of one series needs nothing but how far the first
  // part's sum is under the mean: one pass finds the best of all cuts.
  const double mean = Mean(excess);
  std::size_t cut = 0;
  double below = 0;  // what the first part is under the mean, in all
  double best = 0;
  for (std::size_t i = 1; i < count; ++i) {
    below += mean - excess[i - 1];
    const double explained =
        below * below / (static_cast<double>(i) * static_cast<double>(count - i));
    if (below > 0 && explained > best) {
      best = explained;
      cut = i;
    }
  }
  const auto all = std::span<const double>(excess);
  return cut > 0 && 2 * Mean(all.first(cut)) < Mean(all.subspan(cut)) ? cut : 0;
}

std::vector<double> MedianSteps(std::span<const MemberSamples> samples, std::size_t metric,
                                std::span<const std::size_t> who, std::size_t window) {
  std::vector<std::span<const double>> peers;
  const auto stride = std::max<std::size_t>(1, who.size() / kMostPeers);
  for (std::size_t i = 0; i < who.size() && peers.size() < kMostPeers; i += stride) {
    const auto own = samples[who[i]].metrics.Of(metric);
    // With holes taken out, a sample's place does not tell its instant any more.
    if (own.size() == window) {
      peers.push_back(own);
    }
  }
  if (peers.size() < 2) {
    return {};
  }
  std::vector<double> medians(window);
  std::vector<double> step(peers.size());
  for (std::size_t i = 0; i < window; ++i) {
    std::ranges::transform(peers, step.begin(), [&](const auto& own) { return own[i]; });
    const auto middle = step.begin() + static_cast<std::ptrdiff_t>(step.size() / 2);
    std::nth_element(step.begin(), middle, step.end());
    medians[i] = *middle;
  }
  return medians;
}

}  // namespace limpet
