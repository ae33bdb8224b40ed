#include "diagnoser/state/codec.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "diagnoser/state/bytes.h"
#include "diagnoser/state/fingerprint.h"
#include "diagnoser/state/profiles.h"
#include "diagnoser/state/tails.h"

namespace limpet {
namespace {

constexpr std::string_view kMagic = "LIMPETST";
constexpr std::uint64_t kPresetPart = 1;
constexpr std::uint64_t kMetricPart = 2;
constexpr std::uint64_t kClockPart = 3;
constexpr std::uint64_t kThingsPart = 4;
constexpr std::uint64_t kCwndPart = 5;
constexpr std::uint64_t kEpisodesPart = 6;
constexpr std::uint64_t kFirstSeenPart = 7;
constexpr std::uint64_t kProfilePart = 8;
constexpr std::uint64_t kHostThingsPart = 9;
constexpr std::size_t kThingsInPart = 256;  // what one damaged byte may cost
constexpr std::uint64_t kMaxRecent = 199;   // 2k-1 for the largest k a configuration may have

std::uint32_t Checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

void AddPart(ByteWriter& file, std::uint64_t kind, const std::string& payload, std::string& out) {
  file.Fixed(kind, 4);
  file.Fixed(payload.size(), 8);
  file.Fixed(Checksum(payload), 4);
  out += file.Bytes();
  out += payload;
  file = {};
}

const PresetSettings* FindPreset(const PipelineConfig& config, std::string_view name) {
  const auto found = std::find_if(config.presets.begin(), config.presets.end(),
                                  [&](const auto& preset) { return preset.name == name; });
  return found == config.presets.end() ? nullptr : &*found;
}

const PeerGroupRule* FindGroup(const PipelineConfig& config, std::string_view name) {
  const auto found = std::find_if(config.groups.begin(), config.groups.end(),
                                  [&](const auto& group) { return group.name == name; });
  return found == config.groups.end() ? nullptr : &*found;
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

// nullopt when the bytes make no sense.
std::optional<ComponentState> ReadComponent(ByteReader& in) {
  ComponentState component;
  component.component = in.Text();
  const auto accumulator = in.Count();
  const auto recent = in.Count();
  if (in.Failed() || component.component.empty() || accumulator > UINT32_MAX ||
      recent > kMaxRecent) {
    return std::nullopt;
  }
  component.accumulator = static_cast<std::uint32_t>(accumulator);
  for (std::uint64_t i = 0; i < recent; ++i) {
    const FilterEntry entry{
        .end = FromNanoseconds(in.Fixed(8)), .degree = in.Double(), .anomalous = in.Fixed(1) != 0};
    const bool in_order = component.recent.empty() || component.recent.back().end < entry.end;
    if (in.Failed() || !std::isfinite(entry.degree) || !in_order) {
      return std::nullopt;
    }
    component.recent.push_back(entry);
  }
  return component;
}

// Empty, or why the part is left out.
std::string ReadPreset(ByteReader in, const PipelineConfig& config, PipelineState& state) {
  const auto name = std::string(in.Text());
  const auto fingerprint = in.Fixed(8);
  const auto end = ReadInstant(in);
  const auto* preset = FindPreset(config, name);
  if (!end) {
    return "a preset's part does not read as one";
  }
  if (preset == nullptr || Fingerprint(*preset) != fingerprint) {
    return "preset " + name +
           (preset == nullptr ? " is not configured" : " has other settings now");
  }
  state.window_ends[name] = *end;
  return {};
}

std::string ReadMetric(ByteReader in, const PipelineConfig& config, PipelineState& state) {
  const auto preset_name = std::string(in.Text());
  const auto group_name = std::string(in.Text());
  const auto metric = std::string(in.Text());
  const auto fingerprint = in.Fixed(8);
  const auto count = in.Count();
  if (in.Failed()) {
    return "a metric's part does not read as one";
  }
  const auto name = "preset " + preset_name + ", group " + group_name + ", " + metric;
  const auto* preset = FindPreset(config, preset_name);
  const auto* group = FindGroup(config, group_name);
  if (preset == nullptr || group == nullptr) {
    return name + ": not configured";
  }
  if (Fingerprint(*preset, *group) != fingerprint) {
    return name + ": other settings now";
  }
  std::vector<ComponentState> components;
  for (std::uint64_t i = 0; i < count; ++i) {
    auto component = ReadComponent(in);
    if (!component) {
      return name + ": does not read as one";
    }
    component->preset = preset_name;
    component->group = group_name;
    component->metric = metric;
    components.push_back(std::move(*component));
  }
  std::move(components.begin(), components.end(), std::back_inserter(state.components));
  return {};
}

std::string ReadClock(ByteReader in, PipelineState& state) {
  const auto first = ReadInstant(in);
  const auto last = ReadInstant(in);
  const auto cwnd = in.Fixed(1) != 0 ? ReadInstant(in) : std::nullopt;
  const auto nodes = in.Count();
  std::map<std::string, double, std::less<>> starts;
  for (std::uint64_t i = 0; i < nodes && !in.Failed(); ++i) {
    const auto node = std::string(in.Text());
    starts[node] = in.Double();
    if (!std::isfinite(starts[node])) {
      return "the clock's part does not read as one";
    }
  }
  if (in.Failed() || !first || !last || *first > *last) {
    return "the clock's part does not read as one";
  }
  state.exporter_starts = std::move(starts);
  state.first = first;
  state.last = last;
  state.cwnd_done = cwnd;
  return {};
}

std::string ReadThings(ByteReader in, const PipelineConfig& config, std::size_t& bins_left,
                       PipelineState& state) {
  std::vector<std::optional<std::size_t>> places;  // of the columns among the presets in use
  const auto presets = in.Count();
  for (std::uint64_t i = 0; i < presets && !in.Failed(); ++i) {
    const auto* preset = FindPreset(config, in.Text());
    const bool same = in.Fixed(8) == (preset == nullptr ? 0 : Fingerprint(*preset));
    places.push_back(preset != nullptr && same
                         ? std::optional(static_cast<std::size_t>(preset - config.presets.data()))
                         : std::nullopt);
  }
  const auto count = in.Count();
  std::vector<EntityState> entities;
  for (std::uint64_t i = 0; i < count && !in.Failed(); ++i) {
    auto entity = ReadThing(in, {.places = places, .presets = config.presets.size()}, bins_left);
    if (!entity) {
      return "a part of disks and connections does not read as one";
    }
    entities.push_back(std::move(*entity));
  }
  if (in.Failed()) {
    return "a part of disks and connections does not read as one";
  }
  std::move(entities.begin(), entities.end(), std::back_inserter(state.entities));
  return {};
}

std::string ReadCwndGroup(ByteReader in, const PipelineConfig& config, PipelineState& state) {
  const auto name = std::string(in.Text());
  const auto fingerprint = in.Fixed(8);
  const auto* group = FindGroup(config, name);
  if (in.Failed() || group == nullptr || Fingerprint({}, *group) != fingerprint) {
    return "congestion windows of group " + name + ": other settings now";
  }
  auto tail = ReadCwnd(in);
  if (!tail) {
    return "congestion windows of group " + name + ": do not read as such";
  }
  state.cwnd[name] = std::move(*tail);
  return {};
}

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

// After the filters that they belong to; those of others are passed over.
std::string ReadEpisodes(ByteReader in, PipelineState& state) {
  using Key = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;
  std::map<Key, ComponentState*> components;
  for (auto& one : state.components) {
    components[{one.preset, one.group, one.metric, one.component}] = &one;
  }
  const auto count = in.Count();
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto preset = in.Text();
    const auto group = in.Text();
    const auto metric = in.Text();
    const auto name = in.Text();
    const bool has_last = in.Fixed(1) != 0;
    const auto last = ReadInstant(in);
    const auto began = in.Count();
    if (in.Failed() || !last || began > Episodes::kMax) {
      return "a part of episodes does not read as one";
    }
    Episodes episodes;
    episodes.last_flagged = has_last ? last : std::nullopt;
    for (std::uint64_t j = 0; j < began; ++j) {
      const auto at = ReadInstant(in);
      if (!at) {
        return "a part of episodes does not read as one";
      }
      episodes.began.push_back(*at);
    }
    const auto found = components.find({preset, group, metric, name});
    if (found != components.end()) {
      found->second->episodes = std::move(episodes);
    }
  }
  return {};
}

std::string ReadFirstSeen(ByteReader in, PipelineState& state) {
  const auto count = in.Count();
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto component = std::string(in.Text());
    const auto at = ReadInstant(in);
    if (in.Failed() || !at) {
      return "a part of first readings does not read as one";
    }
    state.first_seen[component] = *at;
  }
  return {};
}

void AddThings(const PipelineState& state, const PipelineConfig& config, std::string& out) {
  for (std::size_t begin = 0; begin < state.entities.size(); begin += kThingsInPart) {
    const auto count = std::min(kThingsInPart, state.entities.size() - begin);
    ByteWriter payload;
    payload.Count(config.presets.size());
    for (const auto& preset : config.presets) {
      payload.Text(preset.name);
      payload.Fixed(Fingerprint(preset), 8);
    }
    payload.Count(count);
    for (std::size_t i = begin; i < begin + count; ++i) {
      WriteThing(state.entities[i], payload);
    }
    ByteWriter file;
    AddPart(file, kThingsPart, payload.Bytes(), out);
  }
}

void AddHostThings(const PipelineState& state, std::string& out) {
  for (std::size_t begin = 0; begin < state.host_entities.size(); begin += kThingsInPart) {
    const auto count = std::min(kThingsInPart, state.host_entities.size() - begin);
    ByteWriter payload;
    payload.Count(count);
    for (std::size_t i = begin; i < begin + count; ++i) {
      WriteHostThing(state.host_entities[i], payload);
    }
    ByteWriter file;
    AddPart(file, kHostThingsPart, payload.Bytes(), out);
  }
}

std::string ReadHostThings(ByteReader in, const PipelineConfig& config, std::size_t& bins_left,
                           PipelineState& state) {
  if (!config.profiles) {
    return "host metrics: no behaviour profiles are configured";
  }
  const auto count = in.Count();
  std::vector<HostEntityState> entities;
  for (std::uint64_t i = 0; i < count && !in.Failed(); ++i) {
    auto entity = ReadHostThing(in, bins_left);
    if (!entity) {
      return "a part of host metrics does not read as one";
    }
    entities.push_back(std::move(*entity));
  }
  std::move(entities.begin(), entities.end(), std::back_inserter(state.host_entities));
  return {};
}

std::string ReadProfilePart(ByteReader in, const PipelineConfig& config, PipelineState& state) {
  const auto fingerprint = in.Fixed(8);
  if (!config.profiles) {
    return "behaviour profiles: not configured";
  }
  if (fingerprint != Fingerprint(config.profiles->model)) {
    return "behaviour profiles: another model now";
  }
  state.profiles = ReadProfiles(in, config.profiles->model.profiles.size() + 1);
  return state.profiles ? "" : "behaviour profiles: do not read as such";
}

}  // namespace

