#include "diagnoser/publish/report.h"

#include <gmock/gmock.h>

#include "diagnoser/publish/report_collector.h"
#include "tests/diagnoser/publish/incident_events.h"

namespace limpet::report_test {
namespace {

using ::testing::AllOf;
using testing::AwaitWindow;
using testing::DiskBusy;
using ::testing::HasSubstr;
using testing::kReportBegin;
using ::testing::Not;
using namespace std::chrono_literals;

ReportData OfOneDisk() {
  ReportCollector collector({DefaultPreset()});
  for (int i = 1; i < 9; ++i) {
    collector.Add({AwaitWindow(32 * i, 10, i > 2 ? 50 : 10)});
    if (i > 2) {
      collector.Add({DiskBusy(32 * i, "io04", 5)});
    }
  }
  ReportData data{.program = "limpet-diagnoser 1",
                  .inputs = {"a.om"},
                  .first = kReportBegin,
                  .last = kReportBegin + 300s,
                  .incidents = {},
                  .group_events = {},
                  .windows = {},
                  .hourly = {},
                  .view = {},
                  .quality = {.samples = 1234, .cut = {"cut.om"}, .warnings = {}}};
  data.view.groups.push_back(
      {.preset = "default", .group = "disks", .window_end = kReportBegin, .taking_part = 3});
  data.view.components.push_back({.preset = "default",
                                  .group = "disks",
                                  .node = "io04",
                                  .device = "sdb",
                                  .metric = "await",
                                  .accumulator = 6});
  data.view.counters.gaps = 17;
  collector.Finish(data);
  return data;
}

TEST(Report, SaysWhoLimpedWhenAndWhatShowsIt) {
  const auto html = ReportHtml(OfOneDisk());
  EXPECT_THAT(
      html,
      AllOf(HasSubstr("1 server was named in 1 incident. The longest: disk sdb of io04, disk-busy"),
            HasSubstr("<h3>disk sdb of io04 <span class=\"cause storage\">disk-busy</span></h3>"),
            HasSubstr("What decides: "), HasSubstr("await of io04/sdb 5.00\u00d7 its peers"),
            HasSubstr("Next: ")));
}

TEST(Report, SaysWhatLastsWhoWasComparedAndHowGoodTheDataWere) {
  const auto html = ReportHtml(OfOneDisk());
  EXPECT_THAT(
      html,
      AllOf(HasSubstr("<td>time per request</td><td>disk sdb of io04</td><td>disks</td><td "
                      "class=\"number\">6</td>"),
            HasSubstr("<td>disks</td><td>default</td><td class=\"number\">3</td>"),
            HasSubstr("<td>Gaps</td><td class=\"number\">17</td>"), HasSubstr("<li>cut.om</li>"),
            HasSubstr("<li>a.om</li>"),
            HasSubstr("<td>disk sdb of io04</td><td>disk-busy</td><td class=\"number\">1</td><td "
                      "class=\"number\">2 min</td>")));
}

TEST(Report, NamesTheLunWhereItIsKnown) {
  auto data = OfOneDisk();
  data.wwns = {{"io04/sdb", "naa.600a"}, {"io01/sdb", "naa.600b"}};
  const auto html = ReportHtml(data);
  EXPECT_THAT(html, AllOf(HasSubstr("<h3>disk sdb of io04, LUN naa.600a <span"),
                          HasSubstr("<td>disk sdb of io04, LUN naa.600a</td><td>disk-busy"),
                          Not(HasSubstr("naa.600b"))));
}

TEST(Report, ShowsWhoseClockIsWrong) {
  auto data = OfOneDisk();
  data.quality.clock_skew = {{"io01", 0ms}, {"io02", 499ms}};
  EXPECT_THAT(ReportHtml(data), HasSubstr("Clocks of 2 servers: none is off by 0.5 s or more."));
  data.quality.clock_skew["io03"] = 700ms;
  data.quality.clock_skew["io04"] = -7200ms;
  const auto html = ReportHtml(data);
  EXPECT_THAT(html, AllOf(HasSubstr("2 of 4 servers whose clocks"),
                          HasSubstr("<td>io04</td><td class=\"number\">7.2 s behind</td></tr>\n"
                                    "<tr><td>io03</td><td class=\"number\">0.7 s ahead</td>"),
                          Not(HasSubstr("<td>io02</td>"))));
  EXPECT_THAT(ReportHtml(OfOneDisk()), Not(HasSubstr("clocks")));
}

TEST(Report, SaysWhichFilesHeldLateReadings) {
  auto data = OfOneDisk();
  data.quality.late_files = {{"io03/20260131T000005Z.om.zst", 1}, {"b.om", 24}};
  EXPECT_THAT(ReportHtml(data),
              AllOf(HasSubstr("<li>b.om: 24 readings</li>"),
                    HasSubstr("<li>io03/20260131T000005Z.om.zst: 1 reading</li>")));
}

TEST(Report, NeedsNothingElse) {
  const auto html = ReportHtml(OfOneDisk());
  for (const auto* word : {"<script", "src=", "href=", "url(", "@import", "http://", "https://"}) {
    EXPECT_THAT(html, Not(HasSubstr(word)));
  }
}

TEST(Report, EscapesWhatCameWithTheData) {
  auto data = OfOneDisk();
  const std::string name = "<img src=x onerror=alert(1)>";
  data.inputs = {name};
  data.quality.warnings = {name};
  data.quality.late_files = {{name, 1}};
  data.quality.clock_skew = {{name, 9s}};
  data.group_events = {name};
  data.hourly["p"] = {name};
  data.view.groups[0].group = name;
  data.view.components[0].device = name;
  for (auto& incident : data.incidents) {
    incident.worst.node = name;
    incident.worst.preset = name;
    incident.worst.evidence[0].component = name;
    incident.worst.luns[name] = LunKind::kComponent;
    incident.worst.facts.push_back({.text = name, .next = name});
  }
  EXPECT_THAT(ReportHtml(data), AllOf(Not(HasSubstr("<img")), HasSubstr("&lt;img src=x")));
}

TEST(Report, SaysThatNobodyLimped) {
  ReportData data;
  EXPECT_THAT(ReportHtml(data),
              AllOf(HasSubstr("No server that was compared differed from its peers"),
                    HasSubstr("no readings"), Not(HasSubstr("<svg"))));
}

}  // namespace
}  // namespace limpet::report_test
