#include "diagnoser/config/groups.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace limpet::groups_test {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

struct Outcome {
  std::vector<PeerGroupRule> groups;
  std::vector<std::string> problems;
};

Outcome Read(const std::string& text) {
  const auto root = yaml::Parse(text, "d.yml");
  yaml::Problems problems{.file = "d.yml", .texts = {}};
  yaml::MapReader top(root ? &*root : nullptr, "", problems);
  auto groups = ReadGroups(top);
  return {std::move(groups), std::move(problems.texts)};
}

std::vector<PeerGroupRule> Groups(const std::string& text) {
  auto read = Read(text);
  EXPECT_THAT(read.problems, IsEmpty());
  return std::move(read.groups);
}

std::vector<std::string> Problems(const std::string& text) { return Read(text).problems; }

std::vector<std::string> Names(const std::vector<PeerGroupRule>& groups) {
  std::vector<std::string> names;
  for (const auto& group : groups) {
    names.push_back(group.name);
  }
  return names;
}

Target Node(const std::string& node, const std::string& role) {
  return {.node = node, .role = role};
}

TEST(ReadGroups, WithoutTheSectionThereAreNone) {
  EXPECT_THAT(Groups(""), IsEmpty());
  EXPECT_THAT(Groups("peer_groups: []\n"), IsEmpty());
}

TEST(ReadGroups, AGroupIsARule) {
  EXPECT_THAT(
      Groups("peer_groups:\n"
             "  - {name: luns, kind: storage, roles: [nsd], device: '^dm-', labels: {gen: g1},\n"
             "     not_labels: {rack: 'r[12]'}}\n"),
      ElementsAre(PeerGroupRule{.name = "luns",
                                .kind = GroupKind::kStorage,
                                .roles = {"nsd"},
                                .labels = {{.name = "gen", .regex = "g1"},
                                           {.name = "rack", .regex = "r[12]", .negate = true}},
                                .device = "^dm-"}));
}

TEST(ReadGroups, AGroupHasANameAndAKind) {
  EXPECT_THAT(Problems("peer_groups: [{kind: storage}]\n"),
              ElementsAre("d.yml:1: peer_groups[0].name: expected a name"));
  EXPECT_THAT(Problems("peer_groups: [{name: a}]\n"),
              ElementsAre("d.yml:1: peer_groups[0].kind: expected one of storage network cwnd"));
  EXPECT_THAT(Problems("peer_groups: [{name: a, kind: disk}]\n"),
              ElementsAre("d.yml:1: peer_groups[0].kind: expected one of storage network cwnd, "
                          "got \"disk\""));
}

TEST(ReadGroups, NamesDiffer) {
  EXPECT_THAT(Problems("peer_groups:\n"
                       "  - {name: a, kind: storage}\n"
                       "  - {name: a, kind: network}\n"),
              ElementsAre("d.yml:3: peer_groups[1].name: the name a is taken by another group"));
}

TEST(ReadGroups, ExpressionsMustCompile) {
  EXPECT_THAT(Problems("peer_groups: [{name: a, kind: storage, device: '('}]\n"),
              ElementsAre(HasSubstr("peer_groups[0].device: expected a regular expression")));
  EXPECT_THAT(Problems("peer_groups: [{name: a, kind: storage, labels: {rack: '['}}]\n"),
              ElementsAre(HasSubstr("expected a regular expression")));
}

TEST(ReadGroups, UnknownKeysAreNamed) {
  EXPECT_THAT(Problems("peer_groups: [{name: a, kind: storage, role: oss}]\n"),
              ElementsAre(HasSubstr("peer_groups[0].role: unknown key")));
}

TEST(ReadGroups, PortsMayBeRanges) {
  const auto groups = Groups("peer_groups: [{name: w, kind: cwnd, ports: [2049, 5000-5002]}]\n");
  ASSERT_THAT(groups, SizeIs(1));
  EXPECT_THAT(groups[0].ports, ElementsAre(2049, 5000, 5001, 5002));
  EXPECT_THAT(Problems("peer_groups: [{name: w, kind: cwnd, ports: [70000]}]\n"),
              ElementsAre(HasSubstr("peer_groups[0].ports: expected a port such as 2049")));
}

TEST(ReadGroups, WithoutPortsCongestionWindowsAreThoseOfTheKnownFileSystems) {
  const auto groups = Groups("peer_groups: [{name: w, kind: cwnd}]\n");
  ASSERT_THAT(groups, SizeIs(1));
  EXPECT_THAT(groups[0].ports, Contains(988));   // Lustre
  EXPECT_THAT(groups[0].ports, Contains(2049));  // NFS
  EXPECT_THAT(groups[0].ports, Contains(7300));  // the last of Ceph's
  EXPECT_THAT(groups[0].ports, Not(Contains(22)));
}

