#include "diagnoser/publish/report_collector.h"

#include <gmock/gmock.h>

#include "tests/diagnoser/publish/incident_events.h"

namespace limpet::report_collector_test {
namespace {

using testing::AwaitWindow;
using testing::DiskBusy;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kReportBegin;

TEST(ReportCollector, KeepsWhatAReportShows) {
  ReportCollector collector({DefaultPreset()});
  const StormEvent storm{.end = kReportBegin,
                         .preset = "default",
                         .group = "disks",
                         .metric = "await",
                         .n = 9,
                         .flagged = 5};
  collector.Add({AwaitWindow(32, 10, 50), DiskBusy(32, "io04", 5), storm});
  collector.Add({AwaitWindow(64, 10, 60), DiskBusy(64, "io04", 6), storm});
  collector.Add({SummaryEvent{.preset = "default", .hourly = {"20231115.00: 2 disks:io04/sdb"}}});
  ReportData data;
  collector.Finish(data);
  ASSERT_EQ(data.incidents.size(), 1U);
  EXPECT_EQ(data.incidents[0].windows, 2U);
  const auto windows = data.windows.find({"default", "disks", "await"});
  ASSERT_NE(windows, data.windows.end());
  EXPECT_EQ(windows->second.size(), 2U);
  EXPECT_THAT(data.group_events, ElementsAre(HasSubstr("storm in peer group disks")));
  EXPECT_THAT(data.hourly.at("default"), ElementsAre("20231115.00: 2 disks:io04/sdb"));
}

}  // namespace
}  // namespace limpet::report_collector_test
