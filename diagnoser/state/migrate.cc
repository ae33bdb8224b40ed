#include "diagnoser/state/migrate.h"

#include <algorithm>
#include <set>
#include <span>

#include "diagnoser/evidence/setup.h"
#include "diagnoser/state/find_named.h"
#include "diagnoser/state/fingerprint.h"

namespace limpet {
namespace {

using Texts = std::vector<std::string>;

template <class Map, class Key>
bool IsSame(const Map& origin, const Key& key, std::uint64_t fingerprint) {
  const auto found = origin.find(key);
  return found != origin.end() && found->second == fingerprint;
}

constexpr const char* kGone = " is not configured any more; what the state has of it is ignored";
constexpr const char* kChanged =
    " has other settings than when the state was saved; what the state has of it is ignored";

void MigrateWindows(const StateOrigin& origin, const PipelineConfig& config, PipelineState& state,
                    Texts& ignored) {
  std::erase_if(state.window_ends, [&](const auto& entry) {
    const auto& name = entry.first;
    const auto* preset = FindNamed(config.presets, name);
    if (preset != nullptr && IsSame(origin.presets, name, Fingerprint(*preset))) {
      return false;
    }
    ignored.push_back("preset " + name + (preset == nullptr ? kGone : kChanged));
    return true;
  });
}

// Empty: it is kept.
std::string CheckGroup(const StateOrigin& origin, const PipelineConfig& config,
                       const StateOrigin::PresetAndGroup& key) {
  const auto fingerprint = FindFingerprint(config, key.first, key.second);
  const auto name = "peer group " + key.second + " under preset " + key.first;
  if (!fingerprint) {
    return name + kGone;
  }
  // Groups of metrics come with the data: a configuration knows the metrics alone.
  const StateOrigin::PresetAndGroup metric(key.first, MetricOfGroup(key.second));
  return IsSame(origin.groups, key, *fingerprint) || IsSame(origin.groups, metric, *fingerprint)
             ? ""
             : name + kChanged;
}

void MigrateRecords(const StateOrigin& origin, const PipelineConfig& config, PipelineState& state,
                    Texts& ignored) {
  // Thousands of components share a group, so each pair is looked at once.
  std::map<StateOrigin::PresetAndGroup, bool> kept;
  std::erase_if(state.components, [&](const ComponentState& component) {
    const StateOrigin::PresetAndGroup key(component.preset, component.group);
    auto known = kept.find(key);
    if (known == kept.end()) {
      auto problem = CheckGroup(origin, config, key);
      known = kept.emplace(key, problem.empty()).first;
      if (!problem.empty()) {
        ignored.push_back(std::move(problem));
      }
    }
    return !known->second;
  });
}

// Without a word: that the group begins anew has been said.
void MigrateWrites(const StateOrigin& origin, const PipelineConfig& config, PipelineState& state) {
  std::erase_if(state.writes, [&](const WriteMemory& memory) {
    return !CheckGroup(origin, config, {memory.preset, memory.group}).empty();
  });
}

// For each grid in use its preset's place among the columns of the state; nullopt: it begins anew.
std::vector<std::optional<std::size_t>> FindColumns(const StateOrigin& origin,
                                                    const PipelineConfig& config) {
  std::vector<std::optional<std::size_t>> places;
  for (const auto owner : GridOwners(config)) {
    const auto& preset = config.presets[owner];
    const auto found = std::find(origin.columns.begin(), origin.columns.end(),
                                 std::pair(preset.name, Fingerprint(preset)));
    places.push_back(found == origin.columns.end()
                         ? std::nullopt
                         : std::optional(static_cast<std::size_t>(found - origin.columns.begin())));
  }
  return places;
}

// Without a word: that a preset begins anew has been said, and the counters themselves stay.
void MigrateColumns(const StateOrigin& origin, const PipelineConfig& config, PipelineState& state) {
  const auto places = FindColumns(origin, config);
  // Moved, not copied: 10,000 disks have millions of bins.
  for (auto& entity : state.entities) {
    for (auto& counter : entity.counters) {
      if (!counter) {
        continue;
      }
      auto old = std::exchange(counter->columns, {});
      for (const auto& place : places) {
        counter->columns.push_back(place && *place < old.size() ? std::move(old[*place])
                                                                : std::nullopt);
      }
    }
  }
}

void MigrateCwnd(const StateOrigin& origin, const PipelineConfig& config, PipelineState& state,
                 Texts& ignored) {
  std::erase_if(state.cwnd, [&](const auto& entry) {
    const auto* group = FindNamed(config.groups, entry.first);
    if (group != nullptr && IsSame(origin.cwnd, entry.first, Fingerprint({}, *group))) {
      return false;
    }
    ignored.push_back("peer group " + entry.first + " (congestion windows)" +
                      (group == nullptr ? kGone : kChanged));
    return true;
  });
}

// A label is a number of the model's profiles; the last one is "unknown".
bool FitsModel(const ProfileMemory& memory, std::size_t labels) {
  return std::all_of(memory.nodes.begin(), memory.nodes.end(), [&](const auto& entry) {
    const auto& node = entry.second;
    return node.history.counts.size() == labels && node.label.value_or(0) <= labels;
  });
}

void MigrateProfiles(const StateOrigin& origin, const PipelineConfig& config, PipelineState& state,
                     Texts& ignored) {
  if (!config.profiles) {
    if (state.profiles || !state.host_entities.empty()) {
      ignored.emplace_back(
          "behaviour profiles are not configured any more; what the state has of them is ignored");
    }
    // Whole nodes are read for profiles alone, so their counters go too.
    state.profiles.reset();
    state.host_entities.clear();
    return;
  }
  // The counters of nodes stay under any model; only the labels are its own.
  const auto& model = config.profiles->model;
  if (!state.profiles) {
    return;
  }
  // Sizes are checked as well: labels are used as indices, and a file may claim any model.
  if (origin.model != Fingerprint(model) ||
      !FitsModel(*state.profiles, model.profiles.size() + 1)) {
    ignored.emplace_back(
        "behaviour profiles have another model than when the state was saved; their histograms in "
        "the state are ignored");
    // The counters of the nodes stay: they are readings, which no model has shaped.
    state.profiles.reset();
  }
}

}  // namespace

StateOrigin DescribeOrigin(const PipelineConfig& config) {
  StateOrigin origin;
  for (const auto& preset : config.presets) {
    const auto fingerprint = Fingerprint(preset);
    origin.presets[preset.name] = fingerprint;
    for (const auto& group : config.groups) {
      origin.groups[{preset.name, group.name}] = Fingerprint(preset, group);
    }
    for (const auto& metric : config.custom) {
      origin.groups[{preset.name, metric.name}] = Fingerprint(preset, metric);
    }
  }
  for (const auto owner : GridOwners(config)) {
    const auto& preset = config.presets[owner];
    origin.columns.emplace_back(preset.name, origin.presets[preset.name]);
  }
  for (const auto& group : config.groups) {
    // Congestion windows are shared by all presets, so theirs is of no preset.
    origin.cwnd[group.name] = Fingerprint({}, group);
  }
  if (config.profiles) {
    origin.model = Fingerprint(config.profiles->model);
  }
  return origin;
}

MigratedState Migrate(StoredState saved, const PipelineConfig& config) {
  MigratedState migrated{.state = std::move(saved.state), .ignored = {}};
  auto& state = migrated.state;
  const auto& origin = saved.origin;
  // Starts of exporters and first readings need no check: they hold under any configuration.
  MigrateWindows(origin, config, state, migrated.ignored);
  MigrateRecords(origin, config, state, migrated.ignored);
  MigrateWrites(origin, config, state);
  MigrateColumns(origin, config, state);
  MigrateCwnd(origin, config, state, migrated.ignored);
  MigrateProfiles(origin, config, state, migrated.ignored);
  return migrated;
}

}  // namespace limpet
