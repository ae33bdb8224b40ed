#include "diagnoser/publish/history_report.h"

#include <gmock/gmock.h>

namespace limpet {
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

HistoryReport Month() {
  HistoryReport report{
      .program = "limpet 1", .from = kBegin, .to = kBegin + 720h, .incidents = {}, .answers = {}};
  report.incidents = {Made("1", "io01", -1h, 2h), Made("2", "io02", 1h, 30min),
                      Made("3", "io02", 5h, 3h)};
  report.answers["3"] = {.incident = "3", .kind = AnswerKind::kFixed, .note = "disk", .by = "ann"};
  return report;
}

TEST(HistoryReport, ServersCausesAndAnswers) {
  EXPECT_THAT(HistoryReportHtml(Month()),
              AllOf(HasSubstr("2 servers in 3 incidents."),
                    HasSubstr("<td>io02</td><td class=\"number\">2</td>"
                              "<td class=\"number\">3 h 30 min</td>"),
                    // Of an incident before the span only what lies in it.
                    HasSubstr("<td>io01</td><td class=\"number\">1</td>"
                              "<td class=\"number\">60 min</td>"),
                    HasSubstr("fixed by ann: disk"), Not(HasSubstr("<b>"))));
}

TEST(HistoryReport, NothingIsSaidSo) {
  HistoryReport report{
      .program = "p", .from = kBegin, .to = kBegin + 1h, .incidents = {}, .answers = {}};
  EXPECT_THAT(HistoryReportHtml(report), HasSubstr("No incident is in the history of that time."));
}

TEST(HistoryReport, TheLatestAreListedAllAreCounted) {
  auto report = Month();
  for (std::size_t i = 0; i < HistoryReport::kMaxRows; ++i) {
    report.incidents.push_back(Made("n" + std::to_string(i), "io03", 10h, 1min));
  }
  EXPECT_THAT(HistoryReportHtml(report),
              AllOf(HasSubstr("3 servers in 2003 incidents."),
                    HasSubstr("3 older ones are not listed."), Not(HasSubstr("<td>1</td>"))));
}

}  // namespace
}  // namespace limpet
