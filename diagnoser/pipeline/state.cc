#include "diagnoser/pipeline/state.h"

#include <algorithm>
#include <utility>

namespace limpet {
namespace {

std::size_t BinsOf(const std::vector<std::optional<TrackTail>>& counters) {
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

std::vector<RecentReadings::Reading> Copy(const RecentReadings& readings) {
  const auto all = readings.All();
  return {all.begin(), all.end()};
}

}  // namespace

PipelineState Rewound(PipelineState state, UnixTime now, Duration slack) {
  if (!state.last || *state.last <= now + slack) {
    return state;
  }
  state.things.clear();
  state.cwnd.clear();
  state.first.reset();
  state.last.reset();
  state.cwnd_done.reset();
  std::erase_if(state.first_seen, [&](const auto& entry) { return entry.second > now; });
  state.profiles.reset();
  state.host_things.clear();
  std::erase_if(state.window_ends, [&](const auto& entry) { return entry.second > now; });
  for (auto& component : state.components) {
    std::erase_if(component.recent, [&](const FilterEntry& entry) { return entry.end > now; });
    std::erase_if(component.episodes.began, [&](UnixTime began) { return began > now; });
    component.episodes.last_flagged.reset();
  }
  return state;
}

std::vector<ThingState> ThingsOf(const Directory& directory, Readings& readings,
                                 const std::vector<std::int64_t>& oldest, std::size_t most_bins) {
  std::vector<ThingState> states;
  states.reserve(directory.Count());
  std::size_t bins = 0;
  for (const auto kind :
       {ThingKind::kDisk, ThingKind::kInterface, ThingKind::kSocket, ThingKind::kPeer}) {
    const auto things = directory.Things(kind);
    for (std::uint32_t i = 0; i < things.size(); ++i) {
      if (!things[i].live) {
        continue;
      }
      ThingState state{.kind = kind, .thing = things[i], .counters = {}, .cwnd = {}, .other = {}};
      if (const auto* socket = readings.Socket(kind, i)) {
        state.cwnd = Copy(socket->cwnd);
        state.other = Copy(socket->other);
      } else if (bins < most_bins) {
        state.counters = readings.Tails(kind, i, oldest);
        bins += BinsOf(state.counters);
      }
      states.push_back(std::move(state));
    }
  }
  return states;
}

std::vector<HostThingState> HostThingsOf(const Directory& directory, const HostReadings& readings,
                                         UnixTime done) {
  std::vector<HostThingState> states;
  for (const auto kind : {ThingKind::kHost, ThingKind::kDisk, ThingKind::kInterface}) {
    const auto things = directory.Things(kind);
    for (std::uint32_t i = 0; i < things.size(); ++i) {
      auto tail = readings.TailOf(kind, i, done);
      if (things[i].live && !tail.counters.empty()) {
        states.push_back({.kind = kind, .thing = things[i], .tail = std::move(tail)});
      }
    }
  }
  return states;
}

void RestoreHostThings(const std::vector<HostThingState>& things, std::size_t most,
                       Directory& directory, HostReadings& readings) {
  for (const auto& state : things) {
    auto number = directory.Find(state.kind, state.thing);
    if (!number && directory.Count() < most) {
      number = directory.Restore(state.kind, state.thing);
    }
    if (number) {
      readings.Resume(state.kind, *number, state.tail);
    }
  }
}

void RestoreThings(const std::vector<ThingState>& things, std::size_t most, Directory& directory,
                   Readings& readings) {
  for (const auto& state : things) {
    if (directory.Count() >= most) {
      return;
    }
    const auto number = directory.Restore(state.kind, state.thing);
    if (!number) {
      continue;
    }
    if (state.kind == ThingKind::kDisk || state.kind == ThingKind::kInterface) {
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
