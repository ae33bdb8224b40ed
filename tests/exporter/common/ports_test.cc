#include "exporter/common/ports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace limpet::ports_test {
namespace {

using ::testing::ElementsAre;

TEST(ParsePortRange, TakesAPortOrARange) {
  EXPECT_EQ(*ParsePortRange("2049"), (PortRange{2049, 2049}));
  EXPECT_EQ(*ParsePortRange("49152-49251"), (PortRange{49152, 49251}));
}

TEST(ParsePortRange, RefusesAnythingElseAndSaysWhatItGot) {
  for (const auto* text : {"", "0", "65536", "nfs", "10-", "-10", "20-10", "1-2-3", "+5", " 5"}) {
    const auto range = ParsePortRange(text);
    ASSERT_FALSE(range) << text;
    EXPECT_EQ(range.error().message,
              "expected a port such as 2049 or a range such as 49152-49251, got \"" +
                  std::string(text) + "\"");
  }
}

TEST(Normalise, SortsAndJoinsWhatOverlapsOrTouches) {
  const PortRange ranges[] = {{6800, 7300}, {2049, 2049}, {2050, 2051}, {7000, 7100}, {7301, 7301}};
  EXPECT_THAT(Normalise(ranges), ElementsAre(PortRange{2049, 2051}, PortRange{6800, 7301}));
}

TEST(Normalise, HoldsAtTheLastPort) {
  const PortRange ranges[] = {{1, 65535}, {65535, 65535}};
  EXPECT_THAT(Normalise(ranges), ElementsAre(PortRange{1, 65535}));
}

TEST(PortSet, HoldsBothEndsOfARange) {
  const PortRange ranges[] = {{24007, 24008}, {65535, 65535}};
  const PortSet ports(ranges);
  EXPECT_FALSE(ports.Contains(24006));
  EXPECT_TRUE(ports.Contains(24007));
  EXPECT_TRUE(ports.Contains(24008));
  EXPECT_FALSE(ports.Contains(24009));
  EXPECT_TRUE(ports.Contains(65535));
}

}  // namespace
}  // namespace limpet::ports_test
