#include "diagnoser/commands/train.h"

#include <string>

#include "tests/diagnoser/commands/run_program.h"
#include "tests/support/temp_folder.h"

namespace limpet::train_test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using testing::Outcome;
using testing::RunWith;

class TrainCommandTest : public ::testing::Test {
 protected:
  Outcome Train(const std::string& recording, const std::string& output) {
    return RunWith({"train", "--config", config_, "--output", output, recording});
  }

  testing::TempFolder folder_;
  std::string config_ = folder_.Write("d.yml", testing::kQuickConfig);
  std::string healthy_ = folder_.Write("healthy.om", testing::DiskRecording(60));
};

TEST_F(TrainCommandTest, WritesThresholdsThatAReplayUses) {
  const auto file = folder_.Path("t.yml");
  const auto outcome = Train(healthy_, file);
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_THAT(outcome.out,
              MatchesRegex("preset quick: [0-9]+ window times, [0-9]+ thresholds in 1 peer groups\n"
                           "wrote .*/t.yml\n"));
  EXPECT_THAT(folder_.Read("t.yml"), HasSubstr(healthy_));
  const auto replayed = RunWith({"replay", "--config", config_, "--thresholds", file, healthy_});
  EXPECT_EQ(replayed.code, kExitOk) << replayed.err;
  EXPECT_EQ(replayed.err, "");
  EXPECT_THAT(replayed.out, HasSubstr("\"threshold_trained\":true"));
}

TEST_F(TrainCommandTest, APresetThatLearnsNothingIsLeftOutAndNamed) {
  config_ =
      folder_.Write("d.yml",
                    "presets:\n"
                    "  - {base: bare, name: quick, smoothing: 1, window: 8, shift: 4, k: 1}\n"
                    "  - {base: bare, name: slow, smoothing: 1, window: 600, shift: 300, k: 2}\n"
                    "peer_groups: [{name: disks, kind: storage}]\n");
  const auto outcome = Train(healthy_, folder_.Path("t.yml"));
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("preset slow: no window with three peers"));
  EXPECT_THAT(outcome.err, HasSubstr("a window takes 600 s, a flag looks at 1200 s"));
  EXPECT_THAT(folder_.Read("t.yml"), HasSubstr("quick"));
  EXPECT_THAT(folder_.Read("t.yml"), Not(HasSubstr("slow")));
}

TEST_F(TrainCommandTest, LeavesTheOldFileWhenThereIsNothingToLearn) {
  const auto old = folder_.Write("t.yml", "old");
  const auto outcome = Train(folder_.Write("empty.om", "# EOF\n"), old);
  EXPECT_EQ(outcome.code, kExitFailed);
  EXPECT_THAT(outcome.err, HasSubstr("nothing to train on in 0 samples"));
  EXPECT_THAT(outcome.err, HasSubstr("t.yml was not changed"));
  EXPECT_EQ(folder_.Read("t.yml"), "old");
}

TEST_F(TrainCommandTest, LeavesTheOldFileWhenARecordingIsMissing) {
  const auto old = folder_.Write("t.yml", "old");
  const auto outcome = Train(folder_.Path("no.om"), old);
  EXPECT_EQ(outcome.code, kExitFailed);
  EXPECT_THAT(outcome.err, HasSubstr("no.om"));
  EXPECT_EQ(folder_.Read("t.yml"), "old");
}

TEST_F(TrainCommandTest, RefusesAFolderThatIsNotThereBeforeItReads) {
  const auto outcome = Train("/no/such.om", folder_.Path("gone/t.yml"));
  EXPECT_EQ(outcome.code, kExitFailed);
  EXPECT_THAT(outcome.err, HasSubstr("--output: expected a file in a folder that can be written"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("such.om")));
}

TEST_F(TrainCommandTest, RefusesAFolderInPlaceOfTheFile) {
  const auto outcome = Train(healthy_, folder_.Path());
  EXPECT_EQ(outcome.code, kExitFailed);
  EXPECT_THAT(outcome.err, HasSubstr("--output: expected a file"));
}

TEST_F(TrainCommandTest, DrawsThePeersOverOneAnother) {
  const auto slow = folder_.Write("slow.om", testing::DiskRecording(60, 'c'));
  const auto outcome = RunWith({"train", "--config", config_, "--output", folder_.Path("t.yml"),
                                "--picture", folder_.Path("peers.svg"), slow});
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("wrote " + folder_.Path("peers.svg")));
  const auto picture = folder_.Read("peers.svg");
  EXPECT_THAT(picture, HasSubstr("disks: time per request, ms; 4 peers"));
  EXPECT_THAT(picture, MatchesRegex("(.|\n)*class=\"first\"[^>]*>c/sda: [0-9.]+<(.|\n)*"));
}

TEST_F(TrainCommandTest, RefusesAPictureThatCannotBeDrawn) {
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = {"train", "--config", config_, "--output", folder_.Path("t.yml"),
                                    healthy_};
    all.insert(all.end(), more.begin(), more.end());
    return RunWith(all);
  };
  EXPECT_THAT(with({"--picture", folder_.Path("gone/p.svg")}).err,
              HasSubstr("--picture: expected a file in a folder that can be written to"));
  EXPECT_EQ(with({"--picture", folder_.Path("t.yml")}).code, kExitUsage);
  EXPECT_EQ(with({"--picture", folder_.Path("p.svg"), "--profiles"}).code, kExitUsage);
}

TEST_F(TrainCommandTest, ProfilesWithoutHostMetricsChangeNothing) {
  const auto old = folder_.Write("m.json", "old");
  const auto outcome =
      RunWith({"train", "--profiles", "--config", config_, "--output", old, healthy_});
  EXPECT_EQ(outcome.code, kExitFailed);
  EXPECT_THAT(outcome.err, HasSubstr("train --profiles: "));
  EXPECT_THAT(outcome.err, HasSubstr("m.json was not changed"));
  EXPECT_EQ(folder_.Read("m.json"), "old");
}

}  // namespace
}  // namespace limpet::train_test