std::string EncodeState(const PipelineState& state, const PipelineConfig& config) {
  ByteWriter file;
  file.Fixed(kStateVersion, 4);
  std::string out = std::string(kMagic) + file.Bytes();
  file = {};
  for (const auto& [name, end] : state.window_ends) {
    if (const auto* preset = FindPreset(config, name)) {
      ByteWriter payload;
      payload.Text(name);
      payload.Fixed(Fingerprint(*preset), 8);
      payload.Fixed(Nanoseconds(end), 8);
      AddPart(file, kPresetPart, payload.Bytes(), out);
    }
  }
  using Key = std::tuple<std::string_view, std::string_view, std::string_view>;
  std::map<Key, std::vector<const ComponentState*>> parts;
  for (const auto& component : state.components) {
    parts[{component.preset, component.group, component.metric}].push_back(&component);
  }
  for (const auto& [key, components] : parts) {
    const auto& [preset_name, group_name, metric] = key;
    const auto* preset = FindPreset(config, preset_name);
    const auto* group = FindGroup(config, group_name);
    if (preset == nullptr || group == nullptr) {
      continue;
    }
    ByteWriter payload;
    payload.Text(preset_name);
    payload.Text(group_name);
    payload.Text(metric);
    payload.Fixed(Fingerprint(*preset, *group), 8);
    payload.Count(components.size());
    for (const auto* component : components) {
      WriteComponent(*component, payload);
    }
    AddPart(file, kMetricPart, payload.Bytes(), out);
  }
  ByteWriter episodes;
  std::size_t with_episodes = 0;
  for (const auto& component : state.components) {
    if (!(component.episodes == Episodes()) && FindGroup(config, component.group) != nullptr) {
      WriteEpisodes(component, episodes);
      ++with_episodes;
    }
  }
  if (with_episodes > 0) {
    ByteWriter payload;
    payload.Count(with_episodes);
    AddPart(file, kEpisodesPart, payload.Bytes() + episodes.Bytes(), out);
  }
  if (state.first && state.last) {
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
    AddPart(file, kClockPart, payload.Bytes(), out);
  }
  if (!state.first_seen.empty()) {
    ByteWriter payload;
    payload.Count(state.first_seen.size());
    for (const auto& [component, at] : state.first_seen) {
      payload.Text(component);
      payload.Fixed(Nanoseconds(at), 8);
    }
    AddPart(file, kFirstSeenPart, payload.Bytes(), out);
  }
  AddThings(state, config, out);
  for (const auto& [name, tail] : state.cwnd) {
    if (const auto* group = FindGroup(config, name)) {
      ByteWriter payload;
      payload.Text(name);
      payload.Fixed(Fingerprint({}, *group), 8);
      WriteCwnd(tail, payload);
      AddPart(file, kCwndPart, payload.Bytes(), out);
    }
  }
  if (state.profiles && state.profiles->second && config.profiles) {
    ByteWriter payload;
    payload.Fixed(Fingerprint(config.profiles->model), 8);
    WriteProfiles(*state.profiles, payload);
    AddPart(file, kProfilePart, payload.Bytes(), out);
    AddHostThings(state, out);
  }
  return out;
}

