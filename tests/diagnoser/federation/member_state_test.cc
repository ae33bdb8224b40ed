#include "diagnoser/federation/member_state.h"

#include <gtest/gtest.h>

#include "tests/diagnoser/federation/answers_said.h"

namespace limpet::member_state_test {
namespace {

std::int16_t Value(const MemberState& state, std::size_t node, Column column) {
  return state.values[node * kColumns + static_cast<std::size_t>(column)];
}

TEST(MemberState, NodesWithQualifiedNames) {
  MemberState state;
  state.name = "north";
  ASSERT_TRUE(TakeCluster(ClusterSaid(), state));
  EXPECT_EQ(state.nodes[0]["node"], "north/io01");
  EXPECT_EQ(state.nodes[0]["labels"]["diagnoser"], "north");
  EXPECT_EQ(state.nodes[0]["components"][0]["peer_group"], "north/disks");
  EXPECT_EQ(state.program, "0.1.0");
  EXPECT_EQ(state.changes, 1U);
}

TEST(MemberState, ItsDashboardsAreWhereItSaysIfThatIsAnAddress) {
  MemberState state;
  state.name = "north";
  auto said = ApiJson::parse(ClusterSaid());
  const auto told = [&](const ApiJson& address) {
    said["grafana"] = address;
    EXPECT_TRUE(TakeCluster(said.dump(), state));
    return state.grafana;
  };
  EXPECT_EQ(told("https://grafana.site/g"), "https://grafana.site/g");
  for (const ApiJson& wrong :
       {ApiJson(), ApiJson(7), ApiJson("javascript:alert(1)"), ApiJson("https://g/?x=<"),
        ApiJson("https://" + std::string(600, 'g'))}) {
    EXPECT_EQ(told(wrong), "") << wrong;
  }
}

TEST(MemberState, ReadingsByTheNamesOfColumnsAndCauses) {
  auto state = StateOf("north");
  EXPECT_EQ(Value(state, 0, Column::kUp), 1);
  EXPECT_EQ(Value(state, 0, Column::kLoad), kUnknown);
  // Its list of causes is not ours: 0 is disk-busy there.
  const auto cause = Value(state, 0, Column::kCause);
  ASSERT_GE(cause, 0);
  EXPECT_EQ(CauseRows()[static_cast<std::size_t>(cause)].cause, Cause::kDiskBusy);
  EXPECT_EQ(Value(state, 1, Column::kCause), kUnknown);
}

TEST(MemberState, AFrameOfAnotherClusterIsNoReading) {
  auto state = StateOf("north");
  const auto fits = TakeFrame(FrameSaid(1000, 1000, 8), UnixFromSeconds(1000), state);
  ASSERT_TRUE(fits);
  EXPECT_FALSE(*fits);
  EXPECT_TRUE(state.values.empty());
}

TEST(MemberState, ItsClockIsHeldAgainstOurs) {
  auto state = StateOf("north");
  ASSERT_TRUE(TakeFrame(FrameSaid(1010), UnixFromSeconds(1000), state));
  EXPECT_EQ(state.clock_ahead, std::chrono::seconds(10));
}

TEST(MemberState, AClockThatShowsNoInstantIsNoAnswer) {
  auto state = StateOf("north");
  for (const double now : {-8e9, 4'733'510'400.0, 8.9e9}) {
    EXPECT_FALSE(TakeFrame(FrameSaid(now), UnixFromSeconds(1'795'314'848), state)) << now;
  }
}

TEST(MemberState, GarbageChangesNothing) {
  auto state = StateOf("north");
  const std::string deep(100'000, '[');
  for (const std::string& body : {std::string(), std::string("[]"), std::string("{\"version\":1}"),
                                  deep, "{\"a\":" + deep, std::string("\xff\xfe")}) {
    EXPECT_FALSE(TakeCluster(body, state));
    EXPECT_FALSE(TakeFrame(body, UnixFromSeconds(1000), state));
  }
  // Places behind a node that was left out would be wrong.
  auto cluster = ApiJson::parse(ClusterSaid());
  cluster["nodes"][0]["components"] = "none";
  EXPECT_FALSE(TakeCluster(cluster.dump(), state));
  EXPECT_EQ(state.nodes.size(), 2U);
}

TEST(MemberState, RowsOutOfBoundsAreLeftOut) {
  auto state = StateOf("north");
  for (const auto* row :
       {"[99,1,0]", "[0,300,99]", "[-1,1,1]", "[0]", "[\"a\",1,1]", "[0,-4,-4]"}) {
    ASSERT_TRUE(TakeFrame(FrameSaid(1000, 1000, 7, row), UnixFromSeconds(1000), state)) << row;
    EXPECT_EQ(Value(state, 0, Column::kUp), kUnknown) << row;
    EXPECT_EQ(Value(state, 0, Column::kCause), kUnknown) << row;
  }
}

TEST(MemberState, VerdictsOfTheKnownShape) {
  auto state = StateOf("north");
  ASSERT_EQ(state.verdicts.size(), 1U);
  EXPECT_EQ(state.verdicts[0].id, "north.00000000000000aa");
  auto json = ApiJson::parse(VerdictsSaid());
  json["verdicts"][0]["begin"] = "yesterday";
  ASSERT_TRUE(TakeVerdicts(json.dump(), state));
  EXPECT_TRUE(state.verdicts.empty());
}

}  // namespace
}  // namespace limpet::member_state_test
