#include "diagnoser/publish/incident_text.h"

#include <gmock/gmock.h>

#include "tests/diagnoser/publish/incident_events.h"

namespace limpet::incident_text_test {
namespace {

using testing::DiskBusy;
using ::testing::HasSubstr;
using testing::kReportBegin;
using ::testing::StartsWith;

UnixTime At(std::int64_t second) { return kReportBegin + std::chrono::seconds(second); }

TEST(IncidentText, WindowsInARowAreOneLineWithTheWorstOfThem) {
  IncidentText text({DefaultPreset()});
  EXPECT_EQ(text.Add(DiskBusy(64, "io04", 2)), "");
  EXPECT_EQ(text.Add(DiskBusy(96, "io04", 5)), "");
  EXPECT_EQ(text.Add(DiskBusy(128, "io04", 3)), "");
  EXPECT_THAT(
      text.Finish(),
      StartsWith(
          "2023-11-15T00:01:04Z to 00:02:08Z (64 s, named at 00:01:04Z, 3 windows) default io04: "
          "disk-busy (await of io04/sdb 5.00\u00d7 its peers, +40.0 ms); far from 4 "
          "of 4 peers; "));
  EXPECT_EQ(text.Finish(), "");
}

TEST(IncidentText, BeginsInTheDataAndNotWhenItWasNamed) {
  IncidentText text({DefaultPreset()});
  auto verdict = DiskBusy(160, "io04", 2);
  verdict.since = At(41);
  verdict.named = At(160);
  EXPECT_EQ(text.Add(verdict), "");
  EXPECT_THAT(text.Finish(), StartsWith("2023-11-15T00:00:41Z to 00:02:40Z (119 s, named at "
                                        "00:02:40Z, 1 window) default io04: "));
}

TEST(IncidentText, EndsWhenTheFilterWouldHaveForgottenIt) {
  const auto preset = DefaultPreset();
  const auto filter = std::chrono::duration_cast<std::chrono::seconds>(
                          preset.Shift() * (2 * static_cast<Duration::rep>(preset.k) - 1))
                          .count();
  IncidentText text({preset});
  EXPECT_EQ(text.Add(DiskBusy(100, "a", 2)), "");
  const WindowEvent quiet{.end = At(100 + filter), .preset = "default"};
  EXPECT_EQ(text.Add(quiet), "") << "it may still come back";
  EXPECT_EQ(text.Add(DiskBusy(100 + filter, "a", 2)), "");
  const WindowEvent later{.end = At(101 + 2 * filter), .preset = "default"};
  EXPECT_THAT(text.Add(later), HasSubstr(", 2 windows) default a: disk-busy"));
  EXPECT_EQ(text.Add(DiskBusy(101 + 2 * filter, "a", 2)), "");
  EXPECT_THAT(text.Finish(), HasSubstr("Z, 1 window)"));
}

TEST(IncidentText, ServersHaveIncidentsOfTheirOwn) {
  IncidentText text({DefaultPreset()});
  EXPECT_EQ(text.Add(DiskBusy(64, "a", 2)), "");
  EXPECT_EQ(text.Add(DiskBusy(64, "b", 2)), "");
  const auto lines = text.Finish();
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 2);
}

TEST(IncidentText, OverMidnightTheDayIsSaidAgain) {
  IncidentText text({DefaultPreset()});
  EXPECT_EQ(text.Add(DiskBusy(-32, "a", 2)), "");
  EXPECT_EQ(text.Add(DiskBusy(0, "a", 2)), "");
  EXPECT_THAT(text.Finish(), StartsWith("2023-11-14T23:59:28Z to 2023-11-15T00:00:00Z"));
}

TEST(IncidentText, SaysWhenNobodyCouldJudgeItAnyMore) {
  IncidentText text({DefaultPreset()});
  EXPECT_EQ(text.Add(DiskBusy(64, "a", 2)), "");
  EXPECT_EQ(text.Add(UnknownEvent{.end = At(96),
                                  .preset = "default",
                                  .node = "a",
                                  .cause = Cause::kDiskBusy,
                                  .judged = At(64),
                                  .group = "io",
                                  .n = 2}),
            "");
  EXPECT_THAT(text.Finish(), HasSubstr("; then nobody could judge it\n"));
}

TEST(IncidentText, AStormIsALineAndTheSummaryComesLast) {
  IncidentText text({DefaultPreset()});
  StormEvent storm{.end = At(64),
                   .preset = "default",
                   .group = "io",
                   .metric = "await",
                   .n = 20,
                   .flagged = 5,
                   .components = {"a", "b"}};
  EXPECT_EQ(text.Add(storm), "");
  storm.end = At(96);
  EXPECT_EQ(text.Add(storm), "");
  const auto lines = text.Add(SummaryEvent{.preset = "default", .windows = 2, .verdicts = 0});
  EXPECT_THAT(lines, HasSubstr("(32 s, 2 windows) default storm in peer group io"));
  EXPECT_TRUE(lines.ends_with("preset default: 2 windows, 0 verdicts\n")) << lines;
}

}  // namespace
}  // namespace limpet::incident_text_test
