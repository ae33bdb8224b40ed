// The reading side of the codec. A reader of a part adds what it has read to the state only once it
// has read all of it, so that a part is used as a whole or not at all.

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "diagnoser/state/admission.h"
#include "diagnoser/state/bytes.h"
#include "diagnoser/state/codec.h"
#include "diagnoser/state/disk_kinds.h"
#include "diagnoser/state/parts.h"
#include "diagnoser/state/profiles.h"
#include "diagnoser/state/syscalls.h"
#include "diagnoser/state/tails.h"
#include "diagnoser/state/verdict_parts.h"
#include "diagnoser/state/writes.h"

namespace limpet {
namespace {

// What the parts so far have given.
struct Reading {
  PipelineState state;
  StateOrigin origin;
  std::size_t bins_left = 0;
  PipelineLimits limits;
  // Entities come in many parts.
  Admission admission;
  Admission host_admission;
};

// Whether `key` has this fingerprint in the parts so far, or none yet: two parts that disagree
// cannot both come from one configuration.
template <class Map, class Key>
bool Agrees(Map& origin, const Key& key, std::uint64_t fingerprint) {
  return origin.emplace(key, fingerprint).first->second == fingerprint;
}

bool ReadPreset(ByteReader in, Reading& to) {
  const std::string name(in.Text());
  const auto fingerprint = in.Fixed(8);
  const auto end = ReadInstant(in);
  if (!end || !Agrees(to.origin.presets, name, fingerprint)) {
    return false;
  }
  to.state.window_ends[name] = *end;
  return true;
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
  // A filter entry is a window: strictly one after the other.
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

bool ReadMetric(ByteReader in, Reading& to) {
  const std::string preset(in.Text());
  const std::string group(in.Text());
  const std::string metric(in.Text());
  const auto fingerprint = in.Fixed(8);
  const auto count = in.Count();
  // Beside the state until the last of them reads well: all of the part or nothing.
  std::vector<ComponentState> components;
  Admission admission(to.limits);
  for (std::uint64_t i = 0; i < count; ++i) {
    auto component = ReadComponent(in);
    if (!component) {
      return false;
    }
    if (!admission.Admit(component->component)) {
      continue;
    }
    component->preset = preset;
    component->group = group;
    component->metric = metric;
    components.push_back(std::move(*component));
  }
  // Only now: a part that is ignored has no say in what the others may claim.
  if (in.Failed() || !Agrees(to.origin.groups, std::pair(preset, group), fingerprint)) {
    return false;
  }
  std::move(components.begin(), components.end(), std::back_inserter(to.state.components));
  return true;
}

bool ReadClock(ByteReader in, Reading& to) {
  const auto first = ReadInstant(in);
  const auto last = ReadInstant(in);
  const bool has_cwnd = in.Fixed(1) != 0;
  const auto cwnd = has_cwnd ? ReadInstant(in) : std::nullopt;
  const auto nodes = in.Count();
  std::map<std::string, double, std::less<>> starts;
  for (std::uint64_t i = 0; i < nodes && !in.Failed(); ++i) {
    const std::string node(in.Text());
    starts[node] = in.Double();
    if (!std::isfinite(starts[node])) {
      return false;
    }
  }
  // A first instant after the last would make windows that never end.
  if (in.Failed() || !first || !last || *first > *last || (has_cwnd && !cwnd)) {
    return false;
  }
  to.state.exporter_starts = std::move(starts);
  to.state.first = first;
  to.state.last = last;
  to.state.cwnd_done = cwnd;
  return true;
}

bool ReadEntities(ByteReader in, Reading& to) {
  std::vector<std::pair<std::string, std::uint64_t>> columns;
  const auto presets = in.Count();
  for (std::uint64_t i = 0; i < presets && !in.Failed(); ++i) {
    std::string name(in.Text());
    columns.emplace_back(std::move(name), in.Fixed(8));
  }
  // All parts repeat the same list, so that each can be read when others are damaged.
  if (in.Failed() || (!to.origin.columns.empty() && columns != to.origin.columns)) {
    return false;
  }
  const auto count = in.Count();
  // The count may be any number: nothing is reserved for it, and the loop ends with the bytes.
  std::vector<EntityState> entities;
  auto bins_left = to.bins_left;
  for (std::uint64_t i = 0; i < count && !in.Failed(); ++i) {
    auto left = bins_left;
    auto entity = ReadEntity(in, columns.size(), left);
    if (!entity) {
      return false;
    }
    if (to.admission.Admit(entity->entity.node)) {
      bins_left = left;
      entities.push_back(std::move(*entity));
    }
  }
  if (in.Failed()) {
    return false;
  }
  to.bins_left = bins_left;
  to.origin.columns = std::move(columns);
  std::move(entities.begin(), entities.end(), std::back_inserter(to.state.entities));
  return true;
}

bool ReadCwndGroup(ByteReader in, Reading& to) {
  const std::string name(in.Text());
  const auto fingerprint = in.Fixed(8);
  auto tail = ReadCwnd(in);
  if (!tail || !Agrees(to.origin.cwnd, name, fingerprint)) {
    return false;
  }
  to.state.cwnd[name] = std::move(*tail);
  return true;
}

bool ReadProfilePart(ByteReader in, Reading& to) {
  const auto model = in.Fixed(8);
  auto profiles = ReadProfiles(in);
  if (!profiles) {
    return false;
  }
  to.origin.model = model;
  to.state.profiles = std::move(profiles);
  return true;
}

bool ReadHostEntities(ByteReader in, Reading& to) {
  const auto count = in.Count();
  std::vector<HostEntityState> entities;
  auto bins_left = to.bins_left;
  for (std::uint64_t i = 0; i < count && !in.Failed(); ++i) {
    auto left = bins_left;
    auto entity = ReadHostEntity(in, left);
    if (!entity) {
      return false;
    }
    if (to.host_admission.Admit(entity->entity.node)) {
      bins_left = left;
      entities.push_back(std::move(*entity));
    }
  }
  if (in.Failed()) {
    return false;
  }
  to.bins_left = bins_left;
  std::move(entities.begin(), entities.end(), std::back_inserter(to.state.host_entities));
  return true;
}

bool ReadSyscallPart(ByteReader in, Reading& to) {
  auto syscalls = ReadSyscalls(in);
  if (!syscalls) {
    return false;
  }
  to.state.syscalls = std::move(syscalls);
  return true;
}

bool ReadDiskKindsPart(ByteReader in, Reading& to) {
  auto kinds = ReadDiskKinds(in);
  if (!kinds) {
    return false;
  }
  to.state.disk_kinds = *std::move(kinds);
  return true;
}

bool ReadWritesPart(ByteReader in, Reading& to) {
  WriteMemory memory{
      .preset = std::string(in.Text()), .group = std::string(in.Text()), .servers = {}};
  const auto fingerprint = in.Fixed(8);
  if (!ReadWrites(in, to.limits, memory) ||
      !Agrees(to.origin.groups, std::pair(memory.preset, memory.group), fingerprint)) {
    return false;
  }
  to.state.writes.push_back(std::move(memory));
  return true;
}

bool ReadEpisodesPart(ByteReader in, Reading& to) { return ReadEpisodes(in, to.state); }
bool ReadOnsetsPart(ByteReader in, Reading& to) { return ReadOnsets(in, to.state); }
bool ReadFirstSeenPart(ByteReader in, Reading& to) {
  return ReadFirstSeen(in, to.limits, to.state);
}
bool ReadIncidentsPart(ByteReader in, Reading& to) {
  return ReadIncidents(in, to.limits, to.state);
}
bool ReadBeginningsPart(ByteReader in, Reading& to) {
  return ReadBeginnings(in, to.limits, to.state);
}

struct PartReader {
  StatePart kind;
  const char* name;  // what an operator may know of it
  bool (*read)(ByteReader in, Reading& to);
};

constexpr std::array<PartReader, 15> kReaders = {{
    {StatePart::kPreset, "window ends of a preset", ReadPreset},
    {StatePart::kMetric, "filters and accumulators of a metric", ReadMetric},
    {StatePart::kClock, "first and last reading, starts of the exporters", ReadClock},
    {StatePart::kEntities, "counters of disks, interfaces and connections", ReadEntities},
    {StatePart::kCwnd, "congestion windows of a peer group", ReadCwndGroup},
    {StatePart::kEpisodes, "when components were flagged", ReadEpisodesPart},
    {StatePart::kFirstSeen, "when components were first seen", ReadFirstSeenPart},
    {StatePart::kProfiles, "histograms of the behaviour profiles", ReadProfilePart},
    {StatePart::kHostEntities, "counters of whole nodes", ReadHostEntities},
    {StatePart::kSyscalls, "what system calls have shown", ReadSyscallPart},
    {StatePart::kIncidents, "indictments that could not be judged", ReadIncidentsPart},
    {StatePart::kBeginnings, "when verdicts began and were named", ReadBeginningsPart},
    {StatePart::kOnsets, "when components began to differ", ReadOnsetsPart},
    {StatePart::kDiskKinds, "how groups of disks were parted", ReadDiskKindsPart},
    {StatePart::kWrites, "what servers received and wrote", ReadWritesPart},
}};

// Empty when the part has been used.
std::string ReadPart(std::uint64_t kind, std::string_view payload, bool whole, Reading& to) {
  const auto reader = std::find_if(kReaders.begin(), kReaders.end(), [&](const PartReader& one) {
    return static_cast<std::uint64_t>(one.kind) == kind;
  });
  // Passed over, so that an older program can read what a newer one has written.
  if (reader == kReaders.end()) {
    return {};  // something a later version of this format added
  }
  const auto part = "the part \"" + std::string(reader->name) + "\" ";
  if (!whole) {
    return part + "is damaged (its checksum is wrong) and is ignored";
  }
  return reader->read(ByteReader(payload), to)
             ? ""
             : part + "does not hold what was expected and is ignored";
}

}  // namespace

Result<ParsedState> ParseState(std::string_view bytes, const PipelineLimits& limits) {
  ByteReader file(bytes);
  if (file.Raw(kStateMagic.size()) != kStateMagic) {
    return Error{ErrorCode::kInvalid, "expected a state file, which begins with LIMPETST", ""};
  }
  const auto version = file.Fixed(4);
  if (file.Failed() || version != kStateVersion) {
    return Error{ErrorCode::kInvalid,
                 "expected a state file of version " + std::to_string(kStateVersion) +
                     ", got version " + std::to_string(version),
                 ""};
  }
  // One bound for the whole file: many parts, each within it, could still fill the memory.
  Reading reading{.state = {},
                  .origin = {},
                  .bins_left = limits.max_state_bins,
                  .limits = limits,
                  .admission = Admission(limits),
                  .host_admission = Admission(limits)};
  ParsedState parsed;
  while (file.Left() > 0) {
    // The head says how long the part is, so one that cannot be used is stepped over.
    const auto kind = file.Fixed(4);
    const auto length = file.Fixed(8);
    const auto checksum = file.Fixed(4);
    const auto payload = file.Raw(length);
    if (file.Failed()) {
      parsed.ignored.emplace_back(
          "the file is cut short: what follows its last whole part is "
          "ignored");
      break;
    }
    auto problem = ReadPart(kind, payload, PartChecksum(payload) == checksum, reading);
    if (!problem.empty()) {
      parsed.ignored.push_back(std::move(problem));
    }
  }
  parsed.saved = {.state = std::move(reading.state), .origin = std::move(reading.origin)};
  return parsed;
}

Result<MigratedState> DecodeState(std::string_view bytes, const PipelineConfig& config) {
  auto parsed = ParseState(bytes, config.limits);
  if (!parsed) {
    return parsed.error();
  }
  auto migrated = Migrate(std::move(parsed->saved), config);
  // Damage comes first: the log shows only the first few of these texts.
  migrated.ignored.insert(migrated.ignored.begin(),
                          std::make_move_iterator(parsed->ignored.begin()),
                          std::make_move_iterator(parsed->ignored.end()));
  return migrated;
}

}  // namespace limpet
