// The reading side of the codec. A reader of a part adds what it has read to the state only once it
// has read all of it, so that a part is used as a whole or not at all.

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "diagnoser/state/bytes.h"
#include "diagnoser/state/codec.h"
#include "diagnoser/state/disk_kinds.h"
#include "diagnoser/state/parts.h"
#include "diagnoser/state/profiles.h"
#include "diagnoser/state/syscalls.h"
#include "diagnoser/state/tails.h"

namespace limpet {
namespace {

// Roughly the bounds of the directory, which decides in the end: the file of a program that had
// none must not fill the memory before.
class Admission {
 public:
  explicit Admission(const PipelineLimits& limits) : limits_(limits) {}

  [[nodiscard]] bool Admit(std::string_view component) {
    auto& of_node = nodes_[std::string(component.substr(0, component.find('/')))];
    if (of_node >= limits_.max_components_per_node ||
        total_ >= limits_.max_components + limits_.reserved_components) {
      return false;
    }
    ++of_node;
    ++total_;
    return true;
  }

 private:
  PipelineLimits limits_;
  std::map<std::string, std::size_t> nodes_;
  std::size_t total_ = 0;
};

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

std::optional<Episodes> ReadOneEpisodes(ByteReader& in) {
  const bool has_last = in.Fixed(1) != 0;
  // Written even when there is none, so it is read in any case.
  const auto last = ReadInstant(in);
  const auto began = in.Count();
  if (in.Failed() || !last || began > Episodes::kMax) {
    return std::nullopt;
  }
  Episodes episodes;
  episodes.last_flagged = has_last ? last : std::nullopt;
  for (std::uint64_t i = 0; i < began; ++i) {
    const auto at = ReadInstant(in);
    if (!at) {
      return std::nullopt;
    }
    episodes.began.push_back(*at);
  }
  return episodes;
}

using ComponentKey =
    std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;

// Views into the state, which must stand still meanwhile.
std::map<ComponentKey, ComponentState*> ByKey(std::vector<ComponentState>& all) {
  std::map<ComponentKey, ComponentState*> components;
  for (auto& one : all) {
    components[{one.preset, one.group, one.metric, one.component}] = &one;
  }
  return components;
}

ComponentKey ReadKey(ByteReader& in) {
  const auto preset = in.Text();
  const auto group = in.Text();
  const auto metric = in.Text();
  const auto name = in.Text();
  return {preset, group, metric, name};
}

// After the filters that they belong to; those of others are passed over.
bool ReadEpisodes(ByteReader in, Reading& to) {
  const auto components = ByKey(to.state.components);
  const auto count = in.Count();
  std::vector<std::pair<ComponentState*, Episodes>> found;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto key = ReadKey(in);
    auto episodes = ReadOneEpisodes(in);
    if (!episodes) {
      return false;
    }
    const auto component = components.find(key);
    if (component != components.end()) {
      found.emplace_back(component->second, *std::move(episodes));
    }
  }
  if (in.Failed()) {
    return false;
  }
  for (auto& [component, episodes] : found) {
    component->episodes = std::move(episodes);
  }
  return true;
}

bool ReadOnsets(ByteReader in, Reading& to) {
  const auto components = ByKey(to.state.components);
  const auto count = in.Count();
  std::vector<std::pair<ComponentState*, UnixTime>> found;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto component = components.find(ReadKey(in));
    const auto onset = ReadInstant(in);
    if (!onset) {
      return false;
    }
    if (component != components.end()) {
      found.emplace_back(component->second, *onset);
    }
  }
  if (in.Failed()) {
    return false;
  }
  for (const auto& [component, onset] : found) {
    component->onset = onset;
  }
  return true;
}

bool ReadFirstSeen(ByteReader in, Reading& to) {
  const auto count = in.Count();
  std::map<std::string, UnixTime, std::less<>> seen;
  Admission admission(to.limits);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string component(in.Text());
    const auto at = ReadInstant(in);
    if (!at) {
      return false;
    }
    if (admission.Admit(component)) {
      seen[component] = *at;
    }
  }
  if (in.Failed()) {
    return false;
  }
  // What this part says counts, and of the parts before it what it does not speak of.
  seen.merge(to.state.first_seen);
  to.state.first_seen = std::move(seen);
  return true;
}

