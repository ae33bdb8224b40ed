#include "exporter/collectors/facts/parse.h"

#include <gtest/gtest.h>

namespace limpet {
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

}  // namespace
}  // namespace limpet
