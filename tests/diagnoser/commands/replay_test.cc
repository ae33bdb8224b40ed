#include "diagnoser/commands/replay.h"

#include <string>

#include "tests/diagnoser/commands/run_program.h"
#include "tests/support/empty_store.h"
#include "tests/support/temp_folder.h"

namespace limpet::replay_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RunWith;
using ::testing::StartsWith;

class ReplayCommandTest : public ::testing::Test {
 protected:
  testing::TempFolder folder_;
  std::string config_ = folder_.Write("d.yml", testing::kQuickConfig);
  std::string recording_ = folder_.Write("all.om", testing::DiskRecording(40, 'c'));
};

TEST_F(ReplayCommandTest, PrintsOneJsonObjectAnEventTheSummaryLast) {
  const auto outcome = RunWith({"replay", "--config", config_, recording_});
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, StartsWith("{\"type\":\"window\","));
  EXPECT_THAT(outcome.out, HasSubstr("\"node\":\"c\",\"cause\":\"disk-busy\""));
  const auto last = outcome.out.rfind('\n', outcome.out.size() - 2) + 1;
  EXPECT_THAT(outcome.out.substr(last), StartsWith("{\"type\":\"summary\","));
}

TEST_F(ReplayCommandTest, WritesTheSameToAFile) {
  const auto printed = RunWith({"replay", "--config", config_, recording_});
  const auto outcome =
      RunWith({"replay", "--config", config_, "--output", folder_.Path("events"), recording_});
  EXPECT_EQ(outcome.code, kExitOk);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(folder_.Read("events"), printed.out);
}

TEST_F(ReplayCommandTest, WhereNothingWasComparedItFailsAndSaysWhy) {
  const auto told = [&](const std::string& presets, const std::string& recording) {
    const auto config = folder_.Write("n.yml", presets + testing::kQuickGroups);
    const auto outcome = RunWith({"replay", "--config", config, folder_.Write("n.om", recording)});
    EXPECT_EQ(outcome.code, kExitFailed) << outcome.out;
    return outcome.err;
  };
  EXPECT_THAT(told("presets: [{base: bare, name: long}]\n", testing::DiskRecording(40)),
              HasSubstr("nothing was compared: no server is judged: first verdict possible at "));
  EXPECT_THAT(told(testing::kQuickPresets + std::string("masked: [a, b, c, d]\n"),
                   testing::DiskRecording(40)),
              HasSubstr("no server is judged: masked"));
  // A second in sixty: no gap that the preset bridges.
  EXPECT_THAT(told(testing::kQuickPresets, testing::DiskRecording(40, '\0', 60)),
              HasSubstr("no server is judged: step 60 s: preset quick wants readings at most 5 s"));
}

// The servers are two of four: with the clients for peers they would be compared, and named.
TEST_F(ReplayCommandTest, WithoutGroupsOrTargetsTheRoleOnTheLinesCounts) {
  auto text = testing::DiskRecording(40, 'c');
  for (const char node : {'c', 'd'}) {
    const auto of = std::string("instance=\"") + node + "\",role=\"";
    for (auto at = text.find(of); at != std::string::npos; at = text.find(of, at + 1)) {
      text.replace(at + of.size(), 6, "client");
    }
  }
  const auto config =
      folder_.Write("q.yml", "presets: [{base: bare, name: quick, window: 8, shift: 4, k: 1}]\n");
  const auto outcome = RunWith({"replay", "--config", config, folder_.Write("roles.om", text)});
  EXPECT_EQ(outcome.code, kExitFailed);
  EXPECT_THAT(outcome.err, HasSubstr("nothing was compared: no server is judged: fewer than three "
                                     "servers of peer group disks can be compared"));
  EXPECT_THAT(outcome.out, HasSubstr("\"group\":\"disks\""));
  EXPECT_THAT(outcome.out, HasSubstr("a/sda"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("c/sda")));
}

TEST_F(ReplayCommandTest, AsTextItIsForPeople) {
  const auto outcome = RunWith({"replay", "--config", config_, "--format", "text", recording_});
  EXPECT_EQ(outcome.code, kExitOk);
  EXPECT_THAT(outcome.out, AllOf(HasSubstr(" windows) quick c: disk-busy"),
                                 HasSubstr("preset quick: "), Not(HasSubstr("{"))));
}

TEST_F(ReplayCommandTest, WithWindowsAsTextEachIsTold) {
  const auto outcome =
      RunWith({"replay", "--config", config_, "--format", "text", "--windows", recording_});
  EXPECT_EQ(outcome.code, kExitOk);
  EXPECT_THAT(outcome.out, HasSubstr(" quick 1. c: disk-busy"));
}

TEST_F(ReplayCommandTest, TheNumberOfThreadsChangesNothing) {
  const auto one = RunWith({"replay", "--config", config_, "--jobs", "1", recording_});
  const auto four = RunWith({"replay", "--config", config_, "--jobs", "4", recording_});
  EXPECT_EQ(four.code, kExitOk);
  EXPECT_EQ(four.out, one.out);
}

