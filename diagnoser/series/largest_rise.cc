#include "diagnoser/series/largest_rise.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "diagnoser/metrics/missing.h"

namespace limpet {
namespace {

// Steps that one pair of readings fills evenly; readings further apart are a gap (five seconds).
constexpr std::size_t kMostAlike = 6;
constexpr double kAlike = 1e-6;  // relative

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] bool Holds(std::size_t i) const { return i >= begin && i < end; }
};

std::size_t FindLargest(std::span<const double> steps) {
  std::size_t largest = 0;
  for (std::size_t i = 1; i < steps.size(); ++i) {
    if (IsMissing(steps[largest]) || steps[i] > steps[largest]) {
      largest = i;
    }
  }
  return largest;
}

// The steps around the largest that are as large, and the one or two at their ends: of these the
// pair filled a part.
Range FindPair(std::span<const double> steps, std::size_t largest) {
  const auto is_alike = [&](std::size_t i) {
    return std::abs(steps[i] - steps[largest]) <= kAlike * steps[largest];
  };
  Range pair{.begin = largest, .end = largest + 1};
  while (pair.end < steps.size() && pair.end - pair.begin < kMostAlike && is_alike(pair.end)) {
    ++pair.end;
  }
  const bool before = pair.begin > 0 && !IsMissing(steps[pair.begin - 1]);
  const bool after = pair.end < steps.size() && !IsMissing(steps[pair.end]);
  const bool several = pair.end - pair.begin > 1;
  const bool larger_before = before && (!after || steps[pair.begin - 1] > steps[pair.end]);
  pair.begin -= before && (several || larger_before) ? 1 : 0;
  pair.end += after && (several || !larger_before) ? 1 : 0;
  return pair;
}

}  // namespace

void LevelLargestRise(std::span<double> steps) {
  if (steps.empty()) {
    return;
  }
  const auto largest = FindLargest(steps);
  if (IsMissing(steps[largest])) {
    return;
  }
  const auto pair = FindPair(steps, largest);
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!pair.Holds(i) && !IsMissing(steps[i])) {
      sum += steps[i];
      ++count;
    }
  }
  if (count == 0) {
    return;
  }
  const double level = sum / static_cast<double>(count);
  for (std::size_t i = pair.begin; i < pair.end; ++i) {
    steps[i] = std::min(steps[i], level);  // a missing one stays so
  }
}

}  // namespace limpet
