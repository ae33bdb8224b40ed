#include "exporter/collectors/tcp_peers.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace limpet::tcp_peers_test {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

const SteadyTime kStart{std::chrono::hours(1)};

IpAddress Address(const std::string& text) {
  IpAddress address;
  const auto mapped = text.find(':') == std::string::npos ? "::ffff:" + text : text;
  ::inet_pton(AF_INET6, mapped.c_str(), address.bytes.data());
  return address;
}

struct Connection {
  std::uint64_t id = 1;
  std::string local = "10.0.0.1";
  std::uint16_t local_port = 2049;
  std::string remote = "10.0.1.1";
  std::uint16_t remote_port = 700;
  std::uint32_t cwnd = 10;
  std::uint64_t acked = 0;
  std::uint64_t received = 0;
  std::uint32_t retransmits = 0;
  std::uint32_t needless = 0;
  std::optional<std::uint32_t> segments = std::nullopt;
  std::uint32_t last_sent_ms = 60'000;
  std::uint32_t rtt_us = 0;
  std::optional<std::uint32_t> min_rtt_us = std::nullopt;
};

TcpSocket Established(const Connection& c) {
  return {.id = c.id,
          .local = Address(c.local),
          .remote = Address(c.remote),
          .local_port = c.local_port,
          .remote_port = c.remote_port,
          .state = kTcpEstablished,
          .cwnd = c.cwnd,
          .details = TcpDetails{.rtt_us = c.rtt_us,
                                .min_rtt_us = c.min_rtt_us,
                                .total_retransmits = c.retransmits,
                                .needless_retransmits = c.needless,
                                .segments_sent = c.segments,
                                .last_data_sent_ms = c.last_sent_ms,
                                .bytes_acked = c.acked,
                                .bytes_received = c.received}};
}

TcpSocket Listening(std::uint16_t port) {
  return {.id = 1'000'000U + port, .local_port = port, .state = kTcpListen};
}

class TcpPeersTest : public ::testing::Test {
 protected:
  TcpPeersTest() : peers_(Options()) {}

  static TcpPeers::Options Options() {
    TcpPeers::Options options;
    options.ports.assign(std::begin(kFileSystemPorts), std::end(kFileSystemPorts));
    return options;
  }
  void Update(std::vector<TcpSocket> sockets, SteadyTime at, std::uint64_t dropped = 0) {
    peers_.Update({std::move(sockets), dropped}, at);
  }
  const TcpPeer& Only() {
    EXPECT_EQ(peers_.Peers().size(), 1U);
    return peers_.Peers().begin()->second;
  }

  TcpPeers peers_;
};

TEST_F(TcpPeersTest, TheMeanWindowIsOverConnectionsThatSentLately) {
  Update({Established({.id = 1, .cwnd = 100, .acked = 1}), Established({.id = 2, .cwnd = 20}),
          Established({.id = 3, .cwnd = 40})},
         kStart);
  EXPECT_EQ(Only().active, 0U);
  Update({Established({.id = 1, .cwnd = 100, .acked = 1}),
          Established({.id = 2, .cwnd = 20, .acked = 500}),
          Established({.id = 3, .cwnd = 40, .acked = 1})},
         kStart + seconds(1));
  EXPECT_EQ(Only().sockets, 3U);
  EXPECT_EQ(Only().active, 2U);
  EXPECT_EQ(Only().cwnd_sum, 60U);
  EXPECT_EQ(Only().cwnd_min, 20U);
}

TEST_F(TcpPeersTest, AConnectionIsActiveForFiveSecondsAfterItSent) {
  Update({Established({.acked = 1})}, kStart);
  Update({Established({.acked = 2})}, kStart + seconds(1));
  Update({Established({.acked = 2})}, kStart + seconds(6));
  EXPECT_EQ(Only().active, 1U);
  Update({Established({.acked = 2})}, kStart + seconds(7));
  EXPECT_EQ(Only().active, 0U);
}

