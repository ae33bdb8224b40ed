#include "diagnoser/pipeline/state.h"

#include <algorithm>
#include <span>
#include <utility>

namespace limpet {
namespace {

std::size_t CountBins(const std::vector<std::optional<TrackTail>>& counters) {
  std::size_t bins = 0;
  for (const auto& counter : counters) {
    if (counter) {
      for (const auto& column : counter->columns) {
        bins += column ? column->values.size() : 0;
      }
    }
  }
  return bins;
}

// Between two looks at how many bins there are.
constexpr std::size_t kCopiedAtOnce = 8192;
constexpr std::size_t kCopiedInARow = 128;

struct EntityPlace {
  EntityKind kind = EntityKind::kDisk;
  std::uint32_t number = 0;
};

std::vector<RecentReadings::Reading> Copy(const RecentReadings& readings) {
  const auto all = readings.All();
  return {all.begin(), all.end()};
}

void CopyReadings(const EntityPlace& place, Readings& readings,
                  std::span<const std::int64_t> oldest, bool has_room, EntityState& state) {
  if (const auto* socket = readings.Socket(place.kind, place.number)) {
    state.cwnd = Copy(socket->cwnd);
    state.other = Copy(socket->other);
  } else if (has_room) {
    state.counters = readings.Tails(place.kind, place.number, oldest);
  }
}

}  // namespace

PipelineState Rewound(PipelineState state, UnixTime now, Duration slack) {
  // A little ahead is no reason: nodes whose clocks run fast are so every day.
  if (!state.last || *state.last <= now + slack) {
    return state;
  }
  // Data of the future would make every new reading a late one.
  state.entities.clear();
  state.cwnd.clear();
  state.first.reset();
  state.last.reset();
  state.cwnd_done.reset();
  std::erase_if(state.first_seen, [&](const auto& entry) { return entry.second > now; });
  // Histograms decay with time, so they cannot be wound back.
  state.profiles.reset();
  state.host_entities.clear();
  state.syscalls.reset();
  state.writes.clear();
  std::erase_if(state.incidents, [&](const OpenIncident& one) { return *one.unknown > now; });
  std::erase_if(state.beginnings, [&](const Beginning& one) { return one.named > now; });
  std::erase_if(state.window_ends, [&](const auto& entry) { return entry.second > now; });
  for (auto& component : state.components) {
    std::erase_if(component.recent, [&](const FilterEntry& entry) { return entry.end > now; });
    std::erase_if(component.episodes.began, [&](UnixTime began) { return began > now; });
    component.episodes.last_flagged.reset();
    if (component.onset && *component.onset > now) {
      component.onset.reset();
    }
  }
  return state;
}

std::vector<EntityState> ExportEntities(const Directory& directory, Readings& readings,
                                        const std::vector<std::int64_t>& oldest,
                                        std::size_t most_bins, const SideBySide& for_each) {
  std::vector<EntityPlace> places;
  std::vector<EntityState> states;
  places.reserve(directory.Count());
  states.reserve(directory.Count());
  for (const auto& row : DirectoryKinds()) {
    const auto entities = directory.Entities(row.kind);
    for (std::uint32_t i = 0; i < entities.size(); ++i) {
      if (entities[i].live && !IsHost(row.kind)) {  // hosts: see ExportHostEntities
        places.push_back({.kind = row.kind, .number = i});
        states.push_back({.kind = row.kind, .entity = entities[i]});
      }
    }
  }
  std::size_t bins = 0;
  for (std::size_t begin = 0; begin < states.size(); begin += kCopiedAtOnce) {
    const auto count = std::min(kCopiedAtOnce, states.size() - begin);
    const bool has_room = bins < most_bins;
    InBlocks(for_each, count, kCopiedInARow, [&](std::size_t i) {
      CopyReadings(places[begin + i], readings, oldest, has_room, states[begin + i]);
    });
    for (auto i = begin; i < begin + count; ++i) {
      if (bins >= most_bins) {
        states[i].counters.clear();
      }
      bins += CountBins(states[i].counters);
    }
  }
  return states;
}

std::vector<HostEntityState> ExportHostEntities(const Directory& directory,
                                                const HostReadings& readings, UnixTime done) {
  std::vector<HostEntityState> states;
  const auto add = [&](const EntityKindRow& row) {
    const auto entities = directory.Entities(row.kind);
    for (std::uint32_t i = 0; i < entities.size(); ++i) {
      auto tail = readings.TailAfter(row.kind, i, done);
      if (entities[i].live && !tail.counters.empty()) {
        states.push_back({.kind = row.kind, .entity = entities[i], .tail = std::move(tail)});
      }
    }
  };
  // Hosts first: where there is no room for all, their own readings matter most.
  for (const bool own : {true, false}) {
    for (const auto& row : DirectoryKinds()) {
      if ((IsHost(row.kind)) == own) {
        add(row);
      }
    }
  }
  return states;
}

void RestoreHostEntities(const std::vector<HostEntityState>& entities, Directory& directory,
                         HostReadings& readings) {
  for (const auto& state : entities) {
    // What the peer groups have restored is found, also when there is no room for more.
    auto number = directory.Find(state.kind, state.entity);
    if (!number) {
      number = directory.Restore(state.kind, state.entity);
    }
    if (number) {
      readings.Resume(state.kind, *number, state.tail);
    }
  }
}

void RestoreEntities(const std::vector<EntityState>& entities, Directory& directory,
                     Readings& readings) {
  for (const auto& state : entities) {
    const auto number = directory.Restore(state.kind, state.entity);
    if (!number) {
      continue;
    }
    if (HasCounters(state.kind)) {
      readings.Resume(state.kind, *number, state.counters);
      continue;
    }
    for (const auto& reading : state.cwnd) {
      (void)readings.Add({state.kind, 0}, *number, reading.at, reading.value);
    }
    for (const auto& reading : state.other) {
      (void)readings.Add({state.kind, 1}, *number, reading.at, reading.value);
    }
  }
}

}  // namespace limpet
