#include "diagnoser/detect/profile/metrics.h"

#include <gtest/gtest.h>

namespace limpet {
namespace {

TEST(HostMetrics, ProcessorTimeIsAShareOfAllModes) {
  auto sample = MissingHostSample();
  // Four processors for a second.
  SetCpu({.user = 1, .system = 0.5, .iowait = 0.25, .idle = 2, .others = 0.25}, sample);
  EXPECT_DOUBLE_EQ(sample[Index(HostMetric::kUser)], 25);
  EXPECT_DOUBLE_EQ(sample[Index(HostMetric::kSystem)], 12.5);
  EXPECT_DOUBLE_EQ(sample[Index(HostMetric::kIowait)], 6.25);
}

TEST(HostMetrics, WithoutIdleTimeOneProcessorIsAssumed) {
  auto sample = MissingHostSample();
  SetCpu({.user = 0.3, .system = 0.1, .iowait = 0}, sample);
  EXPECT_DOUBLE_EQ(sample[Index(HostMetric::kUser)], 30);
}

// Two processors that are both at work for the whole second.
TEST(HostMetrics, NoIdleTimeAtAllIsNotASourceWithoutIt) {
  auto sample = MissingHostSample();
  SetCpu({.user = 1.5, .system = 0.5, .iowait = 0, .idle = 0}, sample);
  EXPECT_DOUBLE_EQ(sample[Index(HostMetric::kUser)], 75);
}

TEST(HostMetrics, AMissingModeLeavesItsMetricMissing) {
  auto sample = MissingHostSample();
  SetCpu({.user = kMissing, .system = 0.1, .iowait = 0}, sample);
  EXPECT_TRUE(IsMissing(sample[Index(HostMetric::kUser)]));
  EXPECT_DOUBLE_EQ(sample[Index(HostMetric::kSystem)], 10);
}

TEST(HostMetrics, EveryNameIsFoundAgain) {
  for (std::size_t i = 0; i < kHostMetrics; ++i) {
    EXPECT_EQ(HostMetricByName(kHostMetricInfos[i].name), static_cast<HostMetric>(i));
  }
  EXPECT_EQ(HostMetricByName("users"), std::nullopt);
}

}  // namespace
}  // namespace limpet
