#include "diagnoser/evidence/packets/node_segments.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/pipeline/pipeline.h"

namespace limpet::node_segments_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr std::int64_t kStart = 1'699'920'000;
constexpr std::int64_t kOnset = 1200;  // s after it

// What a node has sent, sent again, received and received out of order so far, after so many s.
struct Totals {
  double sent = 0;
  double again = 0;
  double received = 0;
  std::optional<double> unordered;
};
using PageOf = std::function<std::string(int node, double seconds)>;

std::string NodeExporterPage(const Totals& totals) {
  auto page = fmt::format(
      "node_netstat_Tcp_OutSegs {}\nnode_netstat_Tcp_RetransSegs {}\nnode_netstat_Tcp_InSegs {}\n",
      totals.sent, totals.again, totals.received);
  if (totals.unordered) {
    page += fmt::format("node_netstat_TcpExt_TCPOFOQueue {}\n", *totals.unordered);
  }
  return page;
}

struct Said {
  std::set<std::string> nodes;
  std::set<std::string> metrics;
  std::optional<double> after;  // of the first verdict since the onset, s
};

// Four servers io0 to io3, scraped every `step` s for half an hour.
Said Play(std::int64_t step, const PageOf& page_of) {
  PipelineConfig config{.presets = WithScales(DefaultPresetFor(std::chrono::seconds(step))),
                        .groups = {}};
  config.groups = {{.name = "tcp", .kind = GroupKind::kCwnd, .roles = {"io"}, .ports = {3334}}};
  config.limits.future = std::chrono::seconds(2 * step);
  Pipeline pipeline(config);
  Said said;
  for (std::int64_t second = 0; second < kOnset + 120 * step; second += step) {
    const auto at = UnixFromSeconds(kStart + second);
    for (int node = 0; node < 4; ++node) {
      const auto name = fmt::format("io{}", node);
      const auto page = page_of(node, static_cast<double>(second));
      EXPECT_TRUE(
          pipeline.Ingest({.source = name, .node = name, .role = "io", .at = at, .text = page}));
    }
    for (const auto& event : pipeline.Advance(at)) {
      if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
        EXPECT_EQ(verdict->cause, Cause::kPacketLoss);
        said.nodes.insert(verdict->node);
        said.after = said.after.value_or(ToSeconds(at - UnixFromSeconds(kStart + kOnset)));
        for (const auto& evidence : verdict->evidence) {
          said.metrics.insert(evidence.metric);
        }
      }
    }
  }
  return said;
}

// Of 100 segments a second, this share from the onset on.
double Lost(double share, double seconds, double usual = 0.0004) {
  return 100 * (usual * seconds + share * std::max(0.0, seconds - kOnset));
}

TEST(NodeSegments, AServerThatLosesWhatItSendsIsNamedWithinFiveMinutes) {
  const auto said = Play(15, [](int node, double seconds) {
    return NodeExporterPage({.sent = 100 * seconds,
                             .again = Lost(node == 2 ? 0.05 : 0, seconds),
                             .received = 100 * seconds});
  });
  EXPECT_THAT(said.nodes, ElementsAre("io2"));
  EXPECT_THAT(said.metrics, ElementsAre("retrans_server"));
  ASSERT_TRUE(said.after);
  EXPECT_LE(*said.after, 270);
}

TEST(NodeSegments, AServerThatMissesWhatItReceivesIsNamedByWhatComesOutOfOrder) {
  const auto said = Play(15, [](int node, double seconds) {
    return NodeExporterPage({.sent = 100 * seconds,
                             .again = Lost(0, seconds),
                             .received = 100 * seconds,
                             .unordered = Lost(node == 1 ? 0.2 : 0, seconds, 0.001)});
  });
  EXPECT_THAT(said.nodes, ElementsAre("io1"));
  EXPECT_THAT(said.metrics, ElementsAre("unordered"));
  ASSERT_TRUE(said.after);
  EXPECT_LE(*said.after, 270);
}

TEST(NodeSegments, WhatAllLoseOrWhatIsTooLittleNamesNobody) {
  EXPECT_THAT(Play(15,
                   [](int, double seconds) {
                     return NodeExporterPage({.sent = 100 * seconds, .again = Lost(0.05, seconds)});
                   })
                  .nodes,
              IsEmpty());
  EXPECT_THAT(Play(15,
                   [](int node, double seconds) {
                     return NodeExporterPage(
                         {.sent = 100 * seconds, .again = Lost(node == 0 ? 0.004 : 0, seconds)});
                   })
                  .nodes,
              IsEmpty())
      << "under half a percent";
  EXPECT_THAT(
      Play(15,
           [](int node, double seconds) {
             return NodeExporterPage({.sent = seconds, .again = node == 0 ? 0.05 * seconds : 0});
           })
          .nodes,
      IsEmpty())
      << "few segments";
}

