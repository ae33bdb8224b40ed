#include "exporter/kernel/net_dev.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace limpet::net_dev_test {
namespace {

constexpr std::string_view kHeadings =
    "Inter-|   Receive                                                |  Transmit\n"
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop "
    "fifo colls carrier compressed\n";

std::string Page(std::string_view lines) {
  std::string page;
  return page.append(kHeadings).append(lines);
}

TEST(NetDev, ReadsSixteenCountersAnInterface) {
  const auto page = Page("  eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n");
  const auto dev = ParseNetDev(page);
  ASSERT_EQ(dev.lines.size(), 1U);
  EXPECT_EQ(dev.lines[0].name, "eth0");
  EXPECT_EQ(dev.lines[0].counters[kReceiveBytes], 1U);
  EXPECT_EQ(dev.lines[0].counters[kReceiveMulticast], 8U);
  EXPECT_EQ(dev.lines[0].counters[kTransmitBytes], 9U);
  EXPECT_EQ(dev.lines[0].counters[kTransmitColls], 14U);
  EXPECT_EQ(dev.lines[0].counters[kTransmitCompressed], 16U);
  EXPECT_EQ(dev.skipped, 0U);
}

TEST(NetDev, NeedsNoBlankAfterTheColon) {
  const auto dev = ParseNetDev(
      "eth0:123 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
      "eth0:1: 7 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n"
      "br:0:8 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n");
  ASSERT_EQ(dev.lines.size(), 3U);
  EXPECT_EQ(dev.lines[0].name, "eth0");
  EXPECT_EQ(dev.lines[0].counters[kReceiveBytes], 123U);
  EXPECT_EQ(dev.lines[1].name, "eth0:1") << "split at the last colon";
  EXPECT_EQ(dev.lines[1].counters[kReceiveBytes], 7U);
  EXPECT_EQ(dev.lines[2].name, "br:0");
}

TEST(NetDev, ReadsWhatIsWholeAndNamesTheFirstLineThatIsNot) {
  const auto page = Page(
      "eth0: 1 2 3\n"
      "eth1: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
      "no colon here\n"
      ": 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
      "eth2: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 1");
  const auto dev = ParseNetDev(page);
  ASSERT_EQ(dev.lines.size(), 1U);
  EXPECT_EQ(dev.lines[0].name, "eth1");
  EXPECT_EQ(dev.skipped, 4U);
  EXPECT_EQ(dev.problem, "line 3: expected an interface, a colon and 16 numbers");
}

TEST(NetDev, EmptyAndBinaryFilesHoldNoInterfaces) {
  EXPECT_TRUE(ParseNetDev("").lines.empty());
  EXPECT_EQ(ParseNetDev("").skipped, 0U);
  EXPECT_TRUE(ParseNetDev(std::string("\0:\xff\n", 4)).lines.empty());
}

}  // namespace
}  // namespace limpet::net_dev_test
