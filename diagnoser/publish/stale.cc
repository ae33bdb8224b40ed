#include "diagnoser/publish/stale.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace limpet {

void DropStale(PipelineView& view, std::span<const PresetSettings> presets, Duration lateness,
               UnixTime now) {
  using Key = std::pair<std::string, std::string>;  // preset, group
  std::map<std::string, Duration> horizons;
  for (const auto& preset : presets) {
    horizons[preset.name] = Horizon(preset, lateness);
  }
  std::set<Key> stale_groups;
  std::set<std::string> live_presets;
  for (auto& group : view.groups) {
    const bool live = group.window_end && now - *group.window_end <= horizons[group.preset];
    if (live) {
      live_presets.insert(group.preset);
    } else {
      // Its members are still configured: they count as missing, not as gone.
      stale_groups.emplace(group.preset, group.group);
      group.missing += std::exchange(group.taking_part, 0);
    }
  }
  for (auto& metric : view.metrics) {
    metric.storm = metric.storm && !stale_groups.contains({metric.preset, metric.group});
  }
  std::erase_if(view.storms, [&](const StormEvent& storm) {
    return stale_groups.contains({storm.preset, storm.group});
  });
  std::erase_if(view.components, [&](const ComponentStatus& component) {
    return stale_groups.contains({component.preset, component.group});
  });
  // A preset may go on in other groups while the one that this verdict is of has stopped.
  std::erase_if(view.verdicts, [&](const VerdictEvent& verdict) {
    return !live_presets.contains(verdict.preset) || now - verdict.end > horizons[verdict.preset];
  });
  std::erase_if(view.unknown, [&](const UnknownEvent& one) {
    return !live_presets.contains(one.preset) || now - one.end > horizons[one.preset];
  });
  constexpr Duration kProfileHorizon =
      std::chrono::seconds(10);  // a gap, and the seconds it delays
  if (view.profiles && view.profiles->second &&
      now - *view.profiles->second > kProfileHorizon + lateness) {
    view.profiles->nodes.clear();
  }
  for (auto& node : view.nodes) {
    // The node stays in the view, without a cause, so that its series fall to 0 instead of ending.
    if (!live_presets.contains(node.preset)) {
      node = {.preset = node.preset, .node = node.node};
    }
  }
}

void DropNodes(PipelineView& view, const std::function<bool(const std::string&)>& is_gone) {
  const auto drop = [&](const auto& one) { return is_gone(one.node); };
  std::erase_if(view.components, drop);
  std::erase_if(view.nodes, drop);
  std::erase_if(view.verdicts, drop);
  std::erase_if(view.unknown, drop);
}

}  // namespace limpet