TEST(ReadGroups, OnlyCongestionWindowsHavePorts) {
  EXPECT_THAT(Problems("peer_groups: [{name: a, kind: storage, ports: [1]}]\n"),
              ElementsAre("d.yml:1: peer_groups[0].ports: only groups of kind cwnd have ports"));
  EXPECT_THAT(Groups("peer_groups: [{name: a, kind: network}]\n").at(0).ports, IsEmpty());
}

TEST(ReadGroups, ARuleWithRecentMakesTwoGroups) {
  const auto groups = Groups("peer_groups: [{name: luns, kind: storage, recent: 24h}]\n");
  EXPECT_THAT(Names(groups), ElementsAre("luns", "luns-recent"));
  EXPECT_EQ(groups.at(0).recent, 24h);
  EXPECT_EQ(groups.at(0).recent_of, "");
  EXPECT_EQ(groups.at(1).recent_of, "luns");
  EXPECT_THAT(Problems("peer_groups:\n"
                       "  - {name: luns-recent, kind: storage}\n"
                       "  - {name: luns, kind: storage, recent: 24h}\n"),
              ElementsAre(HasSubstr("peer_groups[1].name: the name luns-recent is taken")));
}

TEST(ReadGroups, PeersMayBeTheDrivesOfOneNode) {
  const auto groups = Groups("peer_groups: [{name: d, kind: storage, per: node}]");
  ASSERT_THAT(groups, SizeIs(1));
  EXPECT_TRUE(groups[0].per_node);
  EXPECT_THAT(Problems("peer_groups: [{name: n, kind: network, per: node}]"), SizeIs(1));
  EXPECT_THAT(Problems("peer_groups: [{name: d, kind: storage, per: rack}]"), SizeIs(1));
}

TEST(ReadGroups, CongestionWindowsAreNeverRecent) {
  EXPECT_THAT(Problems("peer_groups: [{name: t, kind: cwnd, recent: 24h}]\n"),
              ElementsAre("d.yml:1: peer_groups[0].recent: only groups of kind storage and network "
                          "tell recent components apart"));
}

TEST(DefaultGroups, EveryRoleButClientHasOneOfEachKind) {
  const std::vector<Target> targets = {Node("a", "oss"), Node("b", "mds"), Node("c", "client"),
                                       Node("d", "oss")};
  const auto groups = DefaultGroups(targets);
  EXPECT_THAT(Names(groups), ElementsAre("mds-disks", "mds-network", "mds-cwnd", "oss-disks",
                                         "oss-network", "oss-cwnd"));
  EXPECT_EQ(groups[0].kind, GroupKind::kStorage);
  EXPECT_EQ(groups[1].kind, GroupKind::kNetwork);
  EXPECT_EQ(groups[2].kind, GroupKind::kCwnd);
  EXPECT_THAT(groups[2].roles, ElementsAre("mds"));
  EXPECT_THAT(groups[1].ports, IsEmpty());
  EXPECT_THAT(groups[2].ports, Contains(2049));
}

TEST(DefaultGroups, ClientsAloneHaveNone) {
  const std::vector<Target> clients = {Node("a", "client")};
  EXPECT_THAT(DefaultGroups(clients), IsEmpty());
}

TEST(DefaultGroups, OfAReplayTakeNodesOfAnyRole) {
  const auto groups = DefaultGroups({});
  EXPECT_THAT(Names(groups), ElementsAre("disks", "network", "cwnd"));
  EXPECT_TRUE(std::all_of(groups.begin(), groups.end(),
                          [](const PeerGroupRule& group) { return group.roles.empty(); }));
}

TEST(RecordedGroups, ClientsAreNoPeersOfServers) {
  const auto one = RecordedGroups({"client", "io"});
  ASSERT_EQ(one.size(), 3U);
  EXPECT_EQ(one[0].name, "disks");
  EXPECT_EQ(one[0].roles, std::vector<std::string>{"io"});
  const auto two = RecordedGroups({"client", "io", "meta"});
  ASSERT_EQ(two.size(), 6U);
  EXPECT_EQ(two[0].name, "io-disks");
  EXPECT_EQ(two[3].name, "meta-disks");
  EXPECT_EQ(RecordedGroups({}), DefaultGroups({})) << "who is a client nobody says";
  EXPECT_EQ(RecordedGroups({"client"}), DefaultGroups({}));
}

TEST(DefaultGroupsWith, RolesComeAndNeverGo) {
  const std::vector<Target> oss = {Node("a", "oss")};
  const std::vector<Target> mds = {Node("b", "mds")};
  const auto first = DefaultGroupsWith({}, oss);
  EXPECT_THAT(Names(first), ElementsAre("oss-disks", "oss-network", "oss-cwnd"));
  const auto both = DefaultGroupsWith(first, mds);
  EXPECT_THAT(Names(both), ElementsAre("mds-disks", "mds-network", "mds-cwnd", "oss-disks",
                                       "oss-network", "oss-cwnd"));
  EXPECT_EQ(DefaultGroupsWith(both, {}), both);
}

}  // namespace
}  // namespace limpet::groups_test
