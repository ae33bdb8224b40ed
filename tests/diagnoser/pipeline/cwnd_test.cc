#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "diagnoser/pipeline/pipeline.h"

namespace limpet::cwnd_test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t kStart = 1'700'000'000 / 64 * 64;
UnixTime At(int second) { return UnixFromSeconds(kStart + second); }

PipelineConfig Config() {
  auto preset = DefaultPreset();
  preset.cwnd_events = true;
  PipelineConfig config;
  config.presets = {preset};
  config.groups = {{.name = "tcp", .kind = GroupKind::kCwnd, .roles = {"server"}, .ports = {3334}}};
  return config;
}

std::string Socket(const std::string& local, const std::string& remote, double cwnd, double acked) {
  const auto labels = [](const std::string& address, const char* side) {
    const auto colon = address.find(':');
    return fmt::format("{0}_address=\"{1}\",{0}_port=\"{2}\"", side, address.substr(0, colon),
                       address.substr(colon + 1));
  };
  const auto both = labels(local, "local") + "," + labels(remote, "remote");
  return fmt::format("limpet_tcp_cwnd_segments{{{}}} {}\nlimpet_tcp_bytes_acked_total{{{}}} {}\n",
                     both, cwnd, both, acked);
}

// Three servers and a client for `duration` seconds; `page(node, second)` makes each page.
template <class Page>
std::vector<Event> Play(const PipelineConfig& config, int duration, const Page& page) {
  Pipeline pipeline(config);
  std::vector<Event> events;
  for (int second = 0; second <= duration; ++second) {
    for (const std::string node : {"c", "s1", "s2", "s3"}) {
      const auto text = page(node, second);
      const auto stats = pipeline.Ingest({.source = node,
                                          .node = node,
                                          .role = node == "c" ? "client" : "server",
                                          .labels = {},
                                          .at = At(second),
                                          .text = text});
      EXPECT_TRUE(stats) << stats.error().Text();
    }
    for (auto& event : pipeline.Advance(At(second))) {
      events.push_back(std::move(event));
    }
  }
  return events;
}

const CwndEvent* Find(const std::vector<Event>& events, const std::string& metric, int second) {
  for (const auto& event : events) {
    const auto* cwnd = std::get_if<CwndEvent>(&event);
    if (cwnd != nullptr && cwnd->metric == metric && cwnd->end == At(second)) {
      return cwnd;
    }
  }
  return nullptr;
}

std::string PagePerSocket(const std::string& node, int second) {
  const double acked = 1000.0 * (second + 1);
  if (node == "c") {
    return Socket("10.1.0.1:40001", "10.0.0.1:3334", 20, acked) +
           Socket("10.1.0.1:40002", "10.0.0.2:3334", 30, acked) +
           Socket("10.1.0.1:40003", "10.0.0.3:3334", 2, acked) +
           Socket("10.1.0.1:40004", "10.9.9.9:22", 500, acked);
  }
  const auto number = node.substr(1);
  return Socket("10.0.0." + number + ":3334", "10.1.0.1:4000" + number, 10, acked) +
         Socket("127.0.0.1:3334", "127.0.0.1:5", 900, acked);
}

TEST(CwndSeconds, BothSidesAreAttributedToTheServer) {
  const auto events = Play(Config(), 20, PagePerSocket);
  const auto* client = Find(events, "cwnd_client", 16);
  ASSERT_NE(client, nullptr);
  EXPECT_EQ(Find(events, "cwnd_client", 15), nullptr) << "15 seconds are too few";
  ASSERT_THAT(client->components, SizeIs(3));
  EXPECT_EQ(client->components[0].component, "s1");
  EXPECT_DOUBLE_EQ(client->components[0].average, 20);
  EXPECT_DOUBLE_EQ(*client->median, std::log(20.0));
  EXPECT_TRUE(client->components[2].anomalous);  // ln 2 < ln 20 / 2
  const auto* server = Find(events, "cwnd_server", 16);
  ASSERT_NE(server, nullptr);
  EXPECT_DOUBLE_EQ(server->components[2].average, 10) << "loopback is left out";
}

TEST(CwndSeconds, PacketLossIsTheVerdict) {
  const auto events = Play(Config(), 400, PagePerSocket);
  std::vector<VerdictEvent> verdicts;
  for (const auto& event : events) {
    if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
      verdicts.push_back(*verdict);
    }
  }
  ASSERT_FALSE(verdicts.empty());
  EXPECT_EQ(verdicts[0].node, "s3");
  EXPECT_EQ(verdicts[0].cause, Cause::kPacketLoss);
  EXPECT_FALSE(verdicts[0].evidence[0].s);
}

TEST(CwndSeconds, AConnectionThatSendsNothingIsLeftOut) {
  const auto events = Play(Config(), 60, [](const std::string& node, int second) {
    return node == "s3" ? Socket("10.0.0.3:3334", "10.1.0.1:40003", 10, std::min(second, 20) + 1.0)
                        : PagePerSocket(node, second);
  });
  const auto* before = Find(events, "cwnd_server", 24);
  ASSERT_NE(before, nullptr);
  EXPECT_THAT(before->components, SizeIs(3));
  // Counted up to 24 s, of the 31 s before 40 s still 16, before 41 s only 15.
  EXPECT_THAT(Find(events, "cwnd_server", 39)->components, SizeIs(3));
  EXPECT_THAT(Find(events, "cwnd_server", 41)->components, SizeIs(2));
}

