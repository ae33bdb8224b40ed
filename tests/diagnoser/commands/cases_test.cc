#include "diagnoser/commands/cases.h"

#include <filesystem>
#include <string>

#include "diagnoser/incidents/store.h"
#include "tests/diagnoser/commands/run_program.h"
#include "tests/support/temp_folder.h"

namespace limpet::cases_test {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::RunWith;

// Of the recording's node c, which limps; and of a, which does not.
class CasesCommandTest : public ::testing::Test {
 protected:
  CasesCommandTest() {
    auto store =
        IncidentStore::Open(folder_.Path("history.db"), Database::Access::kReadWrite).value();
    Put(store, "000000000000000c", "c", 60, AnswerKind::kFixed);
    Put(store, "000000000000000a", "a", 7, AnswerKind::kFalseAlarm);
    Put(store, "000000000000000b", "b", 9, AnswerKind::kScrub);
  }

  static void Put(IncidentStore& store, const std::string& id, const std::string& node, int await,
                  AnswerKind answer) {
    const auto since = UnixFromSeconds(1'700'000'005);
    IncidentRecord record{.id = id, .node = node, .family = "storage", .cause = "disk-busy"};
    record.since = record.named = since;
    record.last = since + 20s;
    record.ended = since + 30s;
    record.indicted = true;
    record.document = R"({"evidence":[{"metric":"await","mean":)" + std::to_string(await) +
                      R"(,"peer_median":1}]})";
    ASSERT_TRUE(store.Put(std::vector{record}));
    ASSERT_TRUE(store.Add(
        {.incident = id, .at = since, .kind = AnswerKind::kMaintenance, .until = since + 1h}));
    ASSERT_TRUE(store.Add({.incident = id, .at = since + 1s, .kind = answer}));
  }

  testing::TempFolder folder_;
};

TEST_F(CasesCommandTest, ListsThemAndWhatWouldHaveKeptThemAway) {
  const auto listed = RunWith({"cases", "--state-dir", folder_.Path("")});
  EXPECT_EQ(listed.code, kExitOk) << listed.err;
  EXPECT_THAT(listed.out, AllOf(HasSubstr("000000000000000a a disk-busy: false-alarm\n"),
                                HasSubstr("000000000000000b b disk-busy: scrub\n"),
                                HasSubstr("000000000000000c c disk-busy: fixed\n"),
                                HasSubstr("noise_floor: {await: 8.1}  # by the evidence: 2 of 2 "
                                          "false alarms gone, 1 of 1 faults kept")));
}

TEST_F(CasesCommandTest, RecordingsAreJudgedByTheConfiguration) {
  const auto config = folder_.Write("d.yml", testing::kQuickConfig);
  const auto recording = folder_.Write("all.om", testing::DiskRecording(40, 'c'));
  const auto judged =
      RunWith({"cases", "--state-dir", folder_.Path(""), "--config", config, recording});
  EXPECT_EQ(judged.code, kExitOk) << judged.err;
  EXPECT_THAT(judged.out, AllOf(HasSubstr("a disk-busy: false-alarm; not named\n"),
                                HasSubstr("c disk-busy: fixed; named after "),
                                HasSubstr("2 of 2 false alarms gone, 1 of 1 faults kept\n")));
}

TEST_F(CasesCommandTest, WhatHasNoRecordingIsNotJudged) {
  const auto config = folder_.Write("d.yml", testing::kQuickConfig);
  auto later = testing::DiskRecording(40, 'c');
  for (std::size_t at = 0; (at = later.find(" 17", at)) != std::string::npos; ++at) {
    later[at + 2] = '8';
  }
  const auto judged = RunWith({"cases", "--state-dir", folder_.Path(""), "--config", config,
                               folder_.Write("later.om", later)});
  EXPECT_EQ(judged.code, kExitOk) << judged.err;
  EXPECT_THAT(judged.out, HasSubstr("0 of 0 false alarms gone, 0 of 0 faults kept\n"));
}

// A floor that the evidence of the worst window proposes has to hold for the whole recording.
TEST_F(CasesCommandTest, ProposalsAreReplayed) {
  {
    auto store = *IncidentStore::Open(folder_.Path("history.db"), Database::Access::kReadWrite);
    Put(store, "000000000000000f", "c", 200, AnswerKind::kFalseAlarm);
    Put(store, "000000000000000c", "c", 60, AnswerKind::kFalseAlarm);
  }
  const auto config = folder_.Write("d.yml", testing::kQuickConfig);
  const auto recording = folder_.Write("all.om", testing::DiskRecording(40, 'c'));
  const auto judged =
      RunWith({"cases", "--state-dir", folder_.Path(""), "--config", config, recording});
  EXPECT_EQ(judged.code, kExitOk) << judged.err;
  EXPECT_THAT(judged.out, AllOf(HasSubstr("\n2 of 4 false alarms gone, 0 of 0 faults kept\n"),
                                HasSubstr("noise_floor: {await: 200}  # replayed: 4 of 4 false "
                                          "alarms gone, 0 of 0 faults kept\n")));
}

// Recordings are deleted by their age, the history by its own.
TEST_F(CasesCommandTest, AKeptCaseNeedsNeitherRecordingNorHistory) {
  const auto config = folder_.Write("d.yml", testing::kQuickConfig);
  const auto recording = folder_.Write("all.om", testing::DiskRecording(2000, 'c'));
  const auto kept = folder_.Path("kept");
  const auto state = folder_.Path("");
  const auto keep = RunWith({"cases", "--state-dir", state, "--output", kept, recording});
  EXPECT_EQ(keep.code, kExitOk) << keep.err;
  EXPECT_THAT(keep.out, HasSubstr("c disk-busy: fixed; 1 recordings kept\n"));
  const auto path = kept + "/000000000000000c/1-all.om.zst";
  EXPECT_LT(std::filesystem::file_size(path), std::filesystem::file_size(recording) / 8);
  std::filesystem::remove(recording);
  std::filesystem::remove(folder_.Path("history.db"));
  const auto judged = RunWith({"cases", "--state-dir", state, "--config", config, kept});
  EXPECT_EQ(judged.code, kExitOk) << judged.err;
  EXPECT_THAT(judged.out, AllOf(HasSubstr("c disk-busy: fixed; named after "),
                                HasSubstr("2 of 2 false alarms gone, 1 of 1 faults kept\n")));
  // What is kept is not lost when it is kept again without its recordings.
  folder_.Write("damaged/verdict.json", "[");
  EXPECT_EQ(RunWith({"cases", "--state-dir", state, "--output", kept, kept}).code, kExitOk);
  EXPECT_TRUE(std::filesystem::exists(path));
}

TEST_F(CasesCommandTest, SaysWhatIsMissing) {
  const testing::TempFolder empty;
  EXPECT_EQ(RunWith({"cases", "--state-dir", empty.Path("")}).code, kExitFailed);
  const auto none = IncidentStore::Open(empty.Path("history.db"), Database::Access::kReadWrite);
  ASSERT_TRUE(none);
  EXPECT_THAT(RunWith({"cases", "--state-dir", empty.Path("")}).err,
              HasSubstr("limpet-diagnoser answer ID --as false-alarm"));
}

}  // namespace
}  // namespace limpet::cases_test
