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

namespace limpet {
namespace {

constexpr std::string_view kMagic = "LIMPETST";
constexpr std::uint64_t kPresetPart = 1;
constexpr std::uint64_t kMetricPart = 2;
constexpr std::uint64_t kMaxRecent = 199;  // 2k-1 for the largest k a configuration may have

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

std::uint64_t Nanoseconds(UnixTime at) {
  return static_cast<std::uint64_t>(at.time_since_epoch().count());
}
UnixTime FromNanoseconds(std::uint64_t value) {
  return UnixFromNanoseconds(static_cast<std::int64_t>(value));
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
  const auto end = FromNanoseconds(in.Fixed(8));
  const auto* preset = FindPreset(config, name);
  if (in.Failed()) {
    return "a preset's part does not read as one";
  }
  if (preset == nullptr || Fingerprint(*preset) != fingerprint) {
    return "preset " + name +
           (preset == nullptr ? " is not configured" : " has other settings now");
  }
  state.window_ends[name] = end;
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
    }  // other kinds: something a later version of this format added
    if (!problem.empty()) {
      decoded.left_out.push_back(std::move(problem));
    }
  }
  return decoded;
}

}  // namespace limpet