TEST_F(TcpPeersTest, AtFirstSightTheKernelSaysWhetherItSentLately) {
  Update({Established({.id = 1, .acked = 9, .last_sent_ms = 4'000}),
          Established({.id = 2, .acked = 9, .last_sent_ms = 6'000}),
          Established({.id = 3, .acked = 0, .last_sent_ms = 10})},
         kStart);
  EXPECT_EQ(Only().active, 1U);
}

TEST_F(TcpPeersTest, WithoutByteCountersEveryConnectionIsActive) {
  auto socket = Established({.cwnd = 7});
  socket.details.reset();
  Update({socket}, kStart);
  EXPECT_EQ(Only().active, 1U);
  EXPECT_EQ(Only().cwnd_sum, 7U);
}

TEST_F(TcpPeersTest, SegmentsAreCountedBeyondThe32BitsOfTheKernel) {
  Update({Established({.retransmits = UINT32_MAX, .segments = UINT32_MAX - 9})}, kStart);
  Update({Established({.retransmits = 4, .segments = 90})}, kStart + seconds(1));
  EXPECT_EQ(Only().retransmits, 5U);
  EXPECT_EQ(Only().segments_sent, 100U);
}

TEST_F(TcpPeersTest, WhatThePeerHadBeforeWasNotLost) {
  Update({Established({.id = 1, .retransmits = 40, .needless = 30})}, kStart);
  Update({Established({.id = 1, .retransmits = 45, .needless = 33}),
          Established({.id = 2, .retransmits = 1})},
         kStart + seconds(1));
  EXPECT_EQ(Only().retransmits, 3U);
  // What is told late counts for what comes next, and no counter falls.
  Update({Established({.id = 1, .retransmits = 46, .needless = 35})}, kStart + seconds(2));
  EXPECT_EQ(Only().retransmits, 3U);
  Update({Established({.id = 1, .retransmits = 50, .needless = 35})}, kStart + seconds(3));
  EXPECT_EQ(Only().retransmits, 6U);
}

TEST_F(TcpPeersTest, MoreIsNotNeedlessThanWasSentAgain) {
  Update({Established({.retransmits = 0, .needless = 0})}, kStart);
  Update({Established({.retransmits = 1, .needless = 100})}, kStart + seconds(1));
  Update({Established({.retransmits = 5, .needless = 100})}, kStart + seconds(2));
  EXPECT_EQ(Only().retransmits, 4U);
}

TEST_F(TcpPeersTest, CountersBeginAtZeroAndKeepWhatClosedConnectionsAdded) {
  Update({Established({.id = 1, .acked = 1'000, .received = 50, .retransmits = 4})}, kStart);
  EXPECT_EQ(Only().bytes_acked, 0U);
  Update({Established({.id = 1, .acked = 1'600, .received = 60, .retransmits = 5}),
          Established({.id = 2, .acked = 30, .received = 7, .retransmits = 1})},
         kStart + seconds(1));
  EXPECT_EQ(Only().bytes_acked, 630U);
  EXPECT_EQ(Only().bytes_received, 17U);
  EXPECT_EQ(Only().retransmits, 2U);
  EXPECT_EQ(Only().segments_sent, 0U);
  Update({}, kStart + seconds(2));
  EXPECT_EQ(Only().sockets, 0U);
  EXPECT_EQ(Only().bytes_acked, 630U);
}

TEST_F(TcpPeersTest, AConnectionThatADumpMissedOnceIsNotNew) {
  Update({Established({.acked = 1'000})}, kStart);
  Update({}, kStart + seconds(1));
  Update({Established({.acked = 1'001})}, kStart + seconds(2));
  EXPECT_EQ(Only().bytes_acked, 1U);
}

TEST_F(TcpPeersTest, AConnectionThatMayHaveBeenLeftOutBeginsAtItsPresentValue) {
  Update({}, kStart, /*dropped=*/1);
  Update({Established({.acked = 1'000})}, kStart + seconds(1));
  EXPECT_EQ(Only().bytes_acked, 0U);
  Update({Established({.acked = 1'010})}, kStart + seconds(2));
  EXPECT_EQ(Only().bytes_acked, 10U);
}

TEST_F(TcpPeersTest, AConnectionMetTwiceInADumpCountsOnce) {
  Update({Established({.acked = 1}), Established({.acked = 1})}, kStart);
  EXPECT_EQ(Only().sockets, 1U);
}

TEST_F(TcpPeersTest, TheListenerTellsTheServersEnd) {
  // Both ports of each connection are GlusterFS brick ports, which clients may be given, too.
  Update({Listening(49152),
          Established({.id = 1, .local_port = 49152, .remote = "10.0.1.1", .remote_port = 49200}),
          Established({.id = 2, .local_port = 49200, .remote = "10.0.1.2", .remote_port = 49152})},
         kStart);
  ASSERT_EQ(peers_.Peers().size(), 2U);
  EXPECT_EQ(peers_.Peers().begin()->first.side, TcpSide::kServer);
  EXPECT_EQ(peers_.Peers().rbegin()->first.side, TcpSide::kClient);
}

TEST_F(TcpPeersTest, AnEphemeralPortOfAnotherProgramIsNoFileSystem) {
  Update({Established({.local_port = 49200, .remote_port = 443})}, kStart);
  EXPECT_TRUE(peers_.Peers().empty());
  EXPECT_EQ(peers_.Sockets(), 0U);
}

TEST_F(TcpPeersTest, AServerWhoseListenerIsGoneIsStillOne) {
  Update({Established({.local_port = 2049, .remote_port = 700})}, kStart);
  EXPECT_EQ(peers_.Peers().begin()->first.side, TcpSide::kServer);
}

TEST_F(TcpPeersTest, LeavesOutLoopbackAndTheMachineItself) {
  Update({Established({.id = 1, .local = "127.0.0.1", .remote = "127.0.0.1"}),
          Established({.id = 2, .local = "::1", .remote = "::1"}),
          Established({.id = 3, .local = "10.0.0.1", .remote = "10.0.0.1"})},
         kStart);
  EXPECT_TRUE(peers_.Peers().empty());
}

TEST_F(TcpPeersTest, LabelsNameBothAddressesAndTheSide) {
  Update({Established({.local = "fd00::1", .remote = "fd00::2"})}, kStart);
  EXPECT_EQ(Only().labels->Rendered(), R"(local_address="fd00::1",peer="fd00::2",side="server")");
}

TEST_F(TcpPeersTest, TheRoundTripTimeIsOverThoseThatHaveOne) {
  Update({Established({.id = 1, .acked = 1, .last_sent_ms = 0, .rtt_us = 300, .min_rtt_us = 90}),
          Established({.id = 2, .acked = 1, .last_sent_ms = 0, .rtt_us = 100, .min_rtt_us = 80}),
          Established({.id = 3, .acked = 1, .last_sent_ms = 0, .rtt_us = 0})},
         kStart);
  EXPECT_EQ(Only().rtt_us_sum, 400U);
  EXPECT_EQ(Only().rtt_count, 2U);
  EXPECT_EQ(Only().min_rtt_us, 80U);
}

TEST_F(TcpPeersTest, AnIdleConnectionsRoundTripTimeIsOld) {
  Update({Established({.id = 1, .acked = 1, .last_sent_ms = 0, .rtt_us = 300, .min_rtt_us = 200}),
          Established({.id = 2, .acked = 1, .rtt_us = 90'000, .min_rtt_us = 50})},
         kStart);
  EXPECT_EQ(Only().rtt_us_sum, 300U);
  EXPECT_EQ(Only().rtt_count, 1U);
  EXPECT_EQ(Only().min_rtt_us, 200U);
}

TEST_F(TcpPeersTest, KeepsAtMostMaxPeersAndCountsTheRest) {
  auto options = Options();
  options.max_peers = 2;
  TcpPeers peers(options);
  std::vector<TcpSocket> sockets;
  for (std::uint64_t i = 1; i <= 5; ++i) {
    sockets.push_back(Established({.id = i, .remote = "10.0.1." + std::to_string(i)}));
  }
  peers.Update({sockets, 0}, kStart);
  EXPECT_EQ(peers.Peers().size(), 2U);
  EXPECT_EQ(peers.Dropped(), 3U);
  peers.Update({sockets, 0}, kStart + seconds(1));
  EXPECT_EQ(peers.Dropped(), 6U);
}

TEST_F(TcpPeersTest, ForgetsAPeerAQuarterOfAnHourAfterItsLastConnection) {
  Update({Established({})}, kStart);
  for (int minute = 1; minute <= 15; ++minute) {
    Update({}, kStart + minutes(minute));
  }
  EXPECT_EQ(peers_.Peers().size(), 1U);
  Update({}, kStart + minutes(16));
  EXPECT_TRUE(peers_.Peers().empty());
}

TEST_F(TcpPeersTest, SumsTenThousandConnectionsOfAHundredPeers) {
  std::vector<TcpSocket> sockets;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    sockets.push_back(Established({.id = i,
                                   .remote = "10.0.1." + std::to_string(i % 100),
                                   .remote_port = static_cast<std::uint16_t>(10'000 + i / 100),
                                   .cwnd = static_cast<std::uint32_t>(10 + i % 100),
                                   .last_sent_ms = 60'000}));
  }
  Update(sockets, kStart);
  for (auto& socket : sockets) {
    socket.details->bytes_acked += 1'000;
  }
  Update(sockets, kStart + seconds(1));
  ASSERT_EQ(peers_.Peers().size(), 100U);
  for (const auto& [key, peer] : peers_.Peers()) {
    EXPECT_EQ(peer.sockets, 100U);
    EXPECT_EQ(peer.active, 100U);
    EXPECT_EQ(peer.cwnd_sum, 100 * (10U + key.remote.bytes[15]));
    EXPECT_EQ(peer.bytes_acked, 100'000U);
  }
}

TEST_F(TcpPeersTest, NoReadingMakesACounterFall) {
  // A thousand seeded readings of connections that come, go and are missed.
  std::uint64_t seed = 7;
  const auto random = [&seed](std::uint64_t below) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (seed >> 33U) % below;
  };
  std::vector<Connection> alive;
  std::uint64_t next_id = 1;
  std::uint64_t last = 0;
  std::uint64_t sent = 0;
  for (int tick = 0; tick < 1'000; ++tick) {
    if (random(3) == 0) {
      alive.push_back({.id = next_id++});
    }
    if (!alive.empty() && random(5) == 0) {
      alive.erase(alive.begin());
    }
    std::vector<TcpSocket> sockets;
    for (auto& connection : alive) {
      const auto bytes = random(1'000);
      connection.acked += bytes;
      sent += bytes;
      if (random(20) > 0) {
        sockets.push_back(Established(connection));
      }
    }
    Update(sockets, kStart + seconds(tick));
    if (!peers_.Peers().empty()) {
      ASSERT_GE(Only().bytes_acked, last);
      ASSERT_LE(Only().bytes_acked, sent);
      last = Only().bytes_acked;
    }
  }
  EXPECT_GT(last, sent / 2);
}

TcpSocket InState(std::uint8_t state, const Connection& c) {
  auto socket = Established(c);
  socket.state = state;
  return socket;
}

TEST_F(TcpPeersTest, WhatNoReadingSeesCountsWhenItCloses) {
  Update({Established({.id = 1, .acked = 1000, .segments = 10})}, kStart);
  peers_.Update({{Established({.id = 1, .acked = 1000, .segments = 10})}}, kStart + seconds(1),
                std::vector{InState(7, {.id = 2, .acked = 500, .retransmits = 2, .segments = 5})});
  EXPECT_EQ(Only().segments_sent, 5U);
  EXPECT_EQ(Only().retransmits, 2U);
  EXPECT_EQ(Only().bytes_acked, 500U);
  EXPECT_EQ(Only().sockets, 1U);
  EXPECT_EQ(peers_.Closed(), 1U);
}

TEST_F(TcpPeersTest, WhatAConnectionDidAfterItsLastReadingCountsOnceWhenItCloses) {
  Update({}, kStart);
  Update({Established({.acked = 1000, .segments = 10})}, kStart + seconds(1));
  Update({InState(kTcpFinWait1, {.acked = 1500, .segments = 15})}, kStart + seconds(2));
  EXPECT_EQ(Only().segments_sent, 15U);
  EXPECT_EQ(Only().sockets, 0U) << "it is closing";
  const std::vector closed{InState(7, {.acked = 1600, .segments = 16})};
  peers_.Update({{InState(kTcpFinWait1, {.acked = 1500, .segments = 15})}}, kStart + seconds(3),
                closed);
  EXPECT_EQ(Only().segments_sent, 16U) << "the reading had it still";
  Update({}, kStart + minutes(16));
  EXPECT_TRUE(peers_.Peers().empty());
}

TEST_F(TcpPeersTest, WhatClosesAtTheStartMayBeOld) {
  peers_.Update({}, kStart, std::vector{InState(7, {.acked = 500, .segments = 5})});
  EXPECT_EQ(Only().segments_sent, 0U);
  peers_.Update({}, kStart + seconds(1), std::vector{InState(7, {.id = 2})});
  EXPECT_EQ(peers_.Peers().size(), 1U);
}

TEST_F(TcpPeersTest, WhatRemainsOfAConnectionWithoutTotalsIsNone) {
  auto waiting = Established({});
  waiting.state = kTcpFinWait2;
  waiting.details.reset();
  Update({waiting}, kStart);
  EXPECT_TRUE(peers_.Peers().empty());
}

}  // namespace
}  // namespace limpet::tcp_peers_test
