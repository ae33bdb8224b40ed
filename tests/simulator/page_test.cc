#include "tests/simulator/page.h"

#include <gmock/gmock.h>

#include "diagnoser/pipeline/pipeline.h"

namespace limpet::simulator::page_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const ClusterSpec kSmall{.servers = 3, .clients = 2};

TEST(Pages, AreWhatTheExporterPrints) {
  Cluster cluster(kSmall, {.workload = Workload::kDdr, .seconds = 20});
  Pages pages(kSmall, {});
  ASSERT_EQ(pages.size(), 5U);
  const auto* snapshot = cluster.NextSecond();
  const auto server = pages.Render(*snapshot, 1);
  EXPECT_EQ(server.node, "io02");
  EXPECT_EQ(server.role, "io");
  EXPECT_THAT(server.text, HasSubstr("limpet_disk_reads_completed_total{device=\"sdb\"} "));
  EXPECT_THAT(server.text, HasSubstr("limpet_network_receive_bytes_total{device=\"eth0\"} "));
  EXPECT_THAT(server.text, HasSubstr("limpet_tcp_cwnd_segments{local_address=\"10.0.0.2\","
                                     "local_port=\"3334\",remote_address=\"10.1.0.1\","));
  const auto client = pages.Render(*snapshot, 4);
  EXPECT_EQ(client.role, "client");
  EXPECT_THAT(client.text, Not(HasSubstr("disk")));
}

TEST(Pages, CountSegmentsByPeerWhenAsked) {
  Cluster cluster(kSmall, {.workload = Workload::kDdr, .seconds = 20});
  Pages pages(kSmall, {.segments = true});
  const auto* snapshot = cluster.NextSecond();
  EXPECT_THAT(pages.Render(*snapshot, 1).text,
              HasSubstr("limpet_tcp_peer_segments_sent_total{local_address=\"10.0.0.2\","
                        "peer=\"10.1.0.1\",side=\"server\"} "));
  EXPECT_THAT(pages.Render(*snapshot, 4).text,
              HasSubstr("limpet_tcp_peer_segments_retransmitted_total{local_address=\"10.1.0.2\","
                        "peer=\"10.0.0.3\",side=\"client\"} 0\n"));
}

TEST(Pages, OfARecordingSayWhoAndWhen) {
  Cluster cluster(kSmall, {.workload = Workload::kDdr, .seconds = 20});
  Pages pages(kSmall, {.start = UnixFromSeconds(1000), .recording = true});
  const auto page = pages.Render(*cluster.NextSecond(), 0);
  EXPECT_THAT(std::string(page.text),
              ::testing::ContainsRegex("limpet_disk_io_now\\{device=\"sdb\",instance=\"io01\",role="
                                       "\"io\"\\} 0 1001\\.0[01][0-9]\n"));
}

TEST(Pages, EveryLineIsWantedByThePipeline) {
  Cluster cluster(kSmall, {.workload = Workload::kPostmark, .seconds = 20});
  Pages pages(kSmall, {});
  Pipeline pipeline(
      {.presets = {DefaultPreset()},
       .groups = {{.name = "io", .kind = GroupKind::kStorage, .roles = {"io"}, .device = "^sd"},
                  {.name = "net", .kind = GroupKind::kNetwork, .roles = {"io"}, .device = "^eth"},
                  {.name = "cwnd", .kind = GroupKind::kCwnd, .roles = {"io"}, .ports = {3334}}}});
  while (const auto* snapshot = cluster.NextSecond()) {
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const auto page = pages.Render(*snapshot, i);
      const auto stats = pipeline.Ingest({.source = page.node,
                                          .node = page.node,
                                          .role = page.role,
                                          .labels = {},
                                          .at = page.at,
                                          .text = page.text});
      ASSERT_TRUE(stats) << stats.error().Text();
      EXPECT_EQ(stats->late, 0U);
      // A server: eight disk counters (not the requests in flight), four of the interface, two of
      // each of two connections; a client: two of each of three.
      EXPECT_EQ(stats->mapped, i < 3 ? 16U : 6U);
    }
  }
}

}  // namespace
}  // namespace limpet::simulator::page_test
