#include "diagnoser/config/custom_slips.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace limpet::custom_slips_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<CustomMetric> Latency() {
  CustomMetric metric;
  metric.name = "latency";
  metric.shape = CustomShape::kMean;
  metric.series = "ceph_osd_op_w_latency_sum";
  metric.count = "ceph_osd_op_w_latency_count";
  return {metric};
}

TEST(CustomSlipsTest, UnknownSeriesIsToldWithTheOneMeant) {
  EXPECT_THAT(FindCustomSlips(Latency(), {"ceph_osd_op_w_latency_sum", "ceph_osd_op_w_latncy_count",
                                          "node_load1"}),
              ElementsAre("metrics: latency: no target has the series ceph_osd_op_w_latency_count; "
                          "did you mean ceph_osd_op_w_latncy_count?"));
}

TEST(CustomSlipsTest, SeriesThatAreThereAreNoSlip) {
  EXPECT_THAT(
      FindCustomSlips(Latency(), {"ceph_osd_op_w_latency_sum", "ceph_osd_op_w_latency_count"}),
      IsEmpty());
}

TEST(CustomSlipsTest, NothingLikeItIsSaidPlainly) {
  EXPECT_EQ(FindCustomSlips(Latency(), {}).size(), 2U);
}

}  // namespace
}  // namespace limpet::custom_slips_test
