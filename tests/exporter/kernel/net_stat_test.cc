#include "exporter/kernel/net_stat.h"

#include <gtest/gtest.h>

#include <array>

namespace limpet::net_stat_test {
namespace {

constexpr std::array kFields = {NetStatField{"Tcp", "RetransSegs"}, NetStatField{"Tcp", "InSegs"},
                                NetStatField{"Udp", "InSegs"}};

PairedLines Parser() { return PairedLines({kFields.begin(), kFields.end()}); }

TEST(PairedLines, FindsNumbersUnderTheirNames) {
  auto parser = Parser();
  EXPECT_EQ(parser.Parse("Ip: Forwarding\nIp: 2\n"
                         "Tcp: MaxConn InSegs OutSegs RetransSegs\nTcp: -1 5 6 7\n"
                         "Udp: InSegs\nUdp: 9\n"),
            (NetStatValues{7, 5, 9}));
}

TEST(PairedLines, LearnsAChangedHeadingAnew) {
  auto parser = Parser();
  EXPECT_EQ(parser.Parse("Tcp: InSegs RetransSegs\nTcp: 1 2\n"),
            (NetStatValues{2, 1, std::nullopt}));
  EXPECT_EQ(parser.Parse("Tcp: InSegs RetransSegs\nTcp: 3 4\n"),
            (NetStatValues{4, 3, std::nullopt}));
  EXPECT_EQ(parser.Parse("Tcp: RetransSegs InSegs\nTcp: 5 6\n"),
            (NetStatValues{5, 6, std::nullopt}));
}

TEST(PairedLines, LeavesOutWhatIsDamaged) {
  auto parser = Parser();
  EXPECT_EQ(parser.Parse(""), NetStatValues(3));
  EXPECT_EQ(parser.Parse("Tcp: InSegs RetransSegs\n"), NetStatValues(3)) << "no numbers";
  EXPECT_EQ(parser.Parse("Tcp: InSegs RetransSegs\nTcp: 1 2"), NetStatValues(3)) << "cut";
  EXPECT_EQ(parser.Parse("Tcp: InSegs RetransSegs\nTcp: 1\n"),
            (NetStatValues{std::nullopt, 1, std::nullopt}));
  EXPECT_EQ(parser.Parse("Tcp: InSegs RetransSegs\nUdp: 1 2\n"), NetStatValues(3)) << "mismatch";
  EXPECT_EQ(parser.Parse("Tcp: InSegs RetransSegs\nTcp: x -2\n"), NetStatValues(3));
  EXPECT_EQ(parser.Parse("\xff\n\n\n:\n"), NetStatValues(3));
}

TEST(Sockstat, ReadsPairsOfNameAndNumber) {
  const std::array fields = {NetStatField{"sockets", "used"}, NetStatField{"TCP", "mem"},
                             NetStatField{"UDP", "mem"}};
  EXPECT_EQ(ParseSockstat("sockets: used 16\nTCP: inuse 1 orphan 0 tw 1 alloc 1 mem 227\n"
                          "UDP: inuse 0 mem\n",
                          fields),
            (NetStatValues{16, 227, std::nullopt}));
  EXPECT_EQ(ParseSockstat("sockets: used 16", fields), NetStatValues(3)) << "cut";
}

}  // namespace
}  // namespace limpet::net_stat_test
