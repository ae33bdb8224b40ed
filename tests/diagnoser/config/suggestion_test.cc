#include "diagnoser/config/suggestion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "diagnoser/config/review.h"

namespace limpet::suggestion_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

SeenNode Node(const std::string& name, std::vector<SeenDisk> disks) {
  SeenNode node;
  node.target.node = name;
  node.target.endpoint.host = name;
  node.disks = std::move(disks);
  node.windows = true;
  node.serves = true;
  return node;
}

std::vector<SeenNode> Cluster() {
  const std::vector<SeenDisk> both = {{"nvme0n1", "P4510", "0"}, {"sda", "ST4000", "1"}};
  std::vector<SeenNode> nodes = {Node("io01", both), Node("io02", both), Node("io03", both),
                                 Node("c1", {}), Node("io04", {})};
  nodes[3].serves = false;
  nodes[3].uses = true;
  nodes[4].error = "cannot connect";
  return nodes;
}

TEST(SuggestConfig, IsAConfigurationWithoutSlips) {
  const auto config = ParseDiagnoserConfig(SuggestConfig(Cluster()), "d.yml", [](const auto& path) {
    return Result<std::string>(Error{ErrorCode::kNotFound, "none", path});
  });
  ASSERT_TRUE(config) << config.error().Text();
  EXPECT_EQ(config->targets.size(), 4U);
  // Groups of one kind would hold a disk of the system, and NVMe beside what rotates.
  EXPECT_TRUE(std::ranges::any_of(config->all_groups, &PeerGroupRule::by_kind));
  const auto review = ReviewConfig(
      *config, [](const auto&) { return true; }, nullptr);
  EXPECT_THAT(review.warnings, IsEmpty());
}

TEST(SuggestConfig, TellsDisksAndRolesApartAndSaysWhatItSaw) {
  const auto text = SuggestConfig(Cluster());
  EXPECT_THAT(text, HasSubstr("#   io01: nvme0n1 (P4510) flash, sda (ST4000) rotating; congestion "
                              "windows, serves\n"));
  EXPECT_THAT(text, HasSubstr("#   io04: left out: cannot connect\n"));
  EXPECT_THAT(text, HasSubstr("  - {addresses: [\"c1:9836\"], role: client}\n"));
  EXPECT_THAT(text, HasSubstr("# Without peer_groups, "));
}

// Names, roles and labels of a list are what alerts and dashboards go by already.
TEST(SuggestConfig, KeepsWhatTheListSays) {
  auto nodes = Cluster();
  nodes[0].target.role = "oss \"fast\"";
  nodes[0].target.labels = {{"rack", "r1"}, {"a b", "true"}};
  nodes[1].target.node = "storage-2";
  nodes[1].target.endpoint.https = true;
  nodes[1].target.endpoint.path = "/m?x=1";
  const auto text = SuggestConfig(nodes);
  const auto config = ParseDiagnoserConfig(text, "d.yml", [](const auto& path) {
    return Result<std::string>(Error{ErrorCode::kNotFound, "none", path});
  });
  ASSERT_TRUE(config) << config.error().Text() << text;
  const auto find = [&](const std::string& node) {
    return *std::ranges::find(config->targets, node, &Target::node);
  };
  EXPECT_EQ(find("io01").role, nodes[0].target.role);
  EXPECT_EQ(find("io01").labels, nodes[0].target.labels);
  EXPECT_EQ(find("storage-2").endpoint, nodes[1].target.endpoint);
  EXPECT_EQ(find("storage-2").role, "server");
}

TEST(SuggestConfig, DaemonsNameTheRoleAndTheExample) {
  std::vector<SeenNode> nodes = {Node("a", {{"sda", "", ""}})};
  nodes[0].processes = {"ceph-osd"};
  nodes[0].windows = false;
  const auto text = SuggestConfig(nodes);
  EXPECT_THAT(text, HasSubstr("role: osd}"));
  EXPECT_THAT(text, HasSubstr("config/examples/ceph.yml"));
  EXPECT_THAT(text, HasSubstr("# osd: 1 of them: at least 3 are needed"));
}

TEST(WholeDisks, AreNeitherPartitionsNorLoopDevices) {
  std::vector<std::string> names;
  for (const auto& disk : WholeDisks({{"sda", "", ""},
                                      {"sda1", "", ""},
                                      {"nvme0n1", "", ""},
                                      {"nvme0n1p2", "", ""},
                                      {"loop0", "", ""},
                                      {"sr0", "", ""},
                                      {"dm-1", "", ""},
                                      {"dm-10", "", ""},
                                      {"sdaa", "", ""}})) {
    names.push_back(disk.device);
  }
  EXPECT_THAT(names, ::testing::ElementsAre("sda", "nvme0n1", "dm-1", "dm-10", "sdaa"));
}

}  // namespace
}  // namespace limpet::suggestion_test
