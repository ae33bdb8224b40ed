#include "exporter/collectors/facts/parse.h"

#include <gtest/gtest.h>

namespace limpet::parse_test {
namespace {

TEST(FactParse, SpeedsAreReadWithTheirUnit) {
  EXPECT_EQ(ParseSataSpeed("6.0 Gbps\n"), 7.5e8);
  EXPECT_EQ(ParsePcieSpeed("16.0 GT/s PCIe\n"), 16e9);
  EXPECT_EQ(ParsePcieSpeed("5 GT/s\n"), 5e9);
  for (const auto* text : {"", "6.0", "Unknown", "-1 Gbps", "nan Gbps", "1e99 Gbps", "6,0 Gbps"}) {
    EXPECT_EQ(ParseSataSpeed(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseChoice("[none] mq-deadline\n"), "none");
  EXPECT_EQ(ParseChoice("none\n"), "none");
}

// 255: intel/compute-runtime#323.
TEST(FactParse, AWidthThatNobodyKnowsIsNone) {
  EXPECT_EQ(ParseLanes("1\n"), 1);
  EXPECT_EQ(ParseLanes("32\n"), 32);
  for (const auto* text : {"0\n", "63\n", "255\n", "", "x4\n", "-1\n"}) {
    EXPECT_EQ(ParseLanes(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParsePcieSpeed("Unknown\n"), std::nullopt);
  EXPECT_EQ(ParsePcieSpeed("Unknown speed\n"), std::nullopt);
}

TEST(FactParse, AWordIsNoLongerThanALabelMayBe) {
  EXPECT_EQ(ParseWord(std::string(100'000, 'x')).size(), 256U);
}

TEST(FactParse, TheBacklogsOfAllProcessorsAreAddedUp) {
  constexpr auto kTwo =
      "01bfb41e 00000002 00000001 00000000 00000000\n01a751b8 0000001f 00000004 00000000\n";
  EXPECT_EQ(ParseSoftnetDropped(kTwo), 33);
  EXPECT_EQ(ParseSoftnetSqueezed(kTwo), 5);
  for (const auto* text : {"", "01bfb41e\n", "1 2 x\n", "1 2 100000000\n"}) {
    EXPECT_EQ(ParseSoftnetSqueezed(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace limpet::parse_test
