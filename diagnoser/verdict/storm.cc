#include "diagnoser/verdict/storm.h"

#include <algorithm>
#include <vector>

namespace limpet {

std::optional<StormEvent> FindStorm(const WindowEvent& window) {
  std::vector<const ComponentWindow*> flagged;
  for (const auto& component : window.components) {
    if (component.flagged) {
      flagged.push_back(&component);
    }
  }
  if (!IsStorm(flagged.size(), window.n)) {
    return std::nullopt;
  }
  // Stable: equal degrees stay in the order of names, so that every run prints the same list.
  std::stable_sort(flagged.begin(), flagged.end(),
                   [](const auto* a, const auto* b) { return a->degree > b->degree; });
  StormEvent storm{.end = window.end,
                   .preset = window.preset,
                   .group = window.group,
                   .metric = window.metric,
                   .n = window.n,
                   .flagged = flagged.size(),
                   .components = {}};
  flagged.resize(std::min(flagged.size(), StormEvent::kMaxNamed));
  for (const auto* component : flagged) {
    storm.components.push_back(component->component);
  }
  return storm;
}

}  // namespace limpet
