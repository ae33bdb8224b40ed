#include "diagnoser/pipeline/preset_run.h"

#include <gmock/gmock.h>

namespace limpet {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

UnixTime At(std::int64_t second) { return UnixFromSeconds(second); }

// Windows of 20 s every 10, flagged at once.
PresetSettings Quick() {
  auto preset = DefaultPreset();
  preset.name = "quick";
  preset.smoothing = 1;
  preset.window = 20;
  preset.shift = 10;
  preset.k = 1;
  return preset;
}

// Four disks from second 1000 to 1060, the last one four times as slow as its peers.
struct Disks {
  Disks() {
    members.emplace_back();
    for (std::uint32_t disk = 0; disk < 4; ++disk) {
      const std::string node(1, static_cast<char>('a' + disk));
      members[0].members.push_back(
          {.name = node + "/sdb", .node = node, .device = "sdb", .entities = {disk}});
      for (int second = 0; second <= 60; ++second) {
        const double busy = second * (disk == 3 ? 4.0 : 1.0);
        Add(disk, DiskCounter::kReads, second, 100.0 * second);
        Add(disk, DiskCounter::kReadSeconds, second, busy);
        Add(disk, DiskCounter::kBusySeconds, second, busy / 4);
        // A metric needs all of its counters, if only to know that they stand still.
        for (const auto counter : {DiskCounter::kWrites, DiskCounter::kReadBytes,
                                   DiskCounter::kWrittenBytes, DiskCounter::kWriteSeconds}) {
          Add(disk, counter, second, 0);
        }
      }
    }
  }
  void Add(std::uint32_t disk, DiskCounter counter, int second, double value) {
    const Field field{.kind = EntityKind::kDisk, .index = static_cast<std::uint8_t>(counter)};
    (void)readings.Add(field, disk, At(1000 + second), value);
  }
  std::vector<Event> Close(PresetRun& run, std::int64_t end, Behaviour behaviour = {}) {
    return run.Close(At(end), members, directory, {}, readings, std::move(behaviour));
  }

  Readings readings{std::vector<GridSpec>(1)};
  std::vector<GroupMembers> members;
  Directory directory{std::vector<Rule>()};
};

const std::vector<PeerGroupRule> kGroups = {{.name = "io"}};

TEST(PresetRun, WindowsEndAtMultiplesOfTheShift) {
  const auto preset = Quick();
  PresetRun run(preset, 0, nullptr, kGroups);
  EXPECT_EQ(run.NextEnd(At(1003)), At(1010));
  EXPECT_EQ(run.NextEnd(At(1010)), At(1020)) << "the first reading makes no sample";
  run.SetLastEnd(At(1040));
  EXPECT_EQ(run.NextEnd(At(1003)), At(1050));
}

TEST(PresetRun, VerdictsComeAfterTheWindowsTheyRestOn) {
  const auto preset = Quick();
  PresetRun run(preset, 0, nullptr, kGroups);
  Disks disks;
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
  const auto preset = Quick();
  PresetRun run(preset, 0, nullptr, kGroups);
  Disks disks;
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
  const auto preset = Quick();
  PresetRun run(preset, 0, nullptr, kGroups);
  Disks disks;
  run.Recall(disks.members, disks.directory, {}, disks.readings, {});
  EXPECT_THAT(run.Verdicts(), IsEmpty()) << "nothing was closed yet";
  (void)disks.Close(run, 1030);
  run.Recall(disks.members, disks.directory, {}, disks.readings, {});
  EXPECT_THAT(run.Verdicts(), SizeIs(1));
  EXPECT_EQ(run.VerdictCount(), 1U);
}

TEST(PresetRun, SilenceIsPassedOverUpToTheHorizon) {
  const auto preset = Quick();
  PresetRun run(preset, 0, nullptr, kGroups);
  Disks disks;
  run.SkipSilence(disks.readings, At(5000));
  EXPECT_FALSE(run.LastEnd().has_value()) << "nothing was closed yet";
  run.SetLastEnd(At(2000));
  run.SkipSilence(disks.readings, At(5003));
  EXPECT_EQ(run.LastEnd(), At(5000));
}

}  // namespace
}  // namespace limpet
