#include "diagnoser/pipeline/server_verdicts.h"

#include <gmock/gmock.h>

#include "diagnoser/detect/time_scales.h"
#include "tests/support/disk_readings.h"

namespace limpet::server_verdicts_test {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using testing::FourDisks;
using ::testing::IsEmpty;
using testing::QuickPreset;
using ::testing::SizeIs;

UnixTime At(std::int64_t second) { return UnixFromSeconds(second); }

const std::vector<PeerGroupRule> kGroups = {{.name = "io"}};

// A preset and, if asked for, a time scale of it.
struct Runs {
  explicit Runs(std::vector<PresetSettings> given) : presets(std::move(given)) {
    for (const auto& preset : presets) {
      runs.emplace_back(preset, 0, nullptr, kGroups);
    }
    verdicts = MakeServerVerdicts(presets);
  }
  void Judge(std::int64_t end, Behaviour behaviour = {}) {
    verdicts[0].Judge(At(end), runs, disks.members, {},
                      {.behaviour = std::move(behaviour), .syscalls = {}});
  }

  std::vector<PresetSettings> presets;
  std::vector<PresetRun> runs;
  std::vector<ServerVerdicts> verdicts;
  FourDisks disks;
};

PresetSettings QuickScale() {
  auto scale = ScalePreset(QuickPreset(), "quicker");
  scale.window = 10;
  scale.shift = 5;
  return scale;
}

TEST(ServerVerdicts, OneAPresetAndNoneForItsScales) {
  auto other = QuickPreset();
  other.name = "other";
  const std::vector<PresetSettings> presets = {QuickPreset(), QuickScale(), other};
  const auto all = MakeServerVerdicts(presets);
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_THAT(all[0].Runs(), ElementsAre(0, 1));
  EXPECT_THAT(all[1].Runs(), ElementsAre(2));
  EXPECT_EQ(all[1].Settings().name, "other");
}

TEST(ServerVerdicts, NameTheNodeThePresetAndTheWindow) {
  Runs runs({QuickPreset()});
  (void)runs.disks.Close(runs.runs[0], 1030);
  runs.Judge(1030);
  ASSERT_THAT(runs.verdicts[0].Verdicts(), SizeIs(1));
  const auto& verdict = runs.verdicts[0].Verdicts()[0];
  EXPECT_EQ(verdict.node, "d");
  EXPECT_EQ(verdict.preset, "quick");
  EXPECT_EQ(verdict.cause, Cause::kDiskBusy);
  EXPECT_EQ(verdict.rank, 1U);
  EXPECT_EQ(verdict.end, At(1030));
  EXPECT_EQ(runs.verdicts[0].VerdictCount(), 0U) << "only Count counts";
  runs.verdicts[0].Count();
  EXPECT_EQ(runs.verdicts[0].VerdictCount(), 1U);
}

TEST(ServerVerdicts, ProfilesFindingsJoinThoseOfTheChecklist) {
  Runs runs({QuickPreset()});
  (void)runs.disks.Close(runs.runs[0], 1030);
  Behaviour behaviour;
  behaviour.peers = {"a", "b"};
  behaviour.verdicts = {{.node = "a", .cause = Cause::kBehaviour, .degree = 2}};
  runs.Judge(1030, behaviour);
  ASSERT_THAT(runs.verdicts[0].Verdicts(), SizeIs(2));
  EXPECT_EQ(runs.verdicts[0].Verdicts()[1].node, "a");
  EXPECT_EQ(runs.verdicts[0].Verdicts()[1].preset, "quick");
  EXPECT_EQ(runs.verdicts[0].Verdicts()[1].rank, 2U);
}

TEST(ServerVerdicts, TheFastestScaleIsEnough) {
  Runs runs({QuickPreset(), QuickScale()});
  (void)runs.disks.Close(runs.runs[1], 1015);
  runs.Judge(1015);
  ASSERT_THAT(runs.verdicts[0].Verdicts(), SizeIs(1));
  const auto& verdict = runs.verdicts[0].Verdicts()[0];
  EXPECT_EQ(verdict.preset, "quick") << "operators know one preset, not its scales";
  EXPECT_THAT(verdict.evidence, Each(Field(&Evidence::scale, "quicker")));
}

TEST(ServerVerdicts, ASlowerScaleHoldsOnAfterAFasterOneHasLetGo) {
  Runs runs({QuickPreset(), QuickScale()});
  (void)runs.disks.Close(runs.runs[0], 1030);
  (void)runs.disks.Close(runs.runs[1], 1500);  // nobody takes part any more
  ASSERT_THAT(runs.runs[1].Flagged(), IsEmpty());
  runs.Judge(1500);
  EXPECT_THAT(runs.verdicts[0].Verdicts(), SizeIs(1));
}

TEST(ServerVerdicts, AScaleThatHasComparedNobodyHoldsNoIncidentOpen) {
  auto quick = QuickScale();
  quick.k = 1;
  Runs runs({QuickPreset(), quick});
  runs.disks = FourDisks({1, 1, 1, 1});
  (void)runs.disks.Close(runs.runs[0], 900);  // before the first reading
  FourDisks slow;
  (void)slow.Close(runs.runs[1], 1015);
  runs.Judge(1015);
  ASSERT_THAT(runs.verdicts[0].Verdicts(), SizeIs(1));
  (void)runs.disks.Close(runs.runs[1], 1030);
  runs.Judge(1030);
  EXPECT_THAT(runs.verdicts[0].Verdicts(), IsEmpty());
  EXPECT_THAT(runs.verdicts[0].Unknown(), IsEmpty());
}

TEST(ServerVerdicts, OfSeveralScalesTheLargestDegreeIsTheEvidence) {
  auto scale = QuickScale();
  // Half the threshold, twice the degree.
  scale.threshold_factor = 0.5;
  Runs runs({QuickPreset(), scale});
  (void)runs.disks.Close(runs.runs[0], 1030);
  (void)runs.disks.Close(runs.runs[1], 1030);
  runs.Judge(1030);
  ASSERT_THAT(runs.verdicts[0].Verdicts(), SizeIs(1));
  const auto& evidence = runs.verdicts[0].Verdicts()[0].evidence;
  ASSERT_THAT(evidence, Contains(Field(&Evidence::metric, "await")).Times(1));
  EXPECT_THAT(evidence, Each(Field(&Evidence::scale, "quicker")));
}

}  // namespace
}  // namespace limpet::server_verdicts_test
