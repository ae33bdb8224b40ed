#include "diagnoser/config/plan.h"

#include <gmock/gmock.h>

namespace limpet::plan_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Target Node(const std::string& node, const std::string& role = "server", Duration interval = 1s) {
  return {.node = node, .role = role, .interval = interval};
}

DiagnoserSettings Settings() {
  DiagnoserSettings settings;
  settings.presets = {DefaultPreset()};
  return settings;
}

std::vector<std::string> Names(const std::vector<PeerGroupRule>& groups) {
  std::vector<std::string> names;
  for (const auto& group : groups) {
    names.push_back(group.name);
  }
  return names;
}

TEST(MakePlan, TheSameSettingsAndTargetsGiveTheSamePlan) {
  const auto settings = Settings();
  const auto once = MakePlan(settings, {Node("a"), Node("b")});
  const auto again = MakePlan(settings, {Node("a"), Node("b")}, once.all_groups);
  EXPECT_EQ(once.pipeline, again.pipeline);
  EXPECT_EQ(once.all_groups, again.all_groups);
  EXPECT_EQ(once.targets, again.targets);
  EXPECT_EQ(once.lateness, again.lateness);
}

TEST(MakePlan, GroupsOfTheFileStayWhoeverTheTargetsAre) {
  auto settings = Settings();
  settings.groups = {{.name = "luns", .roles = {"oss"}}};
  settings.discovery.emplace_back();
  EXPECT_THAT(Names(MakePlan(settings, {Node("a", "mds")}).all_groups), ElementsAre("luns"));
}

TEST(MakePlan, GroupsOfRolesComeAndNeverGo) {
  auto settings = Settings();
  settings.fixed_targets = {Node("a", "oss")};
  settings.discovery.emplace_back();
  settings.discovery[0].base.target = Node("", "oss");
  const auto first = MakePlan(settings, {Node("a", "oss"), Node("b", "mds")});
  EXPECT_THAT(Names(first.all_groups), ElementsAre("mds-disks", "mds-network", "mds-cwnd",
                                                   "oss-disks", "oss-network", "oss-cwnd"));
  EXPECT_EQ(MakePlan(settings, {Node("a", "oss")}, first.all_groups).all_groups, first.all_groups);
  EXPECT_THAT(MakePlan(settings, {Node("a", "oss")}).all_groups, SizeIs(3));
}

TEST(MakePlan, LatenessFollowsTheSlowestTargetUnlessItIsSaid) {
  auto settings = Settings();
  EXPECT_EQ(MakePlan(settings, {Node("a"), Node("b", "server", 15s)}).lateness, 16s);
  settings.store.emplace();
  settings.store->step = 30s;
  settings.store->lag = 45s;
  EXPECT_EQ(MakePlan(settings, {}).lateness, 31s + 45s + 30s);
  settings.fixed_lateness = 3s;
  EXPECT_EQ(MakePlan(settings, {Node("b", "server", 15s)}).lateness, 3s);
}

TEST(MakePlan, AShardHasItsGroupsAndTheirTargetsAndRanksAmongPeers) {
  auto settings = Settings();
  settings.groups = {{.name = "a", .roles = {"oss"}}, {.name = "b", .roles = {"mds"}}};
  settings.shard = {.index = 1, .count = 2};
  settings.sharded = true;
  const auto plan = MakePlan(settings, {Node("x", "oss"), Node("y", "mds")});
  EXPECT_THAT(Names(plan.pipeline.groups), ElementsAre("b"));
  EXPECT_THAT(Names(plan.all_groups), ElementsAre("a", "b"));
  ASSERT_THAT(plan.targets, SizeIs(1));
  EXPECT_EQ(plan.targets[0].node, "y");
  EXPECT_EQ(plan.pipeline.presets[0].ranking_scope, RankingScope::kPeers);
}

TEST(MakePlan, MasksOfBothPlacesCount) {
  auto settings = Settings();
  settings.masked = {"io07"};
  settings.masks_of_file = {"io08/sdc"};
  EXPECT_THAT(MakePlan(settings, {}).pipeline.masked, ElementsAre("io07", "io08/sdc"));
}

TEST(MakePlan, ProfilesAreInUseOnceTheirModelHasBeenRead) {
  auto settings = Settings();
  settings.profiles.model = "m.yml";
  EXPECT_FALSE(MakePlan(settings, {}).pipeline.profiles);
  settings.profiles.plan.model.profiles.emplace_back();
  settings.profiles.events = true;
  const auto plan = MakePlan(settings, {});
  ASSERT_TRUE(plan.pipeline.profiles);
  EXPECT_TRUE(plan.pipeline.profiles->events);
  EXPECT_FALSE(plan.pipeline.profiles->wait);
  EXPECT_THAT(plan.targets, IsEmpty());
}

}  // namespace
}  // namespace limpet::plan_test
