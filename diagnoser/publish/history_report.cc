#include "diagnoser/publish/history_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "diagnoser/publish/explain.h"
#include "diagnoser/publish/report_parts.h"

namespace limpet {
namespace {

using namespace report;

constexpr std::size_t kMaxServers = 50;

// What lasts into the span or out of it counts with the part inside.
Duration TimeWithin(const IncidentRecord& record, const HistoryReport& report) {
  const auto until = std::min(record.ended.value_or(report.to), report.to);
  return std::max(Duration::zero(), Duration(until - std::max(record.since, report.from)));
}

struct Total {
  std::size_t incidents = 0;
  Duration time{};
  std::set<std::string> causes;
  std::size_t right = 0;  // by people's answers
  std::size_t wrong = 0;
};

void Count(const IncidentRecord& record, const HistoryReport& report, Total& total) {
  ++total.incidents;
  total.time += TimeWithin(record, report);
  total.causes.insert(record.cause);
  if (const auto answer = report.answers.find(record.id); answer != report.answers.end()) {
    const auto kind = answer->second.kind;
    total.right += kind == AnswerKind::kFixed || kind == AnswerKind::kKnown ? 1U : 0U;
    total.wrong += kind == AnswerKind::kFalseAlarm || kind == AnswerKind::kScrub ? 1U : 0U;
  }
}

std::string Joined(const std::set<std::string>& words) {
  std::string text;
  for (const auto& word : words) {
    text += (text.empty() ? "" : ", ") + word;
  }
  return text;
}

std::string Servers(const std::map<std::string, Total>& servers) {
  using Row = std::pair<std::string, Total>;
  std::vector<Row> rows(servers.begin(), servers.end());
  std::ranges::stable_sort(rows, std::ranges::greater(),
                           [](const Row& row) { return row.second.time; });
  Table table({"Server", "Incidents#", "Time in them#", "Causes"});
  for (std::size_t i = 0; i < std::min(rows.size(), kMaxServers); ++i) {
    const auto& [node, total] = rows[i];
    table.Row({node, std::to_string(total.incidents), ForPeople(total.time), Joined(total.causes)});
  }
  return Section("servers", "Servers, the longest time first",
                 table.Finish() + (rows.size() <= kMaxServers
                                       ? ""
                                       : Paragraph(Counted(rows.size() - kMaxServers, "more server",
                                                           "more servers") +
                                                   " with shorter ones.")));
}

std::string Causes(const std::map<std::string, Total>& causes) {
  Table table({"Cause", "Incidents#", "Time in them#", "Answered: a fault#", "Answered: none#"});
  for (const auto& [cause, total] : causes) {
    table.Row({cause, std::to_string(total.incidents), ForPeople(total.time),
               std::to_string(total.right), std::to_string(total.wrong)});
  }
  return Section("causes", "Causes", table.Finish());
}

std::string AnswerText(const IncidentAnswer& answer) {
  return std::string(Name(answer.kind)) + (answer.by.empty() ? "" : " by " + answer.by) +
         (answer.note.empty() ? "" : ": " + answer.note);
}

std::string Incidents(const HistoryReport& report) {
  const auto& all = report.incidents;
  const auto first = all.size() - std::min(all.size(), HistoryReport::kMaxRows);
  Table table({"Began", "Lasted#", "What", "Ending", "Answer", "Id"});
  for (std::size_t i = first; i < all.size(); ++i) {
    const auto& one = all[i];
    const auto answer = report.answers.find(one.id);
    table.Row(
        {IsoTime(one.since), one.ended ? ForPeople(*one.ended - one.since) : std::string("goes on"),
         one.text, one.ending,
         answer == report.answers.end() ? std::string() : AnswerText(answer->second), one.id});
  }
  return Section(
      "incidents", "Incidents",
      (first == 0 ? "" : Paragraph(fmt::format("{} older ones are not listed.", first))) +
          table.Finish());
}

}  // namespace

// Servers that a worse one explained were named to nobody.
std::string HistoryReportHtml(const HistoryReport& report) {
  std::map<std::string, Total> servers;
  std::map<std::string, Total> causes;
  std::size_t indicted = 0;
  for (const auto& one : report.incidents) {
    if (one.indicted) {
      ++indicted;
      Count(one, report, servers[one.node]);
      Count(one, report, causes[one.cause]);
    }
  }
  auto body = "<h1>What limped</h1>\n" + Paragraph(Span(report.from, report.to), "muted");
  body += indicted == 0 ? Paragraph("No incident is in the history of that time.", "lead")
                        : Paragraph(Counted(servers.size(), "server", "servers") + " in " +
                                        Counted(indicted, "incident", "incidents") + ".",
                                    "lead") +
                              Servers(servers) + Causes(causes);
  body += report.incidents.empty() ? "" : Incidents(report);
  return HtmlPage("What limped from " + IsoTime(report.from), body, report.program);
}

}  // namespace limpet
