#include "diagnoser/facts/network_rows.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "diagnoser/facts/find_facts.h"

namespace limpet::network_rows_test {
namespace {

using std::chrono::minutes;

const UnixTime kNow = UnixTime(std::chrono::hours(1000));

// io1 with a verdict about its network, and five peers.
class NetworkFacts : public ::testing::Test {
 protected:
  NetworkFacts() {
    for (int i = 2; i <= 6; ++i) {
      peers_.nodes.push_back("io" + std::to_string(i));
    }
    verdict_.node = "io1";
    verdict_.cause = Cause::kPacketLoss;
  }
  void SayAt(UnixTime at, const std::string& node, const std::string& name,
             const LabelPairs& labels, double value) {
    const auto field = FindField(name);
    ASSERT_TRUE(field) << name;
    const auto series = facts_.Resolve({.field = *field,
                                        .labels = labels,
                                        .source = {.node = node, .role = "io", .labels = {}},
                                        .target = node});
    ASSERT_TRUE(series) << name;
    facts_.Add(*series, at, value);
  }
  void Say(const std::string& name, const LabelPairs& labels, const LabelPairs& of_peers,
           double value, double value_of_peers) {
    SayAt(kNow, "io1", name, labels, value);
    for (const auto& node : peers_.nodes) {
      SayAt(kNow, node, name, of_peers, value_of_peers);
    }
  }
  void Rise(const std::string& name, const LabelPairs& labels, double by, double by_of_peers) {
    for (const auto& [at, part] : {std::pair(kNow - minutes(10), 0.0), std::pair(kNow, 1.0)}) {
      SayAt(at, "io1", name, labels, 100 + part * by);
      for (const auto& node : peers_.nodes) {
        SayAt(at, node, name, labels, 100 + part * by_of_peers);
      }
    }
  }
  // The sentences, and what there was before is forgotten.
  std::vector<std::string> Texts() {
    std::vector<std::string> texts;
    for (const auto& fact : FindFacts(facts_, verdict_, peers_, kNow)) {
      texts.push_back(fact.text);
    }
    facts_ = FactReadings();
    return texts;
  }
  using Lines = std::vector<std::string>;

