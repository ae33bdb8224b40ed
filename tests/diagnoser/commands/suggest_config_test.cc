#include "diagnoser/commands/suggest_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace limpet::suggest_config_test {
namespace {

TEST(ReadSeenNode, ReadsDisksConnectionsAndDaemonsOfAPage) {
  FetchResult page;
  page.body =
      "limpet_disk_reads_completed_total{device=\"sda\"} 1\n"
      "limpet_disk_reads_completed_total{device=\"sda1\"} 1\n"
      "limpet_disk_info{device=\"sda\",model=\"ST4000\",rotational=\"1\"} 1\n"
      "limpet_network_receive_bytes_total{device=\"lo\"} 1\n"
      "limpet_tcp_peer_sockets{local_address=\"a\",peer=\"b\",side=\"server\"} 2\n"
      "limpet_tcp_peer_sockets{local_address=\"a\",peer=\"c\",side=\"client\"} 0\n"
      "limpet_syscall_processes{process=\"ceph-osd\",process_role=\"server\"} 1\n";
  const auto node = ReadSeenNode({.node = "io01"}, page);
  ASSERT_EQ(node.disks.size(), 1U);
  EXPECT_EQ(node.disks[0].model, "ST4000");
  EXPECT_EQ(node.disks[0].rotational, "1");
  EXPECT_TRUE(node.serves && node.windows);
  EXPECT_FALSE(node.uses);
  EXPECT_TRUE(node.processes.contains("ceph-osd"));
}

// What is suggested for any exporter has to pass its own check where the packs are not installed.
TEST(ReadSeenNode, SuggestsPacksOfWhatFewHave) {
  FetchResult page;
  page.body =
      "limpet_tcp_peer_bytes_acked_total{local_address=\"a\",peer=\"b\",side=\"server\"} 2\n"
      "etcd_disk_wal_fsync_duration_seconds_bucket{le=\"+Inf\"} 1\n";
  EXPECT_EQ(ReadSeenNode({.node = "io01"}, page).packs, std::set<std::string>{"etcd"});
}

TEST(ReadSeenNode, SaysWhyThereIsNothing) {
  FetchResult page;
  page.failure = FetchFailure::kConnect;
  page.error = "refused";
  EXPECT_EQ(ReadSeenNode({.node = "io01"}, page).error, "refused");
  FetchResult garbage;
  garbage.body = "hello world\n";
  EXPECT_NE(ReadSeenNode({.node = "io01"}, garbage).error, "");
}

}  // namespace
}  // namespace limpet::suggest_config_test
