#include "diagnoser/config/trained.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/metrics/catalog.h"

namespace limpet {
namespace {

using Texts = std::vector<std::string>;
using NodeNames = std::set<std::string, std::less<>>;

bool HasMetric(GroupKind kind, std::string_view metric) {
  const auto metrics = Metrics(kind);
  return std::any_of(metrics.begin(), metrics.end(),
                     [&](const MetricRow& row) { return row.name == metric; });
}

// "a, b, c and 7 more".
std::string Some(const std::set<std::string>& names) {
  constexpr std::size_t kShown = 3;
  std::string text;
  std::size_t shown = 0;
  for (const auto& name : names) {
    if (shown == kShown) {
      return text + fmt::format(" and {} more", names.size() - kShown);
    }
    text += (shown++ == 0 ? "" : ", ") + name;
  }
  return text;
}

template <class Tree>
void RecordGroups(const Tree& tree, const std::string& where, const PipelineConfig& config,
                  Texts& notes) {
  for (const auto& [group, metrics] : tree) {
    const auto rule =
        std::find_if(config.groups.begin(), config.groups.end(),
                     [name = &group](const PeerGroupRule& one) { return one.name == *name; });
    if (rule == config.groups.end()) {
      notes.push_back(
          fmt::format("{}: there is no peer group {}: its thresholds are not used", where, group));
      continue;
    }
    for (const auto& [metric, values] : metrics) {
      if (!HasMetric(rule->kind, metric)) {
        notes.push_back(
            fmt::format("{}: peer group {} has no metric {}: its thresholds are not "
                        "used",
                        where, group, metric));
      }
    }
  }
}

void RecordNodes(const Thresholds& thresholds, const std::string& where, const NodeNames& nodes,
                 Texts& notes) {
  std::set<std::string> strangers;
  for (const auto& [group, metrics] : thresholds.components) {
    for (const auto& [metric, components] : metrics) {
      for (const auto& [component, threshold] : components) {
        if (!nodes.contains(std::string_view(component).substr(0, component.find('/')))) {
          strangers.insert(component);
        }
      }
    }
  }
  if (!strangers.empty()) {
    notes.push_back(
        fmt::format("{}: components of nodes that are no targets: {}: their thresholds "
                    "are kept",
                    where, Some(strangers)));
  }
}

// Those that may have thresholds: a time scale has its preset's.
Texts NamePresets(const PipelineConfig& config) {
  Texts names;
  for (const auto& preset : config.presets) {
    if (!preset.IsScale()) {
      names.push_back(preset.name);
    }
  }
  return names;
}

Texts NamesOf(const std::vector<Thresholds>& trained) {
  Texts names;
  for (const auto& one : trained) {
    names.push_back(one.preset);
  }
  return names;
}

// `preset` as it was while its name was that of a bare one (default_presets.h), as far as degrees
// hang on it.
PresetSettings AsTrainedBefore(PresetSettings preset) {
  const auto bare = BarePreset();
  preset.scatter = bare.scatter;
  preset.service_time = bare.service_time;
  return preset;
}

// Why thresholds of a built-in preset that has become more are no use to it: nobody has made a
// mistake, and without them it judges by its untrained thresholds. Empty: they may be used, or do
// not fit for another reason.
std::string WhyOfBefore(const Thresholds& one, const PresetSettings& preset,
                        const std::string& file) {
  const auto other = OtherSettings(one, preset);
  if (other.empty() || !OtherSettings(one, AsTrainedBefore(preset)).empty()) {
    return "";
  }
  return fmt::format(
      "{}: preset {} was trained with {}: its untrained thresholds hold; train it again, or go on "
      "with what it was (base: bare, docs/upgrade.md)",
      file, one.preset, fmt::join(other, ", "));
}

}  // namespace

Result<Texts> UseThresholds(std::vector<Thresholds> trained, const std::string& file,
                            const std::vector<Target>& targets, PipelineConfig& config) {
  NodeNames nodes;
  for (const auto& target : targets) {
    nodes.insert(target.node);
  }
  Texts notes;
  std::string refused;
  std::set<std::string> used;
  for (auto& one : trained) {
    const auto preset = std::find_if(
        config.presets.begin(), config.presets.end(),
        [&](const PresetSettings& its) { return its.name == one.preset && !its.IsScale(); });
    if (preset == config.presets.end()) {
      notes.push_back(fmt::format("{}: preset {} is not configured: its thresholds are not used",
                                  file, one.preset));
      continue;
    }
    if (auto why = WhyOfBefore(one, *preset, file); !why.empty()) {
      notes.push_back(std::move(why));
      used.insert(one.preset);  // as far as mistakes go
      continue;
    }
    // All of them at once, so that one reading of the log is enough.
    for (const auto& other : OtherSettings(one, *preset)) {
      refused += fmt::format(
          "{}{}: preset {} was trained with {}: train it again, or give the "
          "configuration back what it was trained with",
          refused.empty() ? "" : "\n", file, one.preset, other);
    }
    const auto where = fmt::format("{}: preset {}", file, one.preset);
    RecordGroups(one.components, where, config, notes);
    RecordGroups(one.cwnd, where, config, notes);
    if (!nodes.empty()) {
      RecordNodes(one, where, nodes, notes);
    }
    // Kept with notes or without: a group or node may come back, and its thresholds with it.
    used.insert(one.preset);
    config.thresholds.push_back(std::move(one));
  }
  const auto configured = NamePresets(config);
  for (const auto& name : configured) {
    if (!used.contains(name)) {
      notes.push_back(
          fmt::format("{}: nothing for preset {}: its untrained thresholds hold", file, name));
    }
  }
  if (!refused.empty()) {
    return Error{ErrorCode::kInvalid, refused, ""};
  }
  if (used.empty() && !trained.empty()) {
    return Error{ErrorCode::kInvalid,
                 fmt::format("trained for preset {}, configured is {}: train again with this "
                             "configuration",
                             fmt::join(NamesOf(trained), ", "), fmt::join(configured, ", ")),
                 file};
  }
  return notes;
}

std::optional<Texts> UnseenThresholds(const std::vector<Thresholds>& trained,
                                      const PipelineView& view) {
  using Key = std::pair<std::string_view, std::string_view>;  // preset, group
  std::set<Key> groups;
  for (const auto& group : view.groups) {
    if (!group.window_end) {
      return std::nullopt;
    }
    if (group.taking_part > 0) {
      groups.emplace(group.preset, group.group);
    }
  }
  std::map<Key, NodeNames> seen;
  for (const auto& one : view.components) {
    seen[{one.preset, one.group}].insert(one.device.empty() ? one.node
                                                            : one.node + "/" + one.device);
  }
  Texts texts;
  for (const auto& one : trained) {
    std::set<std::string> unseen;
    for (const auto& [group, metrics] : one.components) {
      if (!groups.contains({one.preset, group})) {
        continue;
      }
      const auto& present = seen[{one.preset, group}];
      for (const auto& [metric, components] : metrics) {
        for (const auto& [component, threshold] : components) {
          if (!present.contains(component)) {
            unseen.insert(component);
          }
        }
      }
    }
    if (!unseen.empty()) {
      texts.push_back(
          fmt::format("thresholds of preset {}: trained components that are not there: "
                      "{}: their thresholds are kept",
                      one.preset, Some(unseen)));
    }
  }
  return texts;
}

}  // namespace limpet
