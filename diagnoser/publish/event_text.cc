#include "diagnoser/publish/event_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>

#include "diagnoser/publish/explain.h"

namespace limpet {
namespace {

std::string Iso(UnixTime at) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
  return fmt::format("{:%FT%TZ}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

std::string Text(const VerdictEvent& verdict) {
  auto text = fmt::format("{} {} {}. {}{}\n", Iso(verdict.end), verdict.preset, verdict.rank,
                          Explain(verdict), verdict.secondary ? ", secondary" : "");
  for (const auto& evidence : verdict.evidence) {
    text +=
        "    " + evidence.metric + " of " + evidence.component + ": " + Background(evidence) + "\n";
  }
  return text;
}

template <class OfGroup>
std::string TextOfGroup(const OfGroup& event) {
  return fmt::format("{} {} {}\n", Iso(event.end), event.preset, Explain(event));
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
  if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
    return Text(*verdict);
  }
  if (const auto* storm = std::get_if<StormEvent>(&event)) {
    return TextOfGroup(*storm);
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
