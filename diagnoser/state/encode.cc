// The writing side of the codec: one part after the other, in the order in which they are read.

#include <zlib.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "diagnoser/evidence/setup.h"
#include "diagnoser/state/bytes.h"
#include "diagnoser/state/codec.h"
#include "diagnoser/state/disk_kinds.h"
#include "diagnoser/state/find_named.h"
#include "diagnoser/state/fingerprint.h"
#include "diagnoser/state/parts.h"
#include "diagnoser/state/profiles.h"
#include "diagnoser/state/syscalls.h"
#include "diagnoser/state/tails.h"
#include "diagnoser/state/writes.h"

namespace limpet {
namespace {

void AddPart(StatePart kind, std::string_view payload, std::string& out) {
  ByteWriter head;
  head.Fixed(static_cast<std::uint64_t>(kind), 4);
  head.Fixed(payload.size(), 8);
  head.Fixed(PartChecksum(payload), 4);
  out += head.Bytes();
  out += payload;
}

void AddPresets(const PipelineState& state, const PipelineConfig& config, std::string& out) {
  for (const auto& [name, end] : state.window_ends) {
    if (const auto* preset = FindNamed(config.presets, name)) {
      ByteWriter payload;
      payload.Text(name);
      payload.Fixed(Fingerprint(*preset), 8);
      payload.Fixed(Nanoseconds(end), 8);
      AddPart(StatePart::kPreset, payload.Bytes(), out);
    }
  }
}

void WriteComponent(const ComponentState& component, ByteWriter& out) {
  out.Text(component.component);
  out.Count(component.accumulator);
  out.Count(component.recent.size());
  for (const auto& entry : component.recent) {
    out.Fixed(Nanoseconds(entry.end), 8);
    out.Double(entry.degree);
    out.Fixed(entry.anomalous ? 1 : 0, 1);
  }
}

bool IsKnown(const PipelineConfig& config, std::string_view group) {
  return FindNamed(config.groups, group) != nullptr ||
         FindNamed(config.custom, MetricOfGroup(group)) != nullptr;
}

void AddMetrics(const PipelineState& state, const PipelineConfig& config, std::string& out) {
  using Key = std::tuple<std::string_view, std::string_view, std::string_view>;
  // A part a metric: a damaged byte costs the filters of one, and a changed group only its own.
  std::map<Key, std::vector<const ComponentState*>> parts;
  for (const auto& component : state.components) {
    parts[{component.preset, component.group, component.metric}].push_back(&component);
  }
  for (const auto& [key, components] : parts) {
    const auto& [preset_name, group_name, metric] = key;
    const auto fingerprint = FindFingerprint(config, preset_name, group_name);
    // Without a fingerprint nobody could use it.
    if (!fingerprint) {
      continue;
    }
    ByteWriter payload;
    payload.Text(preset_name);
    payload.Text(group_name);
    payload.Text(metric);
    payload.Fixed(*fingerprint, 8);
    payload.Count(components.size());
    for (const auto* component : components) {
      WriteComponent(*component, payload);
    }
    AddPart(StatePart::kMetric, payload.Bytes(), out);
  }
}

// Not in kind 2, whose layout must stay: who does not know kind 6 skips it and reads the filters.
void WriteEpisodes(const ComponentState& component, ByteWriter& out) {
  const auto& episodes = component.episodes;
  out.Text(component.preset);
  out.Text(component.group);
  out.Text(component.metric);
  out.Text(component.component);
  out.Fixed(episodes.last_flagged ? 1 : 0, 1);
  out.Fixed(episodes.last_flagged ? Nanoseconds(*episodes.last_flagged) : 0, 8);
  out.Count(episodes.began.size());
  for (const auto began : episodes.began) {
    out.Fixed(Nanoseconds(began), 8);
  }
}

void AddEpisodes(const PipelineState& state, const PipelineConfig& config, std::string& out) {
  ByteWriter episodes;
  std::size_t count = 0;
  for (const auto& component : state.components) {
    if (!(component.episodes == Episodes()) && IsKnown(config, component.group)) {
      WriteEpisodes(component, episodes);
      ++count;
    }
  }
  // The count stands first, and is known only now.
  if (count > 0) {
    ByteWriter payload;
    payload.Count(count);
    AddPart(StatePart::kEpisodes, payload.Bytes() + episodes.Bytes(), out);
  }
}

// Not in kind 2 either: nearly no component has one.
void AddOnsets(const PipelineState& state, const PipelineConfig& config, std::string& out) {
  ByteWriter onsets;
  std::size_t count = 0;
  for (const auto& component : state.components) {
    if (component.onset && IsKnown(config, component.group)) {
      onsets.Text(component.preset);
      onsets.Text(component.group);
      onsets.Text(component.metric);
      onsets.Text(component.component);
      onsets.Fixed(Nanoseconds(*component.onset), 8);
      ++count;
    }
  }
  if (count > 0) {
    ByteWriter payload;
    payload.Count(count);
    AddPart(StatePart::kOnsets, payload.Bytes() + onsets.Bytes(), out);
  }
}

void AddIncidents(const PipelineState& state, const PipelineConfig& config, std::string& out) {
  std::vector<const OpenIncident*> known;
  for (const auto& incident : state.incidents) {
    if (FindNamed(config.presets, incident.preset) != nullptr && incident.unknown) {
      known.push_back(&incident);
    }
  }
  if (known.empty()) {
    return;
  }
  ByteWriter payload;
  payload.Count(known.size());
  for (const auto* incident : known) {
    payload.Text(incident->preset);
    payload.Text(incident->node);
    payload.Count(static_cast<std::uint64_t>(incident->cause));
    payload.Fixed(Nanoseconds(incident->judged), 8);
    payload.Fixed(Nanoseconds(*incident->unknown), 8);
    payload.Text(incident->group);
    payload.Count(incident->groups.size());
    for (const auto& group : incident->groups) {
      payload.Text(group);
    }
  }
  AddPart(StatePart::kIncidents, payload.Bytes(), out);
}

void AddBeginnings(const PipelineState& state, const PipelineConfig& config, std::string& out) {
  std::vector<const Beginning*> known;
  for (const auto& beginning : state.beginnings) {
    if (FindNamed(config.presets, beginning.preset) != nullptr) {
      known.push_back(&beginning);
    }
  }
  if (known.empty()) {
    return;
  }
  ByteWriter payload;
  payload.Count(known.size());
  for (const auto* beginning : known) {
    payload.Text(beginning->preset);
    payload.Text(beginning->node);
    payload.Count(static_cast<std::uint64_t>(beginning->cause));
    payload.Fixed(beginning->indicted ? 1 : 0, 1);
    payload.Fixed(Nanoseconds(beginning->since), 8);
    payload.Fixed(Nanoseconds(beginning->named), 8);
  }
  AddPart(StatePart::kBeginnings, payload.Bytes(), out);
}

void AddClock(const PipelineState& state, std::string& out) {
  // Before the first reading there is no time to go on from.
  if (!state.first || !state.last) {
    return;
  }
  ByteWriter payload;
  payload.Fixed(Nanoseconds(*state.first), 8);
  payload.Fixed(Nanoseconds(*state.last), 8);
  payload.Fixed(state.cwnd_done ? 1 : 0, 1);
  if (state.cwnd_done) {
    payload.Fixed(Nanoseconds(*state.cwnd_done), 8);
  }
  payload.Count(state.exporter_starts.size());
  for (const auto& [node, start] : state.exporter_starts) {
    payload.Text(node);
    payload.Double(start);
  }
  AddPart(StatePart::kClock, payload.Bytes(), out);
}

void AddFirstSeen(const PipelineState& state, std::string& out) {
  if (state.first_seen.empty()) {
    return;
  }
  ByteWriter payload;
  payload.Count(state.first_seen.size());
  for (const auto& [component, at] : state.first_seen) {
    payload.Text(component);
    payload.Fixed(Nanoseconds(at), 8);
  }
  AddPart(StatePart::kFirstSeen, payload.Bytes(), out);
}

void AddDiskKinds(const PipelineState& state, std::string& out) {
  if (!state.disk_kinds.empty()) {
    ByteWriter payload;
    WriteDiskKinds(state.disk_kinds, payload);
    AddPart(StatePart::kDiskKinds, payload.Bytes(), out);
  }
}

void AddWrites(const PipelineState& state, const PipelineConfig& config, std::string& out) {
  for (const auto& memory : state.writes) {
    if (const auto fingerprint = FindFingerprint(config, memory.preset, memory.group)) {
      ByteWriter payload;
      payload.Text(memory.preset);
      payload.Text(memory.group);
      payload.Fixed(*fingerprint, 8);
      WriteWrites(memory, payload);
      AddPart(StatePart::kWrites, payload.Bytes(), out);
    }
  }
}

void AddEntities(const PipelineState& state, const PipelineConfig& config, std::string& out) {
  const auto owners = GridOwners(config);
  for (std::size_t begin = 0; begin < state.entities.size(); begin += kEntitiesInPart) {
    const auto count = std::min(kEntitiesInPart, state.entities.size() - begin);
    ByteWriter payload;
    // In every part, so that each can be read alone.
    payload.Count(owners.size());
    for (const auto owner : owners) {
      const auto& preset = config.presets[owner];
      payload.Text(preset.name);
      payload.Fixed(Fingerprint(preset), 8);
    }
    payload.Count(count);
    for (std::size_t i = begin; i < begin + count; ++i) {
      WriteEntity(state.entities[i], payload);
    }
    AddPart(StatePart::kEntities, payload.Bytes(), out);
  }
}

void AddCwnd(const PipelineState& state, const PipelineConfig& config, std::string& out) {
  for (const auto& [name, tail] : state.cwnd) {
    if (const auto* group = FindNamed(config.groups, name)) {
      ByteWriter payload;
      payload.Text(name);
      payload.Fixed(Fingerprint({}, *group), 8);
      WriteCwnd(tail, payload);
      AddPart(StatePart::kCwnd, payload.Bytes(), out);
    }
  }
}

void AddSyscalls(const PipelineState& state, const PipelineConfig& config, std::string& out) {
  if (state.syscalls && config.syscalls) {
    ByteWriter memory;
    WriteSyscalls(*state.syscalls, memory);
    AddPart(StatePart::kSyscalls, memory.Bytes(), out);
  }
}

void AddProfiles(const PipelineState& state, const PipelineConfig& config, std::string& out) {
  if (!state.profiles || !state.profiles->second || !config.profiles) {
    return;
  }
  ByteWriter memory;
  memory.Fixed(Fingerprint(config.profiles->model), 8);
  WriteProfiles(*state.profiles, memory);
  AddPart(StatePart::kProfiles, memory.Bytes(), out);
  // Without the histograms the counters of whole nodes would have nobody to be for.
  const auto& entities = state.host_entities;
  for (std::size_t begin = 0; begin < entities.size(); begin += kEntitiesInPart) {
    const auto count = std::min(kEntitiesInPart, entities.size() - begin);
    ByteWriter payload;
    payload.Count(count);
    for (std::size_t i = begin; i < begin + count; ++i) {
      WriteHostEntity(entities[i], payload);
    }
    AddPart(StatePart::kHostEntities, payload.Bytes(), out);
  }
}

}  // namespace

std::uint32_t PartChecksum(std::string_view payload) {
  // crc32 itself would cut the length to 32 bits.
  return static_cast<std::uint32_t>(
      ::crc32_z(0, reinterpret_cast<const Bytef*>(payload.data()), payload.size()));
}

std::string EncodeState(const PipelineState& state, const PipelineConfig& config) {
  ByteWriter head;
  head.Fixed(kStateVersion, 4);
  auto out = std::string(kStateMagic) + head.Bytes();
  AddPresets(state, config, out);
  AddMetrics(state, config, out);
  AddEpisodes(state, config, out);  // after the components that they belong to
  AddOnsets(state, config, out);
  // The order of the others does not matter to a reader, only that it is always the same.
  AddClock(state, out);
  AddFirstSeen(state, out);
  AddDiskKinds(state, out);
  AddWrites(state, config, out);
  AddIncidents(state, config, out);
  AddBeginnings(state, config, out);
  AddEntities(state, config, out);
  AddCwnd(state, config, out);
  // Last: all parts share one bound on bins when they are read, and peer groups matter more.
  AddProfiles(state, config, out);
  AddSyscalls(state, config, out);
  return out;
}

}  // namespace limpet
