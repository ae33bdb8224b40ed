#include "diagnoser/publish/history_totals.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnoser/publish/api_json.h"
#include "diagnoser/publish/api_seconds.h"
#include "diagnoser/publish/explain.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

// What lasts into the span or out of it counts with the part inside.
Duration TimeWithin(const IncidentRecord& record, const HistorySpan& span) {
  const auto until = std::min(record.ended.value_or(span.to), span.to);
  return std::max(Duration::zero(), Duration(until - std::max(record.since, span.from)));
}

void Count(const IncidentRecord& record, const HistorySpan& span, HistoryTotal& total) {
  ++total.incidents;
  total.time += TimeWithin(record, span);
  total.causes.insert(record.cause);
  if (const auto answer = span.answers.find(record.id); answer != span.answers.end()) {
    const auto kind = answer->second.kind;
    total.right += kind == AnswerKind::kFixed || kind == AnswerKind::kKnown ? 1U : 0U;
    total.wrong += kind == AnswerKind::kFalseAlarm || kind == AnswerKind::kScrub ? 1U : 0U;
  }
}

}  // namespace

HistoryTotals TotalsOf(const HistorySpan& span) {
  HistoryTotals totals;
  std::map<std::string, HistoryTotal> servers;
  for (const auto& one : span.incidents) {
    if (one.indicted) {
      ++totals.incidents;
      Count(one, span, servers[one.node]);
      Count(one, span, totals.causes[one.cause]);
    }
  }
  totals.servers.assign(servers.begin(), servers.end());
  std::ranges::stable_sort(totals.servers, std::ranges::greater(),
                           [](const auto& row) { return row.second.time; });
  return totals;
}

std::string CausesText(const HistoryTotal& total) {
  return fmt::format("{}", fmt::join(total.causes, ", "));
}

std::string AnswerText(const HistorySpan& span, const IncidentRecord& record) {
  const auto found = span.answers.find(record.id);
  if (found == span.answers.end()) {
    return "";
  }
  const auto& answer = found->second;
  return std::string(Name(answer.kind)) + (answer.by.empty() ? "" : " by " + answer.by) +
         (answer.note.empty() ? "" : ": " + answer.note);
}

// Names come from other machines and go to a terminal: Printable drops escape sequences.
std::string TopOfHistory(const HistorySpan& span, std::size_t limit) {
  const auto totals = TotalsOf(span);
  auto text =
      fmt::format("{} to {}: {} server{} in {} incident{}\n", IsoTime(span.from), IsoTime(span.to),
                  totals.servers.size(), totals.servers.size() == 1 ? "" : "s", totals.incidents,
                  totals.incidents == 1 ? "" : "s");
  if (totals.servers.empty()) {
    return text;
  }
  std::size_t width = 6;
  const auto shown = std::min(limit, totals.servers.size());
  for (std::size_t i = 0; i < shown; ++i) {
    width = std::max(width, Printable(totals.servers[i].first).size());
  }
  text += fmt::format("{:<{}}  {:>9}  {:>12}  CAUSES\n", "SERVER", width, "INCIDENTS", "TIME");
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [node, total] = totals.servers[i];
    text += fmt::format("{:<{}}  {:>9}  {:>12}  {}\n", Printable(node), width, total.incidents,
                        ForPeople(total.time), CausesText(total));
  }
  return text;
}

std::string TopOfHistoryJson(const HistorySpan& span, std::size_t limit) {
  const auto totals = TotalsOf(span);
  auto servers = ApiJson::array();
  for (std::size_t i = 0; i < std::min(limit, totals.servers.size()); ++i) {
    const auto& [node, total] = totals.servers[i];
    servers.push_back({{"node", node},
                       {"incidents", total.incidents},
                       {"seconds", ToSeconds(total.time)},
                       {"causes", total.causes}});
  }
  return PrintApiJson({{"from", ApiSeconds(span.from)},
                       {"to", ApiSeconds(span.to)},
                       {"incidents", totals.incidents},
                       {"servers", std::move(servers)}}) +
         "\n";
}

std::string ExplainHistory(const HistorySpan& span, const std::string& node) {
  std::string text;
  for (const auto& one : span.incidents) {
    if (one.node != node) {
      continue;
    }
    const auto answer = AnswerText(span, one);
    text += fmt::format(
        "{} to {}: {}; {}{}; incident {}\n", IsoTime(one.since),
        one.ended ? fmt::format("{} ({})", IsoTime(*one.ended), ForPeople(*one.ended - one.since))
                  : "now",
        Printable(one.text), one.ended ? "ended: " + Printable(one.ending) : "goes on",
        answer.empty() ? "" : "; answered " + Printable(answer), one.id);
  }
  return text;
}

}  // namespace limpet