constexpr std::uint64_t kMaxGroups = 64;  // that one verdict's evidence is of

std::optional<OpenIncident> ReadIncident(ByteReader& in) {
  OpenIncident incident;
  incident.preset = in.Text();
  incident.node = in.Text();
  const auto cause = in.Count();
  const auto judged = ReadInstant(in);
  incident.unknown = ReadInstant(in);
  incident.group = in.Text();
  const auto groups = in.Count();
  if (in.Failed() || incident.node.empty() || (cause != 0 && FindCause(cause) == nullptr) ||
      !judged || !incident.unknown || groups > kMaxGroups) {
    return std::nullopt;
  }
  incident.cause = static_cast<Cause>(cause);
  incident.judged = *judged;
  for (std::uint64_t i = 0; i < groups; ++i) {
    incident.groups.emplace_back(in.Text());
  }
  return in.Failed() ? std::nullopt : std::optional(std::move(incident));
}

bool ReadIncidents(ByteReader in, Reading& to) {
  const auto count = in.Count();
  std::vector<OpenIncident> incidents;
  Admission admission(to.limits);
  for (std::uint64_t i = 0; i < count; ++i) {
    auto incident = ReadIncident(in);
    if (!incident) {
      return false;
    }
    if (admission.Admit(incident->node)) {
      incidents.push_back(std::move(*incident));
    }
  }
  if (in.Failed()) {
    return false;
  }
  std::move(incidents.begin(), incidents.end(), std::back_inserter(to.state.incidents));
  return true;
}

// Of no cause nothing can begin.
std::optional<Beginning> ReadBeginning(ByteReader& in) {
  Beginning beginning;
  beginning.preset = in.Text();
  beginning.node = in.Text();
  const auto cause = in.Count();
  beginning.indicted = in.Fixed(1) != 0;
  const auto since = ReadInstant(in);
  const auto named = ReadInstant(in);
  if (in.Failed() || beginning.node.empty() || FindCause(cause) == nullptr || !since || !named) {
    return std::nullopt;
  }
  beginning.cause = static_cast<Cause>(cause);
  beginning.since = *since;
  beginning.named = *named;
  return beginning;
}

bool ReadBeginnings(ByteReader in, Reading& to) {
  const auto count = in.Count();
  std::vector<Beginning> beginnings;
  Admission admission(to.limits);
  for (std::uint64_t i = 0; i < count; ++i) {
    auto beginning = ReadBeginning(in);
    if (!beginning) {
      return false;
    }
    if (admission.Admit(beginning->node)) {
      beginnings.push_back(std::move(*beginning));
    }
  }
  if (in.Failed()) {
    return false;
  }
  std::move(beginnings.begin(), beginnings.end(), std::back_inserter(to.state.beginnings));
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

struct PartReader {
  StatePart kind;
  const char* name;  // what an operator may know of it
  bool (*read)(ByteReader in, Reading& to);
};

constexpr std::array<PartReader, 14> kReaders = {{
    {StatePart::kPreset, "window ends of a preset", ReadPreset},
    {StatePart::kMetric, "filters and accumulators of a metric", ReadMetric},
    {StatePart::kClock, "first and last reading, starts of the exporters", ReadClock},
    {StatePart::kEntities, "counters of disks, interfaces and connections", ReadEntities},
    {StatePart::kCwnd, "congestion windows of a peer group", ReadCwndGroup},
    {StatePart::kEpisodes, "when components were flagged", ReadEpisodes},
    {StatePart::kFirstSeen, "when components were first seen", ReadFirstSeen},
    {StatePart::kProfiles, "histograms of the behaviour profiles", ReadProfilePart},
    {StatePart::kHostEntities, "counters of whole nodes", ReadHostEntities},
    {StatePart::kSyscalls, "what system calls have shown", ReadSyscallPart},
    {StatePart::kIncidents, "indictments that could not be judged", ReadIncidents},
    {StatePart::kBeginnings, "when verdicts began and were named", ReadBeginnings},
    {StatePart::kOnsets, "when components began to differ", ReadOnsets},
    {StatePart::kDiskKinds, "how groups of disks were parted", ReadDiskKindsPart},
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
