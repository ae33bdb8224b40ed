#include "diagnoser/pipeline/preset_run.h"

#include <gmock/gmock.h>

#include "tests/support/disk_readings.h"

namespace limpet {
namespace {

using testing::FourDisks;
using ::testing::IsEmpty;
using testing::QuickPreset;
using ::testing::SizeIs;

UnixTime At(std::int64_t second) { return UnixFromSeconds(second); }

const std::vector<PeerGroupRule> kGroups = {{.name = "io"}};

TEST(PresetRun, WindowsEndAtMultiplesOfTheShift) {
  const auto preset = QuickPreset();
  PresetRun run(preset, 0, nullptr, kGroups);
  EXPECT_EQ(run.NextEnd(At(1003)), At(1010));
  EXPECT_EQ(run.NextEnd(At(1010)), At(1020)) << "the first reading makes no sample";
  run.SetLastEnd(At(1040));
  EXPECT_EQ(run.NextEnd(At(1003)), At(1050));
}

TEST(PresetRun, VerdictsComeAfterTheWindowsTheyRestOn) {
  const auto preset = QuickPreset();
  PresetRun run(preset, 0, nullptr, kGroups);
  FourDisks disks;
  const auto events = disks.Close(run, 1030);
  ASSERT_FALSE(events.empty());
  EXPECT_TRUE(std::holds_alternative<WindowEvent>(events.front()));
  ASSERT_TRUE(std::holds_alternative<VerdictEvent>(events.back()));
  const auto& verdict = std::get<VerdictEvent>(events.back());
  EXPECT_EQ(verdict.node, "d");
  EXPECT_EQ(verdict.preset, "quick");
  EXPECT_EQ(verdict.rank, 1U);
  EXPECT_EQ(verdict.end, At(1030));
  EXPECT_EQ(run.VerdictCount(), 1U);
  EXPECT_EQ(run.Windows(), events.size() - 1);
  EXPECT_THAT(run.Summary().hourly, SizeIs(1));
}

TEST(PresetRun, ProfilesFindingsJoinThoseOfTheChecklist) {
  const auto preset = QuickPreset();
  PresetRun run(preset, 0, nullptr, kGroups);
  FourDisks disks;
  Behaviour behaviour;
  behaviour.peers = {"a", "b"};
  behaviour.verdicts = {{.node = "a", .cause = Cause::kBehaviour, .degree = 2}};
  (void)disks.Close(run, 1030, behaviour);
  ASSERT_THAT(run.Verdicts(), SizeIs(2));
  EXPECT_EQ(run.Verdicts()[1].node, "a");
  EXPECT_EQ(run.Verdicts()[1].preset, "quick");
  EXPECT_EQ(run.Verdicts()[1].rank, 2U);
}

TEST(PresetRun, ARecallCountsNothing) {
  const auto preset = QuickPreset();
  PresetRun run(preset, 0, nullptr, kGroups);
  FourDisks disks;
  run.Recall(disks.members, disks.directory, {}, disks.readings, {});
  EXPECT_THAT(run.Verdicts(), IsEmpty()) << "nothing was closed yet";
  (void)disks.Close(run, 1030);
  run.Recall(disks.members, disks.directory, {}, disks.readings, {});
  EXPECT_THAT(run.Verdicts(), SizeIs(1));
  EXPECT_EQ(run.VerdictCount(), 1U);
}

TEST(PresetRun, SilenceIsPassedOverUpToTheHorizon) {
  const auto preset = QuickPreset();
  PresetRun run(preset, 0, nullptr, kGroups);
  FourDisks disks;
  run.SkipSilence(disks.readings, At(5000));
  EXPECT_FALSE(run.LastEnd().has_value()) << "nothing was closed yet";
  run.SetLastEnd(At(2000));
  run.SkipSilence(disks.readings, At(5003));
  EXPECT_EQ(run.LastEnd(), At(5000));
}

}  // namespace
}  // namespace limpet
