#include "diagnoser/state/verdict_parts.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "diagnoser/state/admission.h"
#include "diagnoser/state/tails.h"

namespace limpet {
namespace {

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

}  // namespace

bool ReadEpisodes(ByteReader in, PipelineState& to) {
  const auto components = ByKey(to.components);
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

bool ReadOnsets(ByteReader in, PipelineState& to) {
  const auto components = ByKey(to.components);
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

bool ReadFirstSeen(ByteReader in, const PipelineLimits& limits, PipelineState& to) {
  const auto count = in.Count();
  std::map<std::string, UnixTime, std::less<>> seen;
  Admission admission(limits);
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
  seen.merge(to.first_seen);
  to.first_seen = std::move(seen);
  return true;
}

bool ReadIncidents(ByteReader in, const PipelineLimits& limits, PipelineState& to) {
  const auto count = in.Count();
  std::vector<OpenIncident> incidents;
  Admission admission(limits);
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
  std::move(incidents.begin(), incidents.end(), std::back_inserter(to.incidents));
  return true;
}

bool ReadBeginnings(ByteReader in, const PipelineLimits& limits, PipelineState& to) {
  const auto count = in.Count();
  std::vector<Beginning> beginnings;
  Admission admission(limits);
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
  std::move(beginnings.begin(), beginnings.end(), std::back_inserter(to.beginnings));
  return true;
}

}  // namespace limpet
