#include "exporter/collectors/netstat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include "exporter/collectors/catalog/netstat.h"
#include "tests/support/families.h"
#include "tests/support/map_files.h"

namespace limpet::netstat_test {
namespace {

using testing::FileTree;
using testing::MapFiles;
using testing::Value;

TEST(Netstat, ReadsFiveFiles) {
  const auto tree = std::make_shared<FileTree>();
  tree->files = {{"net/snmp",
                  "Ip: Forwarding DefaultTTL\nIp: 2 64\n"
                  "Tcp: MaxConn CurrEstab InSegs OutSegs RetransSegs\nTcp: -1 3 100 90 5\n"},
                 {"net/netstat", "TcpExt: TCPTimeouts\nTcpExt: 8\nIpExt: InOctets\nIpExt: 9\n"},
                 {"net/snmp6", "Ip6InReceives  1\nIp6InOctets \t128\nUdp6NoPorts 4\n"},
                 {"net/sockstat", "sockets: used 16\nTCP: inuse 1 orphan 0 tw 2 alloc 1 mem 3\n"},
                 {"net/sockstat6", "TCP6: inuse 7\n"}};
  NetstatCollector netstat(std::make_unique<MapFiles>(tree), 4096);
  const auto page = netstat.Collect({}).value();
  EXPECT_EQ(Value(page, "netstat_ip_forwarding"), 2);
  EXPECT_EQ(Value(page, "netstat_tcp_curr_estab"), 3);
  EXPECT_EQ(Value(page, "netstat_tcp_retrans_segs_total"), 5);
  EXPECT_EQ(Value(page, "netstat_tcp_ext_tcp_timeouts_total"), 8);
  EXPECT_EQ(Value(page, "netstat_ip_ext_in_octets_total"), 9);
  EXPECT_EQ(Value(page, "netstat_ip6_in_octets_total"), 128);
  EXPECT_EQ(Value(page, "netstat_udp6_no_ports_total"), 4);
  EXPECT_EQ(Value(page, "sockstat_sockets_used"), 16);
  EXPECT_EQ(Value(page, "sockstat_TCP_tw"), 2);
  EXPECT_EQ(Value(page, "sockstat_TCP_mem"), 3);
  EXPECT_EQ(Value(page, "sockstat_TCP_mem_bytes"), 3 * 4096);
  EXPECT_EQ(Value(page, "sockstat_TCP6_inuse"), 7);
  EXPECT_EQ(Value(page, "netstat_udp_in_datagrams_total"), std::nullopt) << "not printed";
}

TEST(Netstat, AKernelWithoutIpv6IsFine) {
  const auto tree = std::make_shared<FileTree>();
  tree->files = {{"net/sockstat", "sockets: used 16\n"}};
  NetstatCollector netstat(std::make_unique<MapFiles>(tree), 4096);
  EXPECT_EQ(netstat.Collect({}).value().size(), 1U);
}

TEST(Netstat, IsIncompleteWithoutAFileThatIsThere) {
  const auto tree = std::make_shared<FileTree>();
  tree->files = {{"net/sockstat", "sockets: used 16\n"}, {"net/snmp", "Ip: A\nIp: 1\n"}};
  NetstatCollector netstat(std::make_unique<MapFiles>(tree), 4096);
  ASSERT_TRUE(netstat.Collect({}));
  EXPECT_FALSE(netstat.Incomplete()) << "the others are not there";
  tree->errors["net/snmp"] = ErrorCode::kUnavailable;
  EXPECT_EQ(netstat.Collect({}).value().size(), 1U);
  EXPECT_EQ(netstat.Incomplete().value().Text(), "net/snmp: Input/output error");
}

TEST(Netstat, NothingAtAllIsAnError) {
  NetstatCollector netstat(std::make_unique<MapFiles>(std::make_shared<FileTree>()), 4096);
  EXPECT_FALSE(netstat.Collect({}));
}

// Ours is derived from node_exporter's: in lower case without underscores both are the same.
TEST(Netstat, NamesAreNodeExportersInSnakeCase) {
  const auto bare = [](std::string_view name) {
    std::string out;
    for (const char c : name) {
      if (c != '_') {
        out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      }
    }
    return out;
  };
  std::set<std::string_view> names;
  for (const auto& row : catalog::kNetstatRows) {
    EXPECT_TRUE(names.insert(row.info.name).second) << row.info.name;
    auto ours = row.info.name;
    if (row.info.type == MetricType::kCounter) {
      ASSERT_TRUE(ours.ends_with("_total")) << ours;
      ours.remove_suffix(6);
    }
    const bool sockets = ours.starts_with("sockstat_");
    const auto theirs = std::string(sockets ? "sockstat_" : "netstat_") +
                        std::string(row.protocol) + "_" + std::string(row.field);
    EXPECT_EQ(bare(ours), bare(theirs));
    EXPECT_EQ(sockets ? row.info.name : row.info.node_exporter_name, theirs);
  }
}

}  // namespace
}  // namespace limpet::netstat_test
