#include "diagnoser/config/store.h"

#include <gtest/gtest.h>

namespace limpet::store_test {
namespace {

using std::chrono::seconds;

TEST(StoreWantsTest, SeriesOfTheConfigurationsMetricsAreAskedForByName) {
  CustomMetric metric;
  metric.name = "latency";
  metric.shape = CustomShape::kMean;
  metric.series = "op_sum";
  metric.count = "op_count";
  metric.node = {.join = {.series = "metadata", .on = {"daemon"}}, .label = "hostname"};
  const auto wants = WantsOf({}, seconds(15), std::span(&metric, 1));
  EXPECT_TRUE(wants.kinds.empty());
  EXPECT_EQ(wants.series, (std::set<std::string>{"metadata", "op_count", "op_sum"}));
}

TEST(StoreWantsTest, CongestionWindowsWantAShortStepAndSegmentsNone) {
  const std::vector<PeerGroupRule> groups = {{.name = "cwnd", .kind = GroupKind::kCwnd}};
  EXPECT_EQ(WantsOf(groups, seconds(15)).kinds, (std::set{EntityKind::kPeer}));
  EXPECT_EQ(WantsOf(groups, seconds(1)).kinds, (std::set{EntityKind::kPeer, EntityKind::kSocket}));
}

}  // namespace
}  // namespace limpet::store_test
