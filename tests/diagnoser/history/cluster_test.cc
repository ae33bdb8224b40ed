#include "diagnoser/history/cluster.h"

#include <gmock/gmock.h>

namespace limpet {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(Cluster, JoinsTheDataAndTheTargetsByName) {
  Roster roster;
  roster.groups = {
      {.group = "disks", .components = {{.component = "b/sda", .node = "b", .device = "sda"}}},
      {.group = "lan", .kind = GroupKind::kNetwork}};
  roster.nodes["b"].role = "seen";
  const auto cluster = MakeCluster(
      roster, {{"a", {.role = "server", .labels = {{"rack", "r1"}}}}, {"b", {.role = "server"}}},
      {DefaultPreset()});
  ASSERT_THAT(cluster.nodes, SizeIs(2));
  EXPECT_EQ(cluster.Find("a"), 0U);
  EXPECT_EQ(cluster.Find("b"), 1U);
  EXPECT_EQ(cluster.Find("c"), std::nullopt);
  EXPECT_EQ(cluster.nodes[0].labels.at("rack"), "r1");
  EXPECT_EQ(cluster.nodes[1].role, "server");
  ASSERT_THAT(cluster.nodes[1].components, SizeIs(1));
  EXPECT_THAT(cluster.groups[0].roles, ElementsAre("server"));
  EXPECT_THAT(cluster.groups[1].roles, SizeIs(0));
  EXPECT_EQ(cluster.presets[0].window, std::chrono::seconds(64));
}

}  // namespace
}  // namespace limpet
