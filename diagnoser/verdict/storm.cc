#include "diagnoser/verdict/storm.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/metrics/catalog.h"

namespace limpet {
namespace {

using Components = std::vector<const ComponentWindow*>;

constexpr std::size_t kHealthyShare = 4;  // one in so many, at least
constexpr std::size_t kMinHealthy = 2;    // one alone is rather a fast one
constexpr std::size_t kUnclearShare = 3;

bool SlowIsSick(const std::string& metric) {
  const auto* row = FindMetric(metric);
  return row != nullptr && row->gate == Gate::kLatency;
}

Components FindFlagged(const WindowEvent& window) {
  Components flagged;
  for (const auto& component : window.components) {
    if (component.flagged) {
      flagged.push_back(&component);
    }
  }
  // Stable: equal degrees stay in the order of names, so that every run prints the same list.
  std::stable_sort(flagged.begin(), flagged.end(),
                   [](const auto* a, const auto* b) { return a->degree > b->degree; });
  return flagged;
}

bool IsFast(const ComponentWindow* component) {
  return component->flagged && component->window_anomalous &&
         component->direction == Direction::kLow;
}

// Everybody but those who are flagged for being fast, the slowest first.
Components FindSlow(const WindowEvent& window) {
  Components slow;
  for (const auto& component : window.components) {
    if (!IsFast(&component)) {
      slow.push_back(&component);
    }
  }
  std::stable_sort(slow.begin(), slow.end(), [](const auto* a, const auto* b) {
    return a->mean.value_or(0) > b->mean.value_or(0);
  });
  return slow;
}

// Enough healthy ones to say so of the others, and nobody who is neither.
bool IsHalf(std::size_t fast, std::size_t slow, std::size_t n) {
  return fast >= kMinHealthy && kHealthyShare * fast >= n && (slow == 0 || fast + slow == n);
}

// A direction is that of this window: of those that only windows before have flagged it says
// nothing.
void DropPast(Components& flagged) {
  std::erase_if(flagged, [](const auto* component) { return !component->window_anomalous; });
}

// Nobody is on the other side, as far as this window tells.
bool IsOneSided(Components flagged) {
  DropPast(flagged);
  return std::ranges::all_of(flagged, [&](const auto* component) {
    return component->direction == flagged.front()->direction;
  });
}

StormEvent MakeStorm(const WindowEvent& window, const Components& named) {
  StormEvent storm{.end = window.end,
                   .preset = window.preset,
                   .group = window.group,
                   .metric = window.metric,
                   .n = window.n,
                   .flagged = named.size(),
                   .components = {}};
  for (const auto* component : named) {
    if (storm.components.size() < StormEvent::kMaxNamed) {
      storm.components.push_back(component->component);
    }
  }
  return storm;
}

std::optional<StormEvent> FindLatencyStorm(const WindowEvent& window, Components flagged) {
  DropPast(flagged);
  const auto all = flagged.size();
  std::erase_if(flagged, IsFast);
  const auto fast = all - flagged.size();
  if (IsHalf(fast, flagged.size(), window.n)) {
    auto storm = MakeStorm(window, FindSlow(window));
    storm.half = true;
    return storm;
  }
  return IsStorm(flagged.size(), window.n) ? std::optional(MakeStorm(window, flagged))
                                           : std::nullopt;
}

}  // namespace

std::optional<StormEvent> FindStorm(const WindowEvent& window) {
  auto flagged = FindFlagged(window);
  if (SlowIsSick(window.metric)) {
    return FindLatencyStorm(window, std::move(flagged));
  }
  if (!IsStorm(flagged.size(), window.n)) {
    return std::nullopt;
  }
  auto storm = MakeStorm(window, flagged);
  storm.either_side = kUnclearShare * flagged.size() >= window.n && 2 * flagged.size() < window.n &&
                      IsOneSided(flagged);
  if (storm.either_side) {
    storm.components.clear();
  }
  return storm;
}

StormEvent MakeTwoKinds(const WindowEvent& window) {
  auto storm = MakeStorm(window, FindFlagged(window));
  storm.components.clear();
  storm.either_side = true;
  return storm;
}

}  // namespace limpet
