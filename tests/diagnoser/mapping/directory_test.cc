#include "diagnoser/mapping/directory.h"

#include <gmock/gmock.h>

namespace limpet::directory_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Field kReads{EntityKind::kDisk, 0};
constexpr Field kInfo{EntityKind::kDisk, kInfoField};

Directory Make(const std::vector<PeerGroupRule>& rules, const EntityLimits& limits = {}) {
  std::vector<Rule> compiled;
  for (const auto& rule : rules) {
    compiled.push_back(*Rule::Compile(rule));
  }
  return Directory(std::move(compiled), limits);
}

TEST(Directory, TwoSeriesOfOneDiskAreOneThing) {
  auto directory = Make({{.name = "io", .roles = {"io"}, .device = "^sd"}});
  const LabelPairs labels = {{"device", "sdb"}, {"instance", "io01"}, {"role", "io"}};
  const auto first = directory.Resolve(kReads, labels, {});
  ASSERT_TRUE(first);
  EXPECT_EQ(directory.Resolve({EntityKind::kDisk, 3}, labels, {}), first);
  EXPECT_EQ(directory.Count(), 1U);
  EXPECT_THAT(directory.Entities(EntityKind::kDisk)[*first].groups, ElementsAre(0U));
}

TEST(Directory, TheSourceNamesItsNode) {
  auto directory = Make({{.name = "io", .roles = {"io"}}});
  const auto disk = directory.Resolve(kReads, {{"device", "sdb"}, {"instance", "liar"}},
                                      {.node = "io01", .role = "io", .labels = {}});
  ASSERT_TRUE(disk);
  EXPECT_EQ(directory.Entities(EntityKind::kDisk)[*disk].node, "io01");
}

TEST(Directory, WhatNoGroupWantsIsNotKept) {
  auto directory = Make({{.name = "io", .roles = {"io"}, .device = "^sd"}});
  EXPECT_FALSE(
      directory.Resolve(kReads, {{"device", "loop0"}, {"instance", "io01"}, {"role", "io"}}, {}));
  EXPECT_FALSE(
      directory.Resolve(kReads, {{"device", "sdb"}, {"instance", "c01"}, {"role", "client"}}, {}));
  EXPECT_FALSE(directory.Resolve(kReads, {{"device", "sdb"}, {"role", "io"}}, {}));
  EXPECT_FALSE(directory.Resolve(kReads, {{"instance", "io01"}, {"role", "io"}}, {}));
  EXPECT_EQ(directory.Count(), 0U);
}

TEST(Directory, DiskInfoBringsADiskIntoItsGroup) {
  auto directory = Make({{.name = "new", .labels = {{.name = "model", .regex = "X.*"}}}});
  const auto disk = directory.Resolve(kReads, {{"device", "sdb"}, {"instance", "n"}}, {});
  ASSERT_TRUE(disk);
  EXPECT_THAT(directory.Entities(EntityKind::kDisk)[*disk].groups, IsEmpty());
  const auto version = directory.Version();
  EXPECT_EQ(
      directory.Resolve(
          kInfo, {{"device", "sdb"}, {"instance", "n"}, {"model", "X1"}, {"rotational", "0"}}, {}),
      disk);
  EXPECT_THAT(directory.Entities(EntityKind::kDisk)[*disk].groups, ElementsAre(0U));
  EXPECT_TRUE(directory.Entities(EntityKind::kDisk)[*disk].flash);
  EXPECT_NE(directory.Version(), version);
}

TEST(Directory, TargetLabelsCountForRules) {
  auto directory = Make({{.name = "r1", .labels = {{.name = "rack", .regex = "r1"}}}});
  const std::vector<std::pair<std::string, std::string>> labels = {{"rack", "r1"}};
  const auto disk =
      directory.Resolve(kReads, {{"device", "sdb"}}, {.node = "n", .role = "io", .labels = labels});
  ASSERT_TRUE(disk);
  EXPECT_THAT(directory.Entities(EntityKind::kDisk)[*disk].groups, ElementsAre(0U));
}

// How many of `count` disks of a node there was room for.
std::size_t AddDisks(Directory& directory, const std::string& node, int count) {
  std::size_t added = 0;
  for (int i = 0; i < count; ++i) {
    const auto device = "sd" + std::to_string(i);
    if (directory.Resolve(kReads, {{"device", device}, {"instance", node}}, {})) {
      ++added;
    }
  }
  return added;
}

TEST(Directory, ANodeHasNoMoreThanItMay) {
  auto directory = Make({{.name = "io"}}, {.per_node = 9, .devices_per_node = 5});
  EXPECT_EQ(AddDisks(directory, "a", 10), 5U);
  EXPECT_EQ(directory.Refused(), 5U);
  EXPECT_EQ(AddDisks(directory, "a", 5), 5U) << "they are there";
  EXPECT_EQ(AddDisks(directory, "b", 10), 5U);
}

TEST(Directory, NobodyTakesTheRoomThatIsReservedForTheOthers) {
  auto directory = Make({{.name = "io"}}, {.shared = 20, .reserved = 12, .devices_per_node = 100});
  directory.ExpectNodes(4);
  EXPECT_EQ(AddDisks(directory, "hostile", 100), 20U);
  EXPECT_EQ(AddDisks(directory, "a", 100), 3U);
  EXPECT_EQ(AddDisks(directory, "b", 100), 3U);
  EXPECT_EQ(AddDisks(directory, "c", 100), 3U);
  EXPECT_EQ(AddDisks(directory, "hostile", 100), 20U);
  directory.Forget(EntityKind::kDisk, 0);
  directory.Forget(EntityKind::kDisk, 1);
  EXPECT_EQ(AddDisks(directory, "c", 100), 3U) << "those beyond the shared ones count first";
}

TEST(Directory, AForgottenNumberIsGivenOutAgain) {
  auto directory = Make({{.name = "io"}});
  const LabelPairs labels = {{"device", "sdb"}, {"instance", "n"}};
  const auto disk = directory.Resolve(kReads, labels, {});
  directory.Forget(EntityKind::kDisk, *disk);
  EXPECT_EQ(directory.Count(), 0U);
  EXPECT_FALSE(directory.Entities(EntityKind::kDisk)[*disk].live);
  EXPECT_EQ(directory.Resolve(kReads, labels, {}), disk);
}

}  // namespace
}  // namespace limpet::directory_test
