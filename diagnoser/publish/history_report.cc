#include "diagnoser/publish/history_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnoser/publish/explain.h"
#include "diagnoser/publish/report_parts.h"

namespace limpet {
namespace {

using namespace report;

constexpr std::size_t kMaxServers = 50;

std::string Servers(const HistoryTotals& totals) {
  const auto& rows = totals.servers;
  Table table({"Server", "Incidents#", "Time in them#", "Causes"});
  for (std::size_t i = 0; i < std::min(rows.size(), kMaxServers); ++i) {
    const auto& [node, total] = rows[i];
    table.Row({node, std::to_string(total.incidents), ForPeople(total.time), CausesText(total)});
  }
  return Section("servers", "Servers, the longest time first",
                 table.Finish() + (rows.size() <= kMaxServers
                                       ? ""
                                       : Paragraph(CountText(rows.size() - kMaxServers,
                                                             "more server", "more servers") +
                                                   " with shorter ones.")));
}

std::string Causes(const HistoryTotals& totals) {
  Table table({"Cause", "Incidents#", "Time in them#", "Answered: a fault#", "Answered: none#"});
  for (const auto& [cause, total] : totals.causes) {
    table.Row({cause, std::to_string(total.incidents), ForPeople(total.time),
               std::to_string(total.right), std::to_string(total.wrong)});
  }
  return Section("causes", "Causes", table.Finish());
}

std::string Precision(const HistorySpan& span) {
  Table table({"Cause", "Metric", "Faults#", "Of so many answered#", "Right#"});
  for (const auto& row : span.precision) {
    table.Row({row.cause, row.metric.empty() ? "all" : row.metric, std::to_string(row.right),
               std::to_string(row.right + row.wrong), fmt::format("{:.0f} %", 100 * row.Value())});
  }
  return Section("precision", "How often verdicts were right, by the answers of 90 days",
                 span.precision.empty() ? Paragraph("Nobody has answered an incident.", "muted")
                                        : table.Finish());
}

std::string Incidents(const HistorySpan& span) {
  const auto& all = span.incidents;
  const auto first = all.size() - std::min(all.size(), kMaxReportRows);
  Table table({"Began", "Lasted#", "What", "Ending", "Answer", "Id"});
  for (std::size_t i = first; i < all.size(); ++i) {
    const auto& one = all[i];
    table.Row({IsoTime(one.since),
               one.ended ? ForPeople(*one.ended - one.since) : std::string("goes on"), one.text,
               one.ending, AnswerText(span, one), one.id});
  }
  return Section(
      "incidents", "Incidents",
      (first == 0 ? "" : Paragraph(fmt::format("{} older ones are not listed.", first))) +
          table.Finish());
}

}  // namespace

std::string HistoryReportHtml(const HistorySpan& span, std::string_view program) {
  const auto totals = TotalsOf(span);
  auto body = "<h1>What limped</h1>\n" + Paragraph(Span(span.from, span.to), "muted");
  body += totals.incidents == 0
              ? Paragraph("No incident is in the history of that time.", "lead")
              : Paragraph(CountText(totals.servers.size(), "server", "servers") + " in " +
                              CountText(totals.incidents, "incident", "incidents") + ".",
                          "lead") +
                    Servers(totals) + Causes(totals);
  body += span.incidents.empty() ? "" : Precision(span) + Incidents(span);
  return HtmlPage("What limped from " + IsoTime(span.from), body, program);
}

}  // namespace limpet
