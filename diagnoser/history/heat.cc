#include "diagnoser/history/heat.h"

#include <algorithm>

namespace limpet {
namespace {

Heat::Strip NoStrip() {
  Heat::Strip strip;
  strip.fill(kUnknown);
  return strip;
}

}  // namespace

bool Heat::Record(UnixTime at, const NodeStates& states) {
  const auto minute = at.time_since_epoch() / kStep;
  // A clock that was set back writes into the current minute until it has caught up.
  const bool ended = minute > minute_;
  if (ended) {
    Shift(minute - minute_);
    minute_ = minute;
  }
  const auto& scale = ColumnRows()[static_cast<std::size_t>(Column::kDegree)];
  for (const auto& [node, state] : states) {
    const auto value = Quantised(scale, state.degree);
    if (value != kUnknown) {
      auto& cell = strips_.try_emplace(node, NoStrip()).first->second.back();
      cell = std::max(cell, value);
    }
  }
  return ended;
}

void Heat::Shift(std::int64_t minutes) {
  const auto by = std::min(static_cast<std::size_t>(minutes), kSteps);
  for (auto& [node, strip] : strips_) {
    std::shift_left(strip.begin(), strip.end(), static_cast<std::ptrdiff_t>(by));
    std::fill(strip.end() - static_cast<std::ptrdiff_t>(by), strip.end(), kUnknown);
  }
  std::erase_if(strips_, [](const auto& one) {
    return std::all_of(one.second.begin(), one.second.end(),
                       [](std::int16_t value) { return value == kUnknown; });
  });
}

UnixTime Heat::Begin() const {
  return UnixTime(kStep * (minute_ + 1 - static_cast<std::int64_t>(kSteps)));
}

std::size_t Heat::Bytes() const {
  constexpr std::size_t kPerNode = sizeof(Strips::value_type) + 48;  // and the tree's own
  return strips_.size() * kPerNode;
}

}  // namespace limpet
