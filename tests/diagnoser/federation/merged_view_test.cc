#include "diagnoser/federation/merged_view.h"

#include <gtest/gtest.h>

#include "tests/diagnoser/federation/answers_said.h"

namespace limpet::merged_view_test {
namespace {

using namespace std::chrono_literals;

const auto kNow = UnixFromSeconds(1001);

std::vector<std::string> Marks(const MemberState& state, UnixTime now = kNow,
                               const std::vector<std::string>& shared = {}) {
  std::vector<std::string> marks;
  for (const auto& mark : MarksOf(state, shared, now, "0.1.0")) {
    marks.push_back(mark.mark);
  }
  return marks;
}

using Names = std::vector<std::string>;

TEST(MergedView, AHealthyMemberHasNoMarks) { EXPECT_EQ(Marks(StateOf("north")), Names()); }

TEST(MergedView, MarksOfEachKind) {
  EXPECT_EQ(Marks(StateOf("north"), kNow + 10s), Names{"down"});
  EXPECT_EQ(Marks(MemberState{}), Names{"down"});
  EXPECT_EQ(Marks(StateOf("north", kNow + 30s), kNow + 30s), Names{"late"});
  auto state = StateOf("north");
  state.clock_ahead = -10s;
  state.data_time = kNow - 10s;
  EXPECT_EQ(Marks(state), Names{"clock"});
  state = StateOf("north");
  state.program = "0.2.0";
  EXPECT_EQ(Marks(state), Names{"version"});
  state = StateOf("north");
  state.has_frames = false;
  EXPECT_EQ(Marks(state), Names{"version"});
  EXPECT_EQ(Marks(StateOf("north"), kNow, {"io01"}), Names{"names"});
}

TEST(MergedView, NodesAndReadingsOfAllStandBesideEachOther) {
  Merger merger("0.1.0");
  std::vector states = {StateOf("north"), StateOf("south")};
  states[0].grafana = "https://g";
  const auto view = merger.Merge(states, kNow);
  const auto cluster = ApiJson::parse(*view->cluster_json);
  ASSERT_EQ(cluster["nodes"].size(), 4U);
  EXPECT_EQ(cluster["nodes"][2]["node"], "south/io01");
  EXPECT_EQ(cluster["presets"].size(), 1U);
  EXPECT_EQ(cluster["peer_groups"].size(), 2U);
  ASSERT_EQ(view->frame->values.size(), 4 * kColumns);
  EXPECT_EQ(view->frame->Row(2)[static_cast<std::size_t>(Column::kUp)], 1);
  EXPECT_EQ(view->cluster->groups.size(), 2U);
  // The names are the same in both: said of both.
  const auto members = ApiJson::parse(*view->members_json)["members"];
  EXPECT_EQ(members[1]["marks"][0]["mark"], "names");
  EXPECT_EQ(members[0]["grafana"], "https://g");
  EXPECT_TRUE(members[1]["grafana"].is_null());
}

TEST(MergedView, ADeadMembersNodesStayWithoutReadings) {
  Merger merger("0.1.0");
  std::vector states = {StateOf("north"), StateOf("south")};
  (void)merger.Merge(states, kNow);
  states[0].answered = kNow + 10s;
  const auto view = merger.Merge(states, kNow + 10s);
  EXPECT_EQ(view->cluster->nodes.size(), 4U);
  EXPECT_EQ(view->frame->Row(0)[static_cast<std::size_t>(Column::kUp)], 1);
  EXPECT_EQ(view->frame->Row(2)[static_cast<std::size_t>(Column::kUp)], kUnknown);
}

TEST(MergedView, VerdictsInTheOrderOfTimeAndTheirChanges) {
  Merger merger("0.1.0");
  std::vector states = {StateOf("north"), StateOf("south")};
  ASSERT_TRUE(TakeVerdicts(VerdictsSaid(800), states[1]));
  auto view = merger.Merge(states, kNow);
  ASSERT_EQ(view->verdicts.size(), 2U);
  EXPECT_EQ(view->verdicts[0].id, "south.00000000000000aa");
  EXPECT_EQ(view->verdict_changes, 2U);
  view = merger.Merge(states, kNow);
  EXPECT_EQ(view->verdict_changes, 2U);
  ASSERT_TRUE(TakeVerdicts(VerdictsSaid(810), states[1]));
  view = merger.Merge(states, kNow);
  EXPECT_EQ(view->verdict_changes, 3U);
  EXPECT_NE(view->latest_changes.back().find("south/io01"), std::string::npos);
}

TEST(MergedView, AClockAheadMakesNoOtherLookOld) {
  Merger merger("0.1.0");
  std::vector states = {StateOf("north"), StateOf("south")};
  ASSERT_TRUE(TakeFrame(FrameSaid(1010, 1010), UnixFromSeconds(1000), states[1]));
  EXPECT_EQ(merger.Merge(states, kNow)->frame->time, UnixFromSeconds(1000));
}

TEST(MergedView, TheVersionRisesWhenNodesChange) {
  Merger merger("0.1.0");
  std::vector states = {StateOf("north")};
  const auto before = merger.Merge(states, kNow)->cluster;
  EXPECT_EQ(merger.Merge(states, kNow)->cluster, before);
  ASSERT_TRUE(TakeCluster(ClusterSaid("io01 io02 io03", 8), states[0]));
  EXPECT_GT(merger.Merge(states, kNow)->cluster->version, before->version);
}

}  // namespace
}  // namespace limpet::merged_view_test
