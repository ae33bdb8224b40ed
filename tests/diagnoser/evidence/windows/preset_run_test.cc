#include "diagnoser/evidence/windows/preset_run.h"

#include <gmock/gmock.h>

#include "diagnoser/detect/time_scales.h"
#include "tests/support/disk_readings.h"

namespace limpet::preset_run_test {
namespace {

using ::testing::_;
using ::testing::Contains;
using ::testing::Each;
using ::testing::Field;
using testing::FourDisks;
using ::testing::IsEmpty;
using testing::QuickPreset;
using ::testing::SizeIs;
using ::testing::VariantWith;

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

TEST(PresetRun, AWindowSaysWhoIsFlaggedByNode) {
  const auto preset = QuickPreset();
  PresetRun run(preset, 0, nullptr, kGroups);
  FourDisks disks;
  const auto events = disks.Close(run, 1030);
  ASSERT_FALSE(events.empty());
  EXPECT_THAT(events, Each(VariantWith<WindowEvent>(_)));
  EXPECT_EQ(run.Windows(), events.size());
  ASSERT_THAT(run.Flagged(), SizeIs(1));
  const auto& [node, flags] = *run.Flagged().begin();
  EXPECT_EQ(node, "d");
  EXPECT_THAT(flags, Contains(Field(&Evidence::metric, "await")));
  EXPECT_THAT(flags, Each(Field(&Evidence::scale, "")));
}

TEST(PresetRun, FlagsOfATimeScaleSayWhichOneItIs) {
  const auto preset = ScalePreset(QuickPreset(), "fast");
  PresetRun run(preset, 0, nullptr, kGroups);
  FourDisks disks;
  for (std::int64_t end = 1030; end <= 1050; end += 4) {
    (void)disks.Close(run, end);
  }
  ASSERT_TRUE(run.Flagged().contains("d"));
  EXPECT_THAT(run.Flagged().at("d"), Each(Field(&Evidence::scale, "fast")));
}

TEST(PresetRun, TheHourlyListIsThatOfThePresetsOwnWindows) {
  const auto preset = QuickPreset();
  const auto scale = ScalePreset(preset, "fast");
  FourDisks disks;
  for (const auto& [settings, rows] :
       {std::pair(&preset, std::size_t{1}), std::pair(&scale, std::size_t{0})}) {
    PresetRun run(*settings, 0, nullptr, kGroups);
    (void)disks.Close(run, 1030);
    run.RecordHour(At(1030));
    EXPECT_THAT(run.Summary().hourly, SizeIs(rows)) << settings->name;
  }
}

TEST(PresetRun, ARecallCountsNothing) {
  const auto preset = QuickPreset();
  PresetRun run(preset, 0, nullptr, kGroups);
  FourDisks disks;
  run.Recall(disks.members, disks.directory, {}, disks.readings);
  EXPECT_THAT(run.Flagged(), IsEmpty()) << "nothing was closed yet";
  (void)disks.Close(run, 1030);
  const auto windows = run.Windows();
  run.Recall(disks.members, disks.directory, {}, disks.readings);
  EXPECT_THAT(run.Flagged(), SizeIs(1));
  EXPECT_EQ(run.Windows(), windows);
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
}  // namespace limpet::preset_run_test
