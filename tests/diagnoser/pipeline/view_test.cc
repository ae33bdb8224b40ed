#include "diagnoser/pipeline/view.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "diagnoser/detect/time_scales.h"
#include "diagnoser/publish/stale.h"
#include "tests/support/disk_readings.h"

namespace limpet::view_test {
namespace {

using ::testing::ElementsAre;
using testing::FourDisks;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::QuickPreset;
using ::testing::SizeIs;

UnixTime At(std::int64_t second) { return UnixFromSeconds(second); }

// Of the eight metrics of disks one wants a counter that these do not have.
constexpr std::size_t kJudged = 7;
const std::vector<PeerGroupRule> kGroups = {{.name = "io"}};

// One run, which has closed a window in which the disk of node d was slow.
struct ClosedRun {
  explicit ClosedRun(Behaviour behaviour = {}, FourDisks given = FourDisks())
      : disks(std::move(given)) {
    runs.emplace_back(presets[0], 0, nullptr, kGroups);
    (void)disks.Close(runs[0], 1030);
    verdicts = MakeServerVerdicts(presets);
    verdicts[0].Judge(At(1030), runs, disks.members, {},
                      {.behaviour = std::move(behaviour), .syscalls = {}});
    verdicts[0].Count();
  }
  [[nodiscard]] PipelineView View() const { return MakeView(runs, verdicts, disks.directory, {}); }

