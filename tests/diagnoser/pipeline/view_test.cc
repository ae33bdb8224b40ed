#include "diagnoser/pipeline/view.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/support/disk_readings.h"

namespace limpet {
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
    runs.emplace_back(preset, 0, nullptr, kGroups);
    (void)disks.Close(runs[0], 1030, std::move(behaviour));
  }
  [[nodiscard]] PipelineView View() const { return MakeView(runs, disks.directory, {}); }

  PresetSettings preset = QuickPreset();
  FourDisks disks;
  std::vector<PresetRun> runs;
};

const ComponentStatus& Find(const PipelineView& view, std::string_view node,
                            std::string_view metric) {
  return *std::find_if(view.components.begin(), view.components.end(),
                       [&](const auto& one) { return one.node == node && one.metric == metric; });
}

TEST(View, OfARunBeforeItsFirstWindowHasGroupsAlone) {
  const auto preset = QuickPreset();
  std::vector<PresetRun> runs;
  runs.emplace_back(preset, 0, nullptr, kGroups);
  const auto view = MakeView(runs, Directory({}), {});
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
  const auto preset = QuickPreset();
  FourDisks disks;
  disks.members[0].members.push_back(
      {.name = "e/sdb", .node = "e", .device = "sdb", .entities = {4}});
  disks.members[0].masked = 2;
  std::vector<PresetRun> runs;
  runs.emplace_back(preset, 0, nullptr, kGroups);
  (void)disks.Close(runs[0], 1030);
  const auto view = MakeView(runs, disks.directory, {});
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
  const auto preset = QuickPreset();
  FourDisks disks;
  std::vector<PresetRun> runs;
  for (int i = 0; i < 2; ++i) {
    runs.emplace_back(preset, 0, nullptr, kGroups);
    (void)disks.Close(runs.back(), 1030);
  }
  const auto view = MakeView(runs, disks.directory, {.samples = 5});
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
  EXPECT_THAT(MakeView(run.runs, directory, {}).wwns, ElementsAre(Pair("a/cciss/c0d0", "naa.5")));
}

}  // namespace
}  // namespace limpet
