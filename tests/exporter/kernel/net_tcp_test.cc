#include "exporter/kernel/net_tcp.h"

#include <gtest/gtest.h>

#include <string>

namespace limpet::net_tcp_test {
namespace {

// Linux 6.18, shortened to what is needed: a listener, two connections, a TIME_WAIT, a SYN_RECV.
constexpr std::string_view kTcp =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout "
    "inode"
    "                                                     \n"
    "   0: 00000000:0801 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 "
    "1234 1"
    " 0000000000000000 100 0 0 10 0                      \n"
    "   1: 0100000A:0801 0101000A:9C40 01 00000000:00000000 02:000A7214 00000000     0        0 "
    "5678 2"
    " 0000000000000000 20 4 30 84 42\n"
    "   2: 0100000A:0016 0101000A:9C41 01 00000000:00000000 02:000A7214 00000000     0        0 "
    "5679 2"
    " 0000000000000000 20 4 30 10 -1\n"
    "   3: 0100000A:0801 0101000A:9C42 06 00000000:00000000 03:00000D5A 00000000     0        0 0 3"
    " 0000000000000000\n"
    "   4: 0100000A:0801 0101000A:9C43 03 00000000:00000000 01:00000D5A 00000000     0        0 0 1"
    " 0000000000000000\n";

constexpr std::string_view kTcp6 =
    "  sl  local_address                         remote_address                        st "
    "tx_queue\n"
    "   0: 0000000000000000FFFF00000100000A:0801 0000000000000000FFFF00000101000A:9C40 01"
    " 00000000:00000000 02:000A7214 00000000     0        0 99 2 0000000000000000 20 4 30 7 42\n"
    "   1: 000000FD000000000000000001000000:0801 000000FD000000000000000002000000:9C40 01"
    " 00000000:00000000 02:000A7214 00000000     0        0 98 2 0000000000000000 20 4 30 8 42\n";

PortSet Nfs() {
  const PortRange nfs[] = {{2049, 2049}};
  return PortSet(nfs);
}

TEST(ParseNetTcp, ReadsTheWindowOfConnectionsOnThePorts) {
  const auto ports = Nfs();
  const auto result = ParseNetTcp(kTcp, &ports, 100);
  ASSERT_EQ(result.found.sockets.size(), 2U);
  EXPECT_EQ(result.found.sockets[0].state, kTcpListen);
  EXPECT_FALSE(result.found.sockets[0].cwnd);
  const auto& socket = result.found.sockets[1];
  EXPECT_EQ(socket.local.Text(), "10.0.0.1");
  EXPECT_EQ(socket.local_port, 2049);
  EXPECT_EQ(socket.remote.Text(), "10.0.1.1");
  EXPECT_EQ(socket.remote_port, 40000);
  EXPECT_EQ(socket.cwnd, 84U);
  EXPECT_FALSE(socket.details);
  EXPECT_EQ(result.bad_lines, 0U);
}

TEST(ParseNetTcp, LeavesOutTimeWaitAndSynRecvWhoseLinesAreShort) {
  const auto result = ParseNetTcp(kTcp, nullptr, 100);
  EXPECT_EQ(result.found.sockets.size(), 3U);
  EXPECT_EQ(result.bad_lines, 0U);
}

TEST(ParseNetTcp, ReadsIPv6AndPrintsMappedAddressesAsIPv4) {
  const auto result = ParseNetTcp(kTcp6, nullptr, 100);
  ASSERT_EQ(result.found.sockets.size(), 2U);
  EXPECT_EQ(result.found.sockets[0].local.Text(), "10.0.0.1");
  EXPECT_EQ(result.found.sockets[1].local.Text(), "fd00::1");
  EXPECT_EQ(result.found.sockets[1].remote.Text(), "fd00::2");
  EXPECT_EQ(result.found.sockets[1].cwnd, 8U);
}

TEST(ParseNetTcp, GivesTwoConnectionsTwoIdsAndOneTheSameTwice) {
  const auto first = ParseNetTcp(kTcp, nullptr, 100).found.sockets;
  const auto again = ParseNetTcp(kTcp, nullptr, 100).found.sockets;
  EXPECT_NE(first[1].id, first[2].id);
  EXPECT_EQ(first[1].id, again[1].id);
}

TEST(ParseNetTcp, CountsWhatIsOverTheBound) {
  const auto result = ParseNetTcp(kTcp, nullptr, 1);
  EXPECT_EQ(result.found.sockets.size(), 1U);
  EXPECT_EQ(result.found.dropped, 2U);
}

TEST(ParseNetTcp, SkipsDamagedLinesAndKeepsTheRest) {
  using std::string_view_literals::operator""sv;
  constexpr auto kText =
      "header\n"
      "   0: 0100000A:08\n"
      "\n"
      "garbage\n"
      "\0\0\xff\n"
      "   1: 0100000A:0801 0101000A:9C40 01 0:0 2:0 0 0 0 1 2 0 20 4 30 84 42\n"
      "   2: 0100000A:0801 0101000A:9C41 01 0:0 2:0 0 0 0 x 2 0 20 4 30 84 42\n"
      "   3: 0100000A:0801 0101000A:9C42 01 0:0 2:0 0 0 0 1 2 0\n"sv;
  const auto result = ParseNetTcp(kText, nullptr, 100);
  ASSERT_EQ(result.found.sockets.size(), 2U);
  EXPECT_EQ(result.found.sockets[0].cwnd, 84U);
  EXPECT_FALSE(result.found.sockets[1].cwnd);  // a line that ends before the column
  EXPECT_EQ(result.bad_lines, 4U);
}

// "cwnd 84" cut to "cwnd 8" would be a window that collapsed.
TEST(ParseNetTcp, TakesNothingFromALineThatIsCut) {
  const std::string text =
      "header\n"
      "   1: 0100000A:0801 0101000A:9C40 01 0:0 2:0 0 0 0 1 2 0 20 4 30 84 42\n"
      "   2: 0100000A:0801 0101000A:9C41 01 0:0 2:0 0 0 0 2 2 0 20 4 30 84 42\n";
  const auto whole = text.find("   2:");
  for (std::size_t length = whole + 1; length < text.size(); ++length) {
    const auto result = ParseNetTcp(std::string_view(text).substr(0, length), nullptr, 100);
    ASSERT_EQ(result.found.sockets.size(), 1U) << length;
    EXPECT_EQ(result.bad_lines, 1U) << length;
  }
  EXPECT_EQ(ParseNetTcp(text, nullptr, 100).found.sockets.size(), 2U);
  EXPECT_TRUE(ParseNetTcp("header", nullptr, 100).found.sockets.empty());
}

TEST(ParseNetTcp, AnEmptyFileHasNoSockets) {
  EXPECT_TRUE(ParseNetTcp("", nullptr, 100).found.sockets.empty());
}

}  // namespace
}  // namespace limpet::net_tcp_test
