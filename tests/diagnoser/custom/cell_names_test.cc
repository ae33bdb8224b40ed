#include "diagnoser/custom/cell_names.h"

#include <gtest/gtest.h>

namespace limpet::cell_names_test {
namespace {

TEST(CellNamesTest, AComponentIsCalledByItsLabels) {
  CustomMetric metric;
  metric.component = {"vdev", "disk"};
  EXPECT_EQ(NameComponent(metric, {{"disk", "sdc"}, {"vdev", "raidz1-0"}}), "raidz1-0/sdc");
  EXPECT_FALSE(NameComponent(metric, {{"vdev", "raidz1-0"}}));
  metric.component = {"disk"};
  EXPECT_EQ(NameComponent(metric, {{"disk", std::string(300, 'x')}})->size(), kMaxComponentBytes);
}

TEST(CellNamesTest, TheTargetSaysWhichNodeItIs) {
  const LabelPairs labels = {{"instance", "io04:9100"}, {"role", "oss"}};
  EXPECT_EQ(NodeOf(labels, {}), "io04:9100");
  EXPECT_EQ(RoleOf(labels, {}), "oss");
  const LabelPairs host = {{"host", "io04"}};
  const SourceLabels target = {.node = "io04-etcd", .role = "etcd", .labels = host};
  EXPECT_EQ(NodeOf(labels, target), "io04-etcd");
  EXPECT_EQ(HostOf(labels, target), "io04");
  EXPECT_EQ(RoleOf(labels, target), "etcd");
}

TEST(CellNamesTest, OneComponentHasACellForEachMetric) {
  const CustomMetric metric;
  const SourceLabels target = {.node = "io04", .role = {}, .labels = {}};
  const auto one = CellKey(0, metric, "osd.7", {}, target);
  const auto other = CellKey(1, metric, "osd.7", {}, target);
  EXPECT_NE(one, other);
  EXPECT_EQ(NameInKey(one), NameInKey(other));
}

}  // namespace
}  // namespace limpet::cell_names_test
