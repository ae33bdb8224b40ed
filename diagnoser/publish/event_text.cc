#include "diagnoser/publish/event_text.h"

#include <fmt/format.h>

#include "diagnoser/metrics/catalog.h"
#include "diagnoser/publish/explain.h"

namespace limpet {
namespace {

std::string Text(const VerdictEvent& verdict) {
  auto text = fmt::format("{} {} {}. {}{}\n", IsoTime(verdict.end), verdict.preset, verdict.rank,
                          Explain(verdict), verdict.secondary ? ", secondary" : "");
  for (const auto& evidence : verdict.evidence) {
    text += "    " + std::string(MetricLabel(evidence.metric)) + " of " + evidence.component +
            ": " + Background(evidence) + "\n";
  }
  for (const auto& fact : verdict.facts) {
    text += "    " + Explain(fact) + ". " + fact.next + "\n";
  }
  return text;
}

template <class OfGroup>
std::string TextOfGroup(const OfGroup& event) {
  return fmt::format("{} {} {}\n", IsoTime(event.end), event.preset, Explain(event));
}

std::string Text(const SummaryEvent& summary) {
  auto text = fmt::format("preset {}: {} windows, {} verdicts\n", summary.preset, summary.windows,
                          summary.verdicts);
  for (const auto& row : summary.hourly) {
    text += "  " + row + "\n";
  }
  return text;
}

}  // namespace

std::string EventText(const Event& event) {
  // Windows and congestion windows come by the thousand; people read what was made of them.
  if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
    return Text(*verdict);
  }
  if (const auto* storm = std::get_if<StormEvent>(&event)) {
    return TextOfGroup(*storm);
  }
  if (const auto* unknown = std::get_if<UnknownEvent>(&event)) {
    return TextOfGroup(*unknown);
  }
  if (const auto* found = std::get_if<BimodalityEvent>(&event)) {
    return TextOfGroup(*found);
  }
  if (const auto* summary = std::get_if<SummaryEvent>(&event)) {
    return Text(*summary);
  }
  return {};
}

}  // namespace limpet