TEST(CwndSeconds, MeansPerPeerStandInForConnections) {
  const auto events = Play(Config(), 20, [](const std::string& node, int) {
    const auto peer = [](const std::string& local, const std::string& remote, const char* side,
                         double cwnd, int active) {
      const auto labels =
          fmt::format("local_address=\"{}\",peer=\"{}\",side=\"{}\"", local, remote, side);
      return fmt::format(
          "limpet_tcp_peer_active_sockets{{{}}} {}\nlimpet_tcp_peer_cwnd_segments{{{}}} {}\n",
          labels, active, labels, cwnd);
    };
    if (node == "c") {
      return peer("10.1.0.1", "10.0.0.1", "client", 20, 2) +
             peer("10.1.0.1", "10.0.0.2", "client", 30, 2) +
             peer("10.1.0.1", "10.0.0.3", "client", 2, 2);
    }
    const auto own = "10.0.0." + node.substr(1);
    return peer(own, "10.1.0.1", "server", 10, 3) + peer(own, "10.1.0.2", "server", 22, 1);
  });
  const auto* client = Find(events, "cwnd_client", 20);
  ASSERT_NE(client, nullptr);
  EXPECT_DOUBLE_EQ(client->components[1].average, 30);
  const auto* server = Find(events, "cwnd_server", 20);
  ASSERT_NE(server, nullptr);
  EXPECT_DOUBLE_EQ(server->components[0].average, 13);  // (3 * 10 + 22) / 4
}

TEST(CwndSeconds, ConfiguredAddressesFindServersWithoutAnExporter) {
  auto config = Config();
  config.addresses = {{"10.0.0.1", "s1"}, {"10.0.0.2", "s2"}, {"10.0.0.3", "s3"}};
  const auto events = Play(config, 20, [](const std::string& node, int second) {
    return node == "c" ? PagePerSocket(node, second) : std::string();
  });
  ASSERT_NE(Find(events, "cwnd_client", 16), nullptr);
  EXPECT_EQ(Find(events, "cwnd_server", 16), nullptr);
}

TEST(CwndSeconds, TwoServersHaveNoMedianAndNobodyIsOdd) {
  const auto events = Play(Config(), 20, [](const std::string& node, int second) {
    return node == "s2" || node == "s1" ? PagePerSocket(node, second) : std::string();
  });
  const auto* server = Find(events, "cwnd_server", 16);
  ASSERT_NE(server, nullptr);
  EXPECT_FALSE(server->median);
  EXPECT_EQ(server->n, 2U);
}

std::string Peer(const std::string& local, const std::string& remote, const char* side, int second,
                 double round_trip) {
  const auto labels =
      fmt::format("local_address=\"{}\",peer=\"{}\",side=\"{}\"", local, remote, side);
  return fmt::format(
      "limpet_tcp_peer_active_sockets{{{0}}} 1\nlimpet_tcp_peer_cwnd_segments{{{0}}} 20\n"
      "limpet_tcp_peer_rtt_seconds{{{0}}} {1}\nlimpet_tcp_peer_segments_sent_total{{{0}}} {2}\n"
      "limpet_tcp_peer_segments_retransmitted_total{{{0}}} 0\n",
      labels, round_trip, 900.0 * second);
}

// Verdicts on what pages say of a network in which the way to s2 delays by `delay` from 100 s to
// 300 s, both ways measured, and the client is 5 ms away.
std::vector<VerdictEvent> VerdictsOnDelay(double delay, bool round_trips) {
  auto config = Config();
  config.presets[0].cwnd_events = false;
  config.presets[0].retransmissions = true;
  config.presets[0].round_trips = round_trips;
  const auto events = Play(config, 600, [&](const std::string& node, int second) {
    const auto trip = [&](const std::string& server) {
      return 0.005 + (server == "s2" && second > 100 && second <= 300 ? delay : 0);
    };
    if (node == "c") {
      return Peer("10.1.0.1", "10.0.0.1", "client", second, trip("s1")) +
             Peer("10.1.0.1", "10.0.0.2", "client", second, trip("s2")) +
             Peer("10.1.0.1", "10.0.0.3", "client", second, trip("s3"));
    }
    return Peer("10.0.0." + node.substr(1), "10.1.0.1", "server", second, trip(node));
  });
  std::vector<VerdictEvent> verdicts;
  for (const auto& event : events) {
    if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
      verdicts.push_back(*verdict);
    }
  }
  return verdicts;
}

TEST(RoundTrips, DelayWithoutLossIsTheVerdict) {
  const auto verdicts = VerdictsOnDelay(0.01, true);
  ASSERT_FALSE(verdicts.empty());
  for (const auto& verdict : verdicts) {
    EXPECT_EQ(verdict.node, "s2");
    EXPECT_EQ(verdict.cause, Cause::kSlowNetwork);
    EXPECT_TRUE(verdict.local);
    ASSERT_THAT(verdict.evidence, SizeIs(1));
  }
  EXPECT_NEAR(*verdicts.front().evidence[0].mean, 0.015, 1e-9);
  EXPECT_NEAR(*verdicts.front().evidence[0].peer_median, 0.005, 1e-9);
  EXPECT_LE(verdicts.front().end, At(100 + 3 * 32 + 32)) << "three windows";
  EXPECT_LE(verdicts.back().end, At(300 + 120));
  EXPECT_THAT(VerdictsOnDelay(0.01, false), IsEmpty()) << "nobody asked";
  EXPECT_THAT(VerdictsOnDelay(0.001, true), IsEmpty()) << "a fifth of a round trip";
}

}  // namespace
}  // namespace limpet::cwnd_test
