#include "diagnoser/history/cluster.h"

#include <gmock/gmock.h>

#include <chrono>

#include "diagnoser/detect/default_presets.h"

namespace limpet::cluster_test {
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

TEST(Cluster, APresetNamesAsSoonAsItsScales) {
  using std::chrono::seconds;
  const auto cluster = MakeCluster({}, {}, WithScales(DefaultPresetFor(seconds(15))));
  ASSERT_THAT(cluster.presets, SizeIs(1));
  const auto& naming = cluster.presets[0].naming;
  ASSERT_THAT(naming, SizeIs(3));
  EXPECT_LE(naming[0].most, seconds(240)) << "a strong one, from scrapes every 15 s";
  EXPECT_DOUBLE_EQ(naming[0].times, 2);
  EXPECT_LT(naming[0].usual, naming[1].usual);
  EXPECT_THAT(MakeCluster({}, {}, {TestbenchPreset()}).presets[0].naming, SizeIs(0))
      << "trained degrees have no scale of their own";
}

}  // namespace
}  // namespace limpet::cluster_test