Result<DecodedState> DecodeState(std::string_view bytes, const PipelineConfig& config) {
  ByteReader file(bytes);
  if (file.Raw(kMagic.size()) != kMagic) {
    return Error{ErrorCode::kInvalid, "expected a state file, which begins with LIMPETST", ""};
  }
  const auto version = file.Fixed(4);
  if (file.Failed() || version != kStateVersion) {
    return Error{ErrorCode::kInvalid,
                 "expected state of version " + std::to_string(kStateVersion) + ", got version " +
                     std::to_string(version),
                 ""};
  }
  DecodedState decoded;
  auto bins_left = config.limits.max_state_bins;
  while (file.Left() > 0) {
    const auto kind = file.Fixed(4);
    const auto length = file.Fixed(8);
    const auto checksum = file.Fixed(4);
    const auto payload = file.Raw(length);
    if (file.Failed()) {
      decoded.left_out.emplace_back("the end of the file is missing");
      break;
    }
    std::string problem;
    if (Checksum(payload) != checksum) {
      problem = "a part is damaged (checksum)";
    } else if (kind == kPresetPart) {
      problem = ReadPreset(ByteReader(payload), config, decoded.state);
    } else if (kind == kMetricPart) {
      problem = ReadMetric(ByteReader(payload), config, decoded.state);
    } else if (kind == kClockPart) {
      problem = ReadClock(ByteReader(payload), decoded.state);
    } else if (kind == kThingsPart) {
      problem = ReadThings(ByteReader(payload), config, bins_left, decoded.state);
    } else if (kind == kEpisodesPart) {
      problem = ReadEpisodes(ByteReader(payload), decoded.state);
    } else if (kind == kFirstSeenPart) {
      problem = ReadFirstSeen(ByteReader(payload), decoded.state);
    } else if (kind == kCwndPart) {
      problem = ReadCwndGroup(ByteReader(payload), config, decoded.state);
    } else if (kind == kProfilePart) {
      problem = ReadProfilePart(ByteReader(payload), config, decoded.state);
    } else if (kind == kHostThingsPart) {
      problem = ReadHostThings(ByteReader(payload), config, bins_left, decoded.state);
    }  // other kinds: something a later version of this format added
    if (!problem.empty()) {
      decoded.left_out.push_back(std::move(problem));
    }
  }
  return decoded;
}

}  // namespace limpet
