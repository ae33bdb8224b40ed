#include "diagnoser/publish/event_text.h"

#include <gtest/gtest.h>

namespace limpet::event_text_test {
namespace {

TEST(EventText, AVerdictIsALineWithItsEvidence) {
  const VerdictEvent verdict{.end = UnixFromSeconds(1'700'151'392),
                             .preset = "default",
                             .node = "io04",
                             .cause = Cause::kDiskBusy,
                             .rank = 1,
                             .secondary = true,
                             .evidence = {{.component = "io04/sdb",
                                           .metric = "await",
                                           .threshold = 1,
                                           .mean = 150,
                                           .peer_median = 30,
                                           .peers = 4,
                                           .far = 4,
                                           .windows = {UnixFromSeconds(1)},
                                           .accumulator = 11,
                                           .episodes = 2}}};
  EXPECT_EQ(EventText(verdict),
            "2023-11-16T16:16:32Z default 1. io04: disk-busy (await of io04/sdb 5.00\u00d7 its "
            "peers, +120 ms), secondary\n"
            "    await of io04/sdb: far from 4 of 4 peers; default threshold 1.00, exceeded in 1 "
            "windows; 2 times in the last day, accumulator 11\n");
}

TEST(EventText, AStormIsALine) {
  EXPECT_EQ(EventText(StormEvent{.end = UnixFromSeconds(1'700'151'392),
                                 .preset = "default",
                                 .group = "io",
                                 .metric = "await",
                                 .n = 20,
                                 .flagged = 5,
                                 .components = {"a", "b"}}),
            "2023-11-16T16:16:32Z default storm in peer group io: await of 5 of 20 components "
            "flagged at once (a, b, \u2026); look for a common cause first\n");
}

TEST(EventText, TheBimodalityCheckSaysWhoIsWhatAndWhichLabelTells) {
  BimodalityEvent found{
      .end = UnixFromSeconds(1'700'151'392),
      .preset = "default",
      .group = "io",
      .metric = "await",
      .low = {.n = 3, .median = 0.5, .components = {"a", "b", "c"}, .values = {"0"}},
      .high = {.n = 4, .median = 8, .components = {"d", "e"}, .values = {"1"}},
      .label = "rotational"};
  EXPECT_EQ(
      EventText(found),
      "2023-11-16T16:16:32Z default peer group io is two kinds by await: 3 around 0.50 ms (a, "
      "b, c) and 4 around 8.00 ms (d, e, \u2026): these are not peers; rotational tells them "
      "apart (\"0\" against \"1\"): make a group of each\n");
  found.label.clear();
  EXPECT_TRUE(EventText(found).ends_with("no label that is known tells them apart\n"));
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
}  // namespace limpet::event_text_test
