#include "exporter/collectors/infiniband_counters.h"

#include <gtest/gtest.h>

namespace limpet::infiniband_counters_test {
namespace {

TEST(InfinibandCounters, RatesAndStates) {
  EXPECT_EQ(ParsePortRate("2.5 Gb/sec (1X SDR)\n"), 312.5e6);
  EXPECT_EQ(ParsePortRate("400 Gb/sec (4X NDR)"), 50e9);
  for (const auto* const text : {"", "0 Gb/sec", "100", "100 Mb/sec", "-1 Gb/sec", "nan Gb/sec"}) {
    EXPECT_EQ(ParsePortRate(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParsePortState("4: ACTIVE\n"), 4U);
  EXPECT_EQ(ParsePortState("5"), 5U);
  EXPECT_EQ(ParsePortState(": x"), std::nullopt);
}

TEST(InfinibandCounters, NamesOfPorts) {
  EXPECT_EQ(SplitPortName("mlx5_0/1"), std::pair(std::string("mlx5_0"), std::string("1")));
}

}  // namespace
}  // namespace limpet::infiniband_counters_test
