#include "diagnoser/publish/event_text.h"

#include <gtest/gtest.h>

namespace limpet {
namespace {

TEST(EventText, AVerdictIsALineWithItsEvidence) {
  const VerdictEvent verdict{
      .end = UnixFromSeconds(1'700'151'392),
      .preset = "default",
      .node = "io04",
      .cause = Cause::kDiskBusy,
      .rank = 1,
      .secondary = true,
      .evidence = {{.component = "io04/sdb", .metric = "await", .mean = 150, .peer_median = 30}}};
  EXPECT_EQ(EventText(verdict),
            "2023-11-16T16:16:32Z default 1. io04: disk-busy (await of io04/sdb 5.00\u00d7 its "
            "peers, +120 ms), secondary\n");
}

TEST(EventText, ASummaryHasItsHourlyList) {
  EXPECT_EQ(EventText(SummaryEvent{.preset = "default",
                                   .windows = 204,
                                   .verdicts = 10,
                                   .hourly = {"20231116.16: 11 io:io04/sdb"}}),
            "preset default: 204 windows, 10 verdicts\n  20231116.16: 11 io:io04/sdb\n");
}

TEST(EventText, WindowsAreForPrograms) { EXPECT_EQ(EventText(WindowEvent{}), ""); }

}  // namespace
}  // namespace limpet