  std::vector<PresetSettings> presets = {QuickPreset()};
  FourDisks disks;
  std::vector<PresetRun> runs;
  std::vector<ServerVerdicts> verdicts;
};

const ComponentStatus& Find(const PipelineView& view, std::string_view node,
                            std::string_view metric) {
  return *std::find_if(view.components.begin(), view.components.end(),
                       [&](const auto& one) { return one.node == node && one.metric == metric; });
}

TEST(View, OfARunBeforeItsFirstWindowHasGroupsAlone) {
  const std::vector<PresetSettings> presets = {QuickPreset()};
  std::vector<PresetRun> runs;
  runs.emplace_back(presets[0], 0, nullptr, kGroups);
  const auto view = MakeView(runs, MakeServerVerdicts(presets), Directory({}), {});
  EXPECT_THAT(view.components, IsEmpty());
  EXPECT_THAT(view.nodes, IsEmpty());
  EXPECT_THAT(view.verdicts, IsEmpty());
  ASSERT_THAT(view.groups, SizeIs(1));
  EXPECT_FALSE(view.groups[0].window_end);
  EXPECT_EQ(view.groups[0].taking_part, 0U);
}

TEST(View, TellsWhatTheLastWindowSaidOfEachComponent) {
  const auto view = ClosedRun().View();
  EXPECT_THAT(view.components, SizeIs(4 * kJudged));
  const auto& await = Find(view, "d", "await");
  EXPECT_EQ(await.preset, "quick");
  EXPECT_EQ(await.group, "io");
  EXPECT_EQ(await.device, "sdb");
  EXPECT_TRUE(await.flagged);
  EXPECT_GT(await.accumulator, 0U);
  EXPECT_FALSE(Find(view, "a", "await").flagged);
  EXPECT_EQ(Find(view, "a", "await").accumulator, 0U);
}

TEST(View, RanksComponentsByDegreeMetricByMetric) {
  const auto view = ClosedRun().View();
  EXPECT_EQ(Find(view, "d", "await").rank, 1U);
  EXPECT_EQ(Find(view, "d", "svctm").rank, 1U) << "each metric begins anew";
  for (const auto& component : view.components) {
    EXPECT_EQ(component.rank.has_value(), component.degree > 0) << component.metric;
  }
}

TEST(View, ComponentsOfTheSameDegreeAreRankedByName) {
  const auto view = ClosedRun({}, FourDisks({1, 1, 4, 4})).View();
  ASSERT_GT(Find(view, "c", "await").degree, 0);
  ASSERT_EQ(Find(view, "c", "await").degree, Find(view, "d", "await").degree);
  EXPECT_EQ(*Find(view, "d", "await").rank, *Find(view, "c", "await").rank + 1);
}

TEST(View, CountsWhoTookPart) {
  const auto view = ClosedRun().View();
  ASSERT_THAT(view.groups, SizeIs(1));
  EXPECT_EQ(view.groups[0].preset, "quick");
  EXPECT_EQ(view.groups[0].group, "io");
  EXPECT_EQ(view.groups[0].window_end, At(1030));
  EXPECT_EQ(view.groups[0].taking_part, 4U);
  EXPECT_EQ(view.groups[0].missing, 0U);
  EXPECT_EQ(view.groups[0].masked, 0U);
}

TEST(View, WhoHasNoReadingsIsMissing) {
  const std::vector<PresetSettings> presets = {QuickPreset()};
  FourDisks disks;
  disks.members[0].members.push_back(
      {.name = "e/sdb", .node = "e", .device = "sdb", .entities = {4}});
  disks.members[0].masked = 2;
  std::vector<PresetRun> runs;
  runs.emplace_back(presets[0], 0, nullptr, kGroups);
  (void)disks.Close(runs[0], 1030);
  const auto view = MakeView(runs, MakeServerVerdicts(presets), disks.directory, {});
  EXPECT_EQ(view.groups.at(0).taking_part, 4U);
  EXPECT_EQ(view.groups.at(0).missing, 1U);
  EXPECT_EQ(view.groups.at(0).masked, 2U);
}

TEST(View, EveryNodeIsListedAndOnlyWhoHasAVerdictHasACause) {
  const auto view = ClosedRun().View();
  ASSERT_THAT(view.nodes, SizeIs(4));
  EXPECT_EQ(view.nodes[0].node, "a");
  EXPECT_EQ(view.nodes[0].cause, Cause::kNone);
  EXPECT_FALSE(view.nodes[0].indicted);
  EXPECT_EQ(view.nodes[0].rank, 0U);
  EXPECT_EQ(view.nodes[3].node, "d");
  EXPECT_NE(view.nodes[3].cause, Cause::kNone);
  EXPECT_TRUE(view.nodes[3].indicted);
  EXPECT_EQ(view.nodes[3].rank, 1U);
  ASSERT_THAT(view.verdicts, SizeIs(1));
  EXPECT_EQ(view.nodes[3].degree, view.verdicts[0].degree);
}

TEST(View, ANodeThatOnlyItsProfileKnowsIsListedToo) {
  Behaviour behaviour;
  behaviour.peers = {"y", "z"};
  behaviour.verdicts = {{.node = "z", .cause = Cause::kBehaviour, .degree = 2}};
  const auto view = ClosedRun(behaviour).View();
  ASSERT_THAT(view.nodes, SizeIs(5));
  EXPECT_EQ(view.nodes[4].node, "z");
  EXPECT_EQ(view.nodes[4].cause, Cause::kBehaviour);
}

TEST(View, ASecondaryVerdictIndictsNobody) {
  Behaviour behaviour;
  behaviour.peers = {"a", "d"};  // d is indicted by the checklist
  behaviour.verdicts = {{.node = "a", .cause = Cause::kBehaviour, .degree = 2}};
  const auto view = ClosedRun(behaviour).View();
  EXPECT_EQ(view.nodes.at(0).cause, Cause::kBehaviour);
  EXPECT_FALSE(view.nodes.at(0).indicted);
}

TEST(View, AComponentThatAnyScaleFlagsIsFlagged) {
  const std::vector<PresetSettings> presets = {QuickPreset(), ScalePreset(QuickPreset(), "fast")};
  FourDisks disks;
  std::vector<PresetRun> runs;
  for (const auto& preset : presets) {
    runs.emplace_back(preset, 0, nullptr, kGroups);
  }
  for (std::int64_t end = 1030; end <= 1050; end += 4) {
    (void)disks.Close(runs[1], end);  // the preset's own window is yet to come
  }
  (void)disks.Close(runs[0], 1005);  // too few samples
  const auto view = MakeView(runs, MakeServerVerdicts(presets), disks.directory, {});
  EXPECT_THAT(view.groups, SizeIs(1)) << "a scale is no preset";
  EXPECT_THAT(view.components, IsEmpty()) << "nobody was in a window of the preset";
  (void)disks.Close(runs[0], 1030);
  const auto later = MakeView(runs, MakeServerVerdicts(presets), disks.directory, {});
  EXPECT_THAT(later.components, SizeIs(4 * kJudged));
  EXPECT_TRUE(Find(later, "d", "await").flagged);
  EXPECT_FALSE(Find(later, "a", "await").flagged);
}

// At readings a minute apart the preset's own first window ends after two hours.
TEST(View, UntilItsOwnWindowsEndThoseOfAScaleAreShown) {
  const std::vector<PresetSettings> presets = {QuickPreset(), ScalePreset(QuickPreset(), "fast")};
  FourDisks disks;
  std::vector<PresetRun> runs;
  for (const auto& preset : presets) {
    runs.emplace_back(preset, 0, nullptr, kGroups);
  }
  for (std::int64_t end = 1030; end <= 1050; end += 4) {
    (void)disks.Close(runs[1], end);
  }
  auto verdicts = MakeServerVerdicts(presets);
  verdicts[0].Judge(At(1050), runs, disks.members, {}, {});
  auto view = MakeView(runs, verdicts, disks.directory, {});
  ASSERT_THAT(view.groups, SizeIs(1));
  EXPECT_EQ(view.groups[0].preset, "quick");
  EXPECT_EQ(view.groups[0].window_end, At(1050));
  EXPECT_EQ(view.groups[0].taking_part, 4U);
  EXPECT_THAT(view.nodes, SizeIs(4));
  EXPECT_TRUE(Find(view, "d", "await").flagged);
  EXPECT_EQ(Find(view, "d", "await").preset, "quick");
  EXPECT_EQ(Find(view, "d", "await").accumulator, 0U) << "windows of the preset's own length";
  DropStale(view, std::span(presets).first(1), Duration(), At(1052));
  ASSERT_THAT(view.verdicts, SizeIs(1)) << "it is told, and not dropped as old";
  EXPECT_EQ(view.verdicts[0].node, "d");
}

TEST(View, EveryMetricOfAGroupIsListed) {
  const auto view = ClosedRun().View();
  ASSERT_THAT(view.metrics, SizeIs(8));
  EXPECT_EQ(view.metrics[0].preset, "quick");
  EXPECT_EQ(view.metrics[0].group, "io");
  for (const auto& metric : view.metrics) {
    EXPECT_FALSE(metric.storm) << metric.metric << ": one of four is none";
    EXPECT_FALSE(metric.bimodal) << metric.metric;
  }
}

TEST(View, CountersOfRunsAreAddedToThoseOfTheInput) {
  std::vector<PresetSettings> presets(2, QuickPreset());
  presets[1].name = "other";
  FourDisks disks;
  std::vector<PresetRun> runs;
  for (const auto& preset : presets) {
    runs.emplace_back(preset, 0, nullptr, kGroups);
    (void)disks.Close(runs.back(), 1030);
  }
  auto verdicts = MakeServerVerdicts(presets);
  for (auto& servers : verdicts) {
    servers.Judge(At(1030), runs, disks.members, {}, {});
    servers.Count();
  }
  const auto view = MakeView(runs, verdicts, disks.directory, {.samples = 5});
  EXPECT_EQ(view.counters.samples, 5U);
  EXPECT_EQ(view.counters.windows, 2 * kJudged);
  EXPECT_EQ(view.counters.verdicts, 2U);
  EXPECT_THAT(view.groups, SizeIs(2));
  EXPECT_THAT(view.nodes, SizeIs(8));
}

TEST(View, NamesTheDisksInVerdictsWorldWideAsFarAsKnown) {
  Directory directory({Rule::Compile({.name = "io"}).value()});
  ASSERT_TRUE(
      directory.Restore(EntityKind::kDisk, {.node = "a", .device = "cciss/c0d0", .wwn = "naa.5"}));
  ASSERT_TRUE(directory.Restore(EntityKind::kDisk, {.node = "a", .device = "sdb"}));
  ASSERT_TRUE(directory.Restore(EntityKind::kDisk, {.node = "b", .device = "sda", .wwn = "naa.6"}));
  Behaviour behaviour;
  behaviour.verdicts = {{.node = "a",
                         .cause = Cause::kBehaviour,
                         .luns = {{"a", LunKind::kComponent},
                                  {"a/cciss/c0d0", LunKind::kComponent},
                                  {"a/sdb", LunKind::kWorkload},
                                  {"a/sdc", LunKind::kComponent}}}};
  const ClosedRun run(behaviour);
  EXPECT_THAT(MakeView(run.runs, run.verdicts, directory, {}).wwns,
              ElementsAre(Pair("a/cciss/c0d0", "naa.5")));
}

}  // namespace
}  // namespace limpet::view_test
