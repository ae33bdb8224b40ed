#include "diagnoser/metrics/host.h"

#include <gtest/gtest.h>

namespace limpet::host_test {
namespace {

TEST(HostMetrics, ASampleIsMissingAtFirst) {
  for (const double value : MissingHostSample()) {
    EXPECT_TRUE(IsMissing(value));
  }
}

TEST(HostMetrics, EveryNameIsFoundAgain) {
  for (std::size_t i = 0; i < kHostMetrics; ++i) {
    EXPECT_EQ(HostMetricByName(HostMetrics()[i].name), static_cast<HostMetric>(i));
  }
  EXPECT_EQ(HostMetricByName("users"), std::nullopt);
}

}  // namespace
}  // namespace limpet::host_test