  FactReadings facts_;
  VerdictEvent verdict_;
  FactPeers peers_;
};

TEST_F(NetworkFacts, FramesDroppedInTheRing) {
  for (const std::string name :
       {"limpet_network_receive_missed_errors_total", "node_network_receive_missed_errors_total",
        "limpet_network_receive_fifo_total"}) {
    Rise(name, {{"device", "eth1"}}, 72'000, 0);
    EXPECT_EQ(Texts(), Lines{"eth1 dropped 72000 frames in its ring in the last 10 min, its peers "
                             "none"})
        << name;
  }
}

TEST_F(NetworkFacts, WhatPeersHaveTooIsNone) {
  Rise("limpet_network_receive_missed_errors_total", {{"device", "eth1"}}, 72'000, 50'000);
  EXPECT_EQ(Texts(), Lines{});
  Rise("limpet_network_receive_missed_errors_total", {{"device", "eth1"}}, 99, 0);
  EXPECT_EQ(Texts(), Lines{}) << "a few";
  SayAt(kNow - minutes(10), "io1", "limpet_network_receive_missed_errors_total",
        {{"device", "eth1"}}, 0);
  SayAt(kNow, "io1", "limpet_network_receive_missed_errors_total", {{"device", "eth1"}}, 1e6);
  EXPECT_EQ(Texts(), Lines{}) << "nobody to compare with";
}

TEST_F(NetworkFacts, OfAVerdictAboutDisksNothing) {
  verdict_.cause = Cause::kDiskBusy;
  Rise("limpet_network_receive_missed_errors_total", {{"device", "eth1"}}, 72'000, 0);
  EXPECT_EQ(Texts(), Lines{});
}

TEST_F(NetworkFacts, TheBacklogOfProcessors) {
  Rise("limpet_softnet_dropped_total", {}, 5000, 1000);
  EXPECT_EQ(Texts(), Lines{"the kernel dropped 5000 received packets that waited for a processor "
                           "in the last 10 min, its peers' 1000"});
  // node_exporter's, of each processor.
  Rise("node_softnet_times_squeezed_total", {{"cpu", "3"}}, 5000, 0);
  EXPECT_EQ(Texts(), Lines{"the kernel had no time for all received packets 5000 times in the last "
                           "10 min, its peers' none"});
}

TEST_F(NetworkFacts, QueuesBeforeTheLink) {
  Rise("node_qdisc_drops_total", {{"device", "eth1"}, {"kind", "fq_codel"}}, 400, 0);
  EXPECT_EQ(Texts(), Lines{"the queue fq_codel of eth1 dropped 400 packets in the last 10 min, its "
                           "peers' none"});
}

TEST_F(NetworkFacts, BondsAndTheStateOfLinks) {
  Rise("limpet_network_bond_member_failures_total", {{"device", "eth1"}}, 3, 0);
  EXPECT_EQ(Texts(), Lines{"eth1 left its bond 3 times in the last 10 min"});
  const auto member = [](const char* status) {
    return LabelPairs{{"device", "eth1"}, {"mii_status", status}, {"state", "backup"}};
  };
  for (const std::string status : {"down", "going down", "going back"}) {
    Say("limpet_network_bond_member_info", member(status.c_str()), member("up"), 1, 1);
    EXPECT_EQ(Texts(), Lines{"eth1, a member of a bond, is " + status});
  }
  Say("limpet_network_bond_member_info", member("up"), member("up"), 1, 1);
  EXPECT_EQ(Texts(), Lines{});
  const auto link = [](const char* state, const char* duplex) {
    return LabelPairs{{"device", "eth1"}, {"operstate", state}, {"duplex", duplex}};
  };
  Say("limpet_network_info", link("down", "full"), link("up", "full"), 1, 1);
  EXPECT_EQ(Texts(), Lines{"eth1 is down, its peers' up (5 of 5)"});
  Say("node_network_info", link("up", "half"), link("up", "full"), 1, 1);
  EXPECT_EQ(Texts(), Lines{"eth1 sends or receives, not both at once (half duplex)"});
  Say("node_network_info", link("down", "unknown"), link("down", "unknown"), 1, 1);
  EXPECT_EQ(Texts(), Lines{}) << "nobody uses it";
}

TEST_F(NetworkFacts, PortsOfInfiniband) {
  const LabelPairs port = {{"device", "mlx5_0"}, {"port", "2"}};
  Say("node_infiniband_state_id", port, port, 1, 4);
  EXPECT_EQ(Texts(), Lines{"the state of mlx5_0/2 is 1, its peers' 4 (5 of 5): 4 is active"});
  Rise("limpet_infiniband_symbol_error_total", port, 9, 0);
  EXPECT_EQ(Texts(), Lines{}) << "a link within its specification";
  Rise("limpet_infiniband_symbol_error_total", port, 60, 0);
  EXPECT_EQ(Texts(), Lines{"the link of mlx5_0/2 had 60 symbol errors in the last 10 min"});
  Rise("node_infiniband_link_downed_total", port, 2, 0);
  EXPECT_EQ(Texts(), Lines{"the link of mlx5_0/2 went down 2 times in the last 10 min"});
  Rise("node_infiniband_port_errors_received_total", port, 2, 0);
  EXPECT_EQ(Texts(), Lines{"mlx5_0/2 received 2 packets with an error in the last 10 min"});
  Rise("node_infiniband_port_transmit_wait_total", port, 9e6, 1e6);
  EXPECT_EQ(Texts(), Lines{"mlx5_0/2 had data and could not send in 9000000 ticks of the last 10 "
                           "min, its peers' in 1000000"});
}

TEST_F(NetworkFacts, MarksOfCongestionByTheirCounter) {
  LabelPairs port = {{"device", "mlx5_0"}, {"port", "1"}, {"counter", "np_cnp_sent"}};
  Rise("limpet_infiniband_hardware_events_total", port, 50'000, 100);
  port.back().second = "out_of_buffer";
  Rise("limpet_infiniband_hardware_events_total", port, 500, 0);
  port.back().second = "duplicate_request";
  Rise("limpet_infiniband_hardware_events_total", port, 500, 0);
  EXPECT_EQ(Texts(), (Lines{"mlx5_0/1 counted 50000 marks of congestion (np_cnp_sent) in the last "
                            "10 min, its peers 100",
                            "mlx5_0/1 met a receiver without room 500 times (out_of_buffer) in the "
                            "last 10 min, its peers none"}));
}

TEST_F(NetworkFacts, PauseFramesByWhoAsksForThem) {
  verdict_.cause = Cause::kSlowNetwork;
  LabelPairs frames = {{"device", "eth1"}, {"direction", "transmit"}, {"priority", ""}};
  Rise("limpet_network_pause_frames_total", frames, 30'000, 200);
  EXPECT_EQ(Texts(), Lines{"eth1 told the other end of its link to pause 30000 times in the last "
                           "10 min, its peers 200"});
  frames[1].second = "receive";
  frames[2].second = "3";
  Rise("limpet_network_pause_frames_total", frames, 30'000, 0);
  EXPECT_EQ(Texts(),
            Lines{"eth1 was told to pause 30000 times in the last 10 min, its peers none"});
  Rise("limpet_network_pause_frames_total", frames, 30'000, 20'000);
  EXPECT_EQ(Texts(), Lines{}) << "they all are";
}

TEST_F(NetworkFacts, APriorityIsComparedWithTheSameOne) {
  const auto frames = [](const char* priority) {
    return LabelPairs{{"device", "eth1"}, {"direction", "receive"}, {"priority", priority}};
  };
  Rise("limpet_network_pause_frames_total", frames("4"), 9000, 9000);
  Rise("limpet_network_pause_frames_total", frames("3"), 9000, 0);
  EXPECT_EQ(Texts(), Lines{"eth1 was told to pause 9000 times in the last 10 min, its peers none"});
}

TEST_F(NetworkFacts, TheSpeedOfAPort) {
  facts_.AddSpeed("io1", "mlx5_0/1", kNow, 3.125e9);
  for (const auto& node : peers_.nodes) {
    facts_.AddSpeed(node, "mlx5_0/1", kNow, 12.5e9);
  }
  EXPECT_EQ(Texts(), Lines{"mlx5_0/1 runs at 25 Gbit/s, its peers' at 100 Gbit/s (5 of 5)"});
}

}  // namespace
}  // namespace limpet::network_rows_test