TEST_F(ReplayCommandTest, ATimeRangeIsAllThatCounts) {
  const auto outcome = RunWith({"replay", "--config", config_, "--from", "1700000008", "--to",
                                "2023-11-14T22:13:48Z", recording_});  // second 28
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("\"cause\":\"disk-busy\""));
  EXPECT_THAT(outcome.out, Not(HasSubstr("\"end\":1700000012")));
  EXPECT_THAT(outcome.out, Not(HasSubstr("\"end\":1700000032")));
  for (const auto& [from, to] :
       {std::pair("yesterday", ""), std::pair("1700000020", "1700000010")}) {
    const auto wrong =
        RunWith({"replay", "--config", config_, "--from", from, "--to", to, recording_});
    EXPECT_EQ(wrong.code, kExitUsage);
    EXPECT_THAT(wrong.err, HasSubstr("expected a time such as"));
  }
}

TEST_F(ReplayCommandTest, WhatGivesNothingToCompareIsAFailure) {
  const auto junk =
      RunWith({"replay", "--config", config_, folder_.Write("j.om", "no recording\n")});
  EXPECT_EQ(junk.code, kExitFailed);
  EXPECT_THAT(junk.err, HasSubstr("replay: nothing could be read"));
  const auto config =
      folder_.Write("o.yml", "peer_groups: [{name: disks, kind: storage, roles: [client]}]\n");
  const auto misfit = RunWith({"replay", "--config", config, recording_});
  EXPECT_EQ(misfit.code, kExitFailed);
  EXPECT_THAT(misfit.err, HasSubstr("of any peer group; peer_groups in the configuration say"));
}

TEST_F(ReplayCommandTest, TellsProgramsHowFarItIs) {
  const auto outcome = RunWith({"replay", "--config", config_, "--progress", "json", recording_});
  EXPECT_THAT(outcome.err, StartsWith("{\"type\":\"progress\",\"at\":1700000039.25,"));
  EXPECT_THAT(outcome.err, HasSubstr("\"done\":1,\"seconds_left\":0}\n"));
}

TEST_F(ReplayCommandTest, AThresholdsFileThatIsNotThereIsWrongConfiguration) {
  const auto outcome =
      RunWith({"replay", "--config", config_, "--thresholds", folder_.Path("no.yml"), recording_});
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_THAT(outcome.err, HasSubstr("no.yml"));
}

TEST_F(ReplayCommandTest, AFolderThatIsNotThereIsRefusedBeforeItReads) {
  const auto outcome = RunWith(
      {"replay", "--config", config_, "--output", folder_.Path("gone/events"), "/no/such.om"});
  EXPECT_EQ(outcome.code, kExitFailed);
  EXPECT_THAT(outcome.err, HasSubstr("gone/events: cannot be written; --output names a file"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("such.om")));
}

TEST_F(ReplayCommandTest, AFullDiskIsAFailure) {
  const auto outcome =
      RunWith({"replay", "--config", config_, "--output", "/dev/full", recording_});
  EXPECT_EQ(outcome.code, kExitFailed);
  EXPECT_THAT(outcome.err, HasSubstr("/dev/full: not all events could be written"));
}

TEST_F(ReplayCommandTest, ARecordingThatIsCutIsReadAndSaidSoAMissingOneFails) {
  auto text = testing::DiskRecording(40, 'c');
  text.resize(text.size() - 20);
  const auto cut = RunWith({"replay", "--config", config_, folder_.Write("cut.om", text)});
  EXPECT_EQ(cut.code, kExitOk);
  EXPECT_THAT(cut.err, HasSubstr("cut.om: ends in the middle"));
  EXPECT_THAT(cut.out, HasSubstr("\"cause\":\"disk-busy\""));
  const auto missing = RunWith({"replay", "--config", config_, folder_.Path("no.om")});
  EXPECT_EQ(missing.code, kExitFailed);
  EXPECT_THAT(missing.err, HasSubstr("no.om"));
  EXPECT_EQ(missing.out, "");
}

TEST_F(ReplayCommandTest, AMistypedInstantLeavesTheOldEventsAlone) {
  folder_.Write("events", "old");
  const auto outcome = RunWith({"replay", "--config", config_, "--output", folder_.Path("events"),
                                "--prometheus", "http://127.0.0.1:9", "--step", "1s", "--start",
                                "yesterday", "--end", "1700000040"});
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_THAT(outcome.err, HasSubstr("replay: --start: expected a time such as"));
  EXPECT_EQ(folder_.Read("events"), "old");
}

TEST_F(ReplayCommandTest, ReadsAStoreInsteadOfRecordings) {
  const auto server = testing::StartEmptyStore();
  ASSERT_TRUE(server) << server.error().Text();
  const auto outcome = RunWith({"replay", "--config", config_, "--prometheus",
                                "http://" + (*server)->Addresses().front(), "--step", "1s",
                                "--start", "2023-11-14T22:13:20Z", "--end", "1700000040"});
  EXPECT_EQ(outcome.code, kExitFailed);
  EXPECT_THAT(outcome.err, HasSubstr("the store has no series that a peer group compares"));
  EXPECT_EQ(outcome.out,
            "{\"type\":\"summary\",\"preset\":\"quick\",\"windows\":0,\"verdicts\":0,"
            "\"hourly\":[]}\n");
}

}  // namespace
}  // namespace limpet::replay_test
