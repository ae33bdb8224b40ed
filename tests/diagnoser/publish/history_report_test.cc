#include "diagnoser/publish/history_report.h"

#include <gmock/gmock.h>

namespace limpet::history_report_test {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto kBegin = UnixTime(1'796'000'000s);

IncidentRecord Made(const std::string& id, const std::string& node, Duration after, Duration took) {
  IncidentRecord record{.id = id, .node = node, .family = "storage", .cause = "disk-busy"};
  record.since = kBegin + after;
  record.ended = record.since + took;
  record.ending = "like its peers";
  record.indicted = true;
  record.text = node + ": <b>await</b> 6x";
  return record;
}

HistorySpan Month() {
  HistorySpan report{
      .from = kBegin, .to = kBegin + 720h, .incidents = {}, .answers = {}, .precision = {}};
  report.incidents = {Made("1", "io01", -1h, 2h), Made("2", "io02", 1h, 30min),
                      Made("3", "io02", 5h, 3h)};
  report.answers["3"] = {.incident = "3", .kind = AnswerKind::kFixed, .note = "disk", .by = "ann"};
  return report;
}

TEST(HistoryReport, ServersCausesAndAnswers) {
  EXPECT_THAT(HistoryReportHtml(Month(), "limpet 1"),
              AllOf(HasSubstr("2 servers in 3 incidents."),
                    HasSubstr("<td>io02</td><td class=\"number\">2</td>"
                              "<td class=\"number\">3 h 30 min</td>"),
                    // Of an incident before the span only what lies in it.
                    HasSubstr("<td>io01</td><td class=\"number\">1</td>"
                              "<td class=\"number\">60 min</td>"),
                    HasSubstr("fixed by ann: disk"), Not(HasSubstr("<b>"))));
}

TEST(HistoryReport, HowOftenVerdictsWereRight) {
  auto month = Month();
  EXPECT_THAT(HistoryReportHtml(month, "p"), HasSubstr("Nobody has answered an incident."));
  month.precision = {{.cause = "disk-busy", .metric = "", .right = 11, .wrong = 1},
                     {.cause = "disk-busy", .metric = "await", .right = 11, .wrong = 0}};
  EXPECT_THAT(HistoryReportHtml(month, "p"),
              AllOf(HasSubstr("<td>disk-busy</td><td>all</td><td class=\"number\">11</td>"
                              "<td class=\"number\">12</td><td class=\"number\">92 %</td>"),
                    HasSubstr("<td>await</td>"), HasSubstr("<td class=\"number\">100 %</td>")));
}

TEST(HistoryReport, NothingIsSaidSo) {
  const HistorySpan report{
      .from = kBegin, .to = kBegin + 1h, .incidents = {}, .answers = {}, .precision = {}};
  EXPECT_THAT(HistoryReportHtml(report, "limpet 1"),
              HasSubstr("No incident is in the history of that time."));
}

TEST(HistoryReport, TheLatestAreListedAllAreCounted) {
  auto report = Month();
  for (std::size_t i = 0; i < kMaxReportRows; ++i) {
    report.incidents.push_back(Made("n" + std::to_string(i), "io03", 10h, 1min));
  }
  EXPECT_THAT(HistoryReportHtml(report, "limpet 1"),
              AllOf(HasSubstr("3 servers in 2003 incidents."),
                    HasSubstr("3 older ones are not listed."), Not(HasSubstr("<td>1</td>"))));
}

}  // namespace
}  // namespace limpet::history_report_test
