#include "diagnoser/config/shard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "diagnoser/config/groups.h"

namespace limpet::shard_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

PeerGroupRule Rack(const std::string& name, const std::string& rack,
                   GroupKind kind = GroupKind::kStorage) {
  return {.name = name, .kind = kind, .roles = {"server"}, .labels = {{"rack", rack}}};
}
std::vector<std::string> NamesOf(const std::vector<PeerGroupRule>& groups) {
  std::vector<std::string> names;
  for (const auto& group : groups) {
    names.push_back(group.name);
  }
  return names;
}
std::vector<std::string> NodesOf(const std::vector<Target>& targets) {
  std::vector<std::string> nodes;
  for (const auto& target : targets) {
    nodes.push_back(target.node);
  }
  return nodes;
}

TEST(Shard, GroupsOfOneRoleStayTogether) {
  const std::vector<Target> targets = {{.node = "a", .role = "mds"}, {.node = "b", .role = "oss"}};
  const auto groups = DefaultGroups(targets);
  EXPECT_THAT(GroupSets(groups), ElementsAre(ElementsAre(0, 1, 2), ElementsAre(3, 4, 5)));
  EXPECT_THAT(NamesOf(SelectGroups({.index = 1, .count = 2}, groups)),
              ElementsAre("oss-disks", "oss-network", "oss-cwnd"));
}

TEST(Shard, PlainLabelsOfTheServerTellGroupsApart) {
  const std::vector<PeerGroupRule> groups = {
      Rack("d1", "r1"), Rack("n1", "r1", GroupKind::kNetwork), Rack("d2", "r2"), Rack("d3", "r3")};
  EXPECT_THAT(GroupSets(groups), ElementsAre(ElementsAre(0, 1), ElementsAre(2), ElementsAre(3)));
  EXPECT_THAT(NamesOf(SelectGroups({.index = 0, .count = 2}, groups)),
              ElementsAre("d1", "n1", "d3"));
  EXPECT_THAT(NamesOf(SelectGroups({.index = 1, .count = 2}, groups)), ElementsAre("d2"));
  EXPECT_THAT(SelectGroups({.index = 3, .count = 4}, groups), IsEmpty());
  EXPECT_THAT(SelectGroups({}, groups), SizeIs(4));
}

TEST(Shard, WhatMayShareAServerStaysTogether) {
  auto any = Rack("any", "r1");
  any.labels.clear();
  EXPECT_THAT(GroupSets(std::vector{Rack("a", "r1"), Rack("b", "r2"), any}), SizeIs(1));
  EXPECT_THAT(GroupSets(std::vector{Rack("a", "r1"), Rack("b", "r[12]")}), SizeIs(1));
  auto wwn = Rack("w", "r1");
  wwn.labels = {{"wwn", "a"}};
  auto other = wwn;
  other.labels = {{"wwn", "b"}};
  EXPECT_THAT(GroupSets(std::vector{wwn, other}), SizeIs(1));  // disks of one server, perhaps
  auto without = Rack("n", "r2");
  without.labels[0].negate = true;
  EXPECT_THAT(GroupSets(std::vector{Rack("a", "r1"), without}), SizeIs(1));
}

TEST(Shard, EveryGroupIsInExactlyOneShard) {
  std::vector<PeerGroupRule> groups;
  for (int i = 0; i < 10; ++i) {
    groups.push_back(Rack("d" + std::to_string(i), "r" + std::to_string(i)));
  }
  std::multiset<std::string> dealt;
  for (std::size_t index = 0; index < 4; ++index) {
    const auto mine = NamesOf(SelectGroups({.index = index, .count = 4}, groups));
    EXPECT_LE(mine.size(), 3U);
    dealt.insert(mine.begin(), mine.end());
  }
  EXPECT_THAT(dealt, SizeIs(10));
  EXPECT_THAT(std::set<std::string>(dealt.begin(), dealt.end()), SizeIs(10));
}

TEST(Shard, OnlyTargetsThatItsGroupsMayWantAreScraped) {
  const std::vector<Target> targets = {
      {.node = "a", .role = "server", .labels = {{"rack", "r1"}}},
      {.node = "b", .role = "server", .labels = {{"rack", "r2"}}},
      {.node = "c", .role = "client", .labels = {{"rack", "r1"}}},
      {.node = "d", .role = "server", .labels = {}}};  // its series may say the rack
  EXPECT_THAT(NodesOf(SelectTargets(std::vector{Rack("d1", "r1")}, targets)),
              ElementsAre("a", "d"));
  const auto windows = Rack("w1", "r1", GroupKind::kCwnd);
  EXPECT_THAT(SelectTargets(std::vector{Rack("d1", "r1"), windows}, targets), SizeIs(4));
  EXPECT_THAT(SelectTargets({}, targets), IsEmpty());
}

}  // namespace
}  // namespace limpet::shard_test
