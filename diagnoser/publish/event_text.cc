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
  return fmt::format("{} {} {}. {}{}\n", Iso(verdict.end), verdict.preset, verdict.rank,
                     Explain(verdict), verdict.secondary ? ", secondary" : "");
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
  if (const auto* summary = std::get_if<SummaryEvent>(&event)) {
    return Text(*summary);
  }
  return {};
}

}  // namespace limpet