// limpet-exporter's counters by peer rise at every scrape, whatever the step.
TEST(NodeSegments, CountersByPeerAreAsGoodFromPagesOfAnyStep) {
  for (const std::int64_t step : {15, 60}) {
    const auto said = Play(step, [](int node, double seconds) {
      constexpr const char* kLabels =
          "{{local_address=\"10.0.0.{0}\",peer=\"10.0.1.1\",side=\"server\"}} {1}\n";
      return "limpet_tcp_peer_segments_sent_total" +
             fmt::format(fmt::runtime(kLabels), node, 100 * seconds) +
             "limpet_tcp_peer_segments_retransmitted_total" +
             fmt::format(fmt::runtime(kLabels), node, Lost(node == 3 ? 0.05 : 0, seconds));
    });
    EXPECT_THAT(said.nodes, ElementsAre("io3")) << step;
    ASSERT_TRUE(said.after) << step;
    EXPECT_LE(*said.after, 18 * static_cast<double>(step)) << step;
  }
}

// Of a hundred thousand packets a second, these are sent again and received out of order.
std::string PortPage(const char* port, double seconds, double again, double unordered) {
  constexpr double kPackets = 1e5;
  const auto labels = fmt::format("device=\"mlx5_0\",port=\"{}\"", port);
  return fmt::format(
      "limpet_rdma_sent_packets_total{{{0}}} {1}\nlimpet_rdma_received_packets_total{{{0}}} {1}\n"
      "limpet_rdma_resent_total{{{0}}} {2}\nlimpet_rdma_out_of_order_total{{{0}}} {3}\n",
      labels, kPackets * seconds, std::floor(kPackets * again), std::floor(kPackets * unordered));
}
double SinceOnset(double seconds) { return std::max(0.0, seconds - kOnset); }

TEST(RdmaSegments, APortThatLosesIsNamedWithinThreeMinutes) {
  const auto said = Play(1, [](int node, double seconds) {
    // The adapter is read every five seconds, and has a port that is fine.
    const double read = std::floor(seconds / 5) * 5;
    return PortPage("1", read, node == 2 ? 0.002 * SinceOnset(read) : 0, 0) +
           PortPage("2", read, 0, 0);
  });
  EXPECT_THAT(said.nodes, ElementsAre("io2"));
  EXPECT_THAT(said.metrics, ElementsAre("verbs_again"));
  ASSERT_TRUE(said.after);
  EXPECT_LE(*said.after, 180);
}

TEST(RdmaSegments, WhatComesOutOfOrderNamesTheReceiver) {
  const auto said = Play(1, [](int node, double seconds) {
    return PortPage("1", seconds, 0, node == 1 ? 0.002 * SinceOnset(seconds) : 0);
  });
  EXPECT_THAT(said.nodes, ElementsAre("io1"));
  EXPECT_THAT(said.metrics, ElementsAre("verbs_unordered"));
}

TEST(RdmaSegments, WhatAllLoseOrWhatIsTooLittleNamesNobody) {
  EXPECT_THAT(
      Play(1, [](int,
                 double seconds) { return PortPage("1", seconds, 0.01 * SinceOnset(seconds), 0); })
          .nodes,
      IsEmpty());
  EXPECT_THAT(Play(1,
                   [](int node, double seconds) {
                     return PortPage("1", seconds, node == 0 ? 0.0002 * SinceOnset(seconds) : 0, 0);
                   })
                  .nodes,
              IsEmpty());
}

TEST(RdmaSegments, APortThatIsIdleOrGoneNamesNobody) {
  EXPECT_THAT(Play(1,
                   [](int node, double seconds) {
                     // Each packet is lost, but there are ten a second.
                     return PortPage("1", node == 0 ? seconds * 1e-4 : seconds,
                                     node == 0 ? seconds * 1e-4 : 0, 0);
                   })
                  .nodes,
              IsEmpty());
  EXPECT_THAT(Play(1,
                   [](int node, double seconds) {
                     return node == 3 && seconds > kOnset ? std::string()
                                                          : PortPage("1", seconds, 0, 0);
                   })
                  .nodes,
              IsEmpty());
}

}  // namespace
}  // namespace limpet::node_segments_test
