#include "diagnoser/publish/incident_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "diagnoser/publish/event_text.h"
#include "diagnoser/publish/explain.h"
#include "diagnoser/publish/incidents.h"

namespace limpet {
namespace {

// When an event ends a window; nullopt: it tells nothing of the time.
std::optional<UnixTime> FindEnd(const Event& event) {
  return std::visit(
      [](const auto& one) -> std::optional<UnixTime> {
        if constexpr (requires { one.end; }) {
          return one.end;
        } else {
          return std::nullopt;
        }
      },
      event);
}

double LargestDegree(const VerdictEvent& verdict) {
  double largest = 0;
  for (const auto& evidence : verdict.evidence) {
    largest = std::max(largest, evidence.degree);
  }
  return largest;
}

// The reason of the verdict alone: all that stands behind it is in the events.
std::string Describe(const VerdictEvent& verdict) {
  auto text = Explain(verdict);
  if (!verdict.evidence.empty()) {
    text += "; " + Background(verdict.evidence.front());
  }
  return text + (verdict.secondary ? ", secondary" : "");
}

// The day only where it is another one than that of `begin`.
std::string Later(UnixTime begin, UnixTime at) {
  const auto from = IsoTime(begin);
  const auto to = IsoTime(at);
  const auto day = from.find('T') + 1;
  return to.starts_with(from.substr(0, day)) ? to.substr(day) : to;
}

}  // namespace

IncidentText::IncidentText(const std::vector<PresetSettings>& presets)
    : silences_(FilterLengths(presets)) {}

Duration IncidentText::Silence(const std::string& preset) const {
  const auto found = silences_.find(preset);
  return found == silences_.end() ? Duration::zero() : found->second;
}

void IncidentText::See(const Seen& seen, const std::string& text) {
  auto& incident = open_[seen.key];
  if (incident.windows == 0) {
    incident.begin = seen.since.value_or(seen.end);
    incident.named = seen.named;
    incident.preset = seen.preset;
  }
  incident.windows += incident.windows == 0 || seen.end != incident.last ? 1U : 0U;
  incident.last = seen.end;
  incident.unknown = false;
  if (incident.text.empty() || seen.degree > incident.degree) {
    incident.degree = seen.degree;
    incident.text = text;
  }
}

std::string IncidentText::End(UnixTime now) {
  std::vector<Incident> ended;
  for (auto it = open_.begin(); it != open_.end();) {
    if (now - it->second.last > Silence(it->second.preset)) {
      ended.push_back(std::move(it->second));
      it = open_.erase(it);
    } else {
      ++it;
    }
  }
  std::ranges::stable_sort(ended, {},
                           [](const Incident& one) { return std::pair(one.last, one.begin); });
  std::string lines;
  for (const auto& one : ended) {
    lines += fmt::format("{} to {} ({}{}, {} {}) {} {}{}\n", IsoTime(one.begin),
                         Later(one.begin, one.last), ForPeople(one.last - one.begin),
                         one.named ? ", named at " + Later(one.begin, *one.named) : "", one.windows,
                         one.windows == 1 ? "window" : "windows", one.preset, one.text,
                         one.unknown ? "; then nobody could judge it" : "");
  }
  return lines;
}

std::string IncidentText::Add(const Event& event) {
  std::string lines;
  if (const auto end = FindEnd(event)) {
    lines = End(*end);
  }
  if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
    See({.key = fmt::format("v/{}/{}/{}", verdict->preset, verdict->node, Name(verdict->cause)),
         .preset = verdict->preset,
         .end = verdict->end,
         .degree = LargestDegree(*verdict),
         .since = verdict->Since(),
         .named = verdict->Named()},
        Describe(*verdict));
  } else if (const auto* storm = std::get_if<StormEvent>(&event)) {
    See({.key = fmt::format("s/{}/{}/{}", storm->preset, storm->group, storm->metric),
         .preset = storm->preset,
         .end = storm->end,
         .degree = static_cast<double>(storm->flagged)},
        Explain(*storm));
  } else if (const auto* unknown = std::get_if<UnknownEvent>(&event)) {
    const auto open =
        open_.find(fmt::format("v/{}/{}/{}", unknown->preset, unknown->node, Name(unknown->cause)));
    if (open != open_.end()) {
      open->second.unknown = true;
    }
  } else if (std::holds_alternative<SummaryEvent>(event)) {
    lines += Finish() + EventText(event);
  } else {
    lines += EventText(event);
  }
  return lines;
}

std::string IncidentText::Finish() { return End(UnixTime::max()); }

}  // namespace limpet
