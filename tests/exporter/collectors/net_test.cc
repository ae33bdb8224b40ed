#include "exporter/collectors/net.h"

#include <gtest/gtest.h>

#include "tests/support/families.h"
#include "tests/support/map_files.h"
#include "tests/support/ticking_collector.h"

namespace limpet::net_test {
namespace {

using std::chrono::seconds;
using testing::Find;
using testing::TickingCollector;
using testing::Value;

constexpr auto kEth0 = R"(device="eth0")";

class Net : public TickingCollector<NetCollector, NetOptions> {
 protected:
  Net() : TickingCollector("net/dev", kDefaultNetExclude) {}
};

TEST_F(Net, CountersHaveNodeExportersNames) {
  Start();
  const auto page = Second("eth0:1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n");
  const std::pair<const char*, double> expected[] = {
      {"network_receive_bytes_total", 1},      {"network_receive_packets_total", 2},
      {"network_receive_errs_total", 3},       {"network_receive_drop_total", 4},
      {"network_receive_fifo_total", 5},       {"network_receive_frame_total", 6},
      {"network_receive_compressed_total", 7}, {"network_receive_multicast_total", 8},
      {"network_transmit_bytes_total", 9},     {"network_transmit_packets_total", 10},
      {"network_transmit_errs_total", 11},     {"network_transmit_drop_total", 12},
      {"network_transmit_fifo_total", 13},     {"network_transmit_colls_total", 14},
      {"network_transmit_carrier_total", 15},  {"network_transmit_compressed_total", 16}};
  for (const auto& [name, value] : expected) {
    EXPECT_EQ(Value(page, name, kEth0), value) << name;
  }
  EXPECT_EQ(Find(page, "network_speed_bytes"), nullptr);
}

TEST_F(Net, GaugesAreTheLastInterval) {
  Start();
  EXPECT_EQ(Find(Second("eth0: 1000 10 0 0 0 0 0 0 500 5 0 0 0 0 0 0\n"),
                 "network_receive_bytes_per_second"),
            nullptr);
  now_ += seconds(1);
  const auto page = Second("eth0: 5000 14 0 0 0 0 0 0 700 11 0 0 0 0 0 0\n");
  EXPECT_EQ(Value(page, "network_receive_bytes_per_second", kEth0), 2000);
  EXPECT_EQ(Value(page, "network_receive_packets_per_second", kEth0), 2);
  EXPECT_EQ(Value(page, "network_transmit_bytes_per_second", kEth0), 100);
  EXPECT_EQ(Value(page, "network_transmit_packets_per_second", kEth0), 3);
}

TEST_F(Net, InterfacesComeAndGo) {
  Start();
  Second("eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n");
  auto page = Second(
      "veth1: 9999999 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
      "eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n");
  EXPECT_EQ(Value(page, "network_receive_bytes_per_second", kEth0), 0);
  EXPECT_EQ(Value(page, "network_receive_bytes_per_second", R"(device="veth1")"), std::nullopt);
  page = Second("eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n");
  EXPECT_EQ(Value(page, "network_receive_bytes_total", R"(device="veth1")"), std::nullopt);
}

TEST_F(Net, CountersThatGoBackwardsAreNoSpike) {
  Start();
  Second("eth0: 1000 10 0 0 0 0 0 0 500 5 0 0 0 0 0 0\n");
  auto page = Second("eth0: 7 1 0 0 0 0 0 0 3 1 0 0 0 0 0 0\n");
  EXPECT_EQ(Find(page, "network_receive_bytes_per_second"), nullptr);
  EXPECT_EQ(Value(page, "network_resets_total", kEth0), 1);
  page = Second("eth0: 9 1 0 0 0 0 0 0 3 1 0 0 0 0 0 0\n");
  EXPECT_EQ(Value(page, "network_receive_bytes_per_second", kEth0), 2);
}

TEST_F(Net, LoopbackIsLeftOutUnlessAskedFor) {
  constexpr std::string_view kPage =
      "lo: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
      "eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n";
  Start();
  EXPECT_EQ(Find(Second(kPage), "network_receive_bytes_total")->samples.size(), 1U);
  Start({.devices = {.include = "^lo$"}});
  EXPECT_EQ(Value(Second(kPage), "network_receive_bytes_total", R"(device="lo")"), 1);
}

TEST_F(Net, SpeedIsInBytesAndAskedForRarely) {
  sys_->files["class/net/eth0/speed"] = "10000\n";
  Start({.speed_refresh = seconds(5)});
  constexpr std::string_view kPage = "eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n";
  EXPECT_EQ(Value(Second(kPage), "network_speed_bytes", kEth0), 1.25e9);
  sys_->files["class/net/eth0/speed"] = "1000\n";
  EXPECT_EQ(Value(Second(kPage), "network_speed_bytes", kEth0), 1.25e9);
  now_ += seconds(4);
  EXPECT_EQ(Value(Second(kPage), "network_speed_bytes", kEth0), 1.25e8);
}

// ethtool; node_exporter#1967.
TEST_F(Net, ASpeedThatTheDriverDoesNotKnowIsNone) {
  EXPECT_EQ(ParseLinkSpeed("10000\n"), 1.25e9);
  EXPECT_EQ(ParseLinkSpeed("800000\n"), 1e11);
  for (const auto* text : {"0\n", "65535\n", "4294967295\n", "2147483647\n", "-1\n", "", "fast\n",
                           "18446744073709551615\n"}) {
    EXPECT_EQ(ParseLinkSpeed(text), std::nullopt) << text;
  }
}

constexpr std::string_view kTwo =
    "eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
    "eth1: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n";
constexpr auto kEth1 = R"(device="eth1")";

// The kernel waits for the RTNL lock: node_exporter#2477, #1841, #2500.
TEST_F(Net, ASpeedThatHangsCostsNothingElse) {
  reader_ = testing::kHastyReader;
  sys_->files["class/net/eth0/speed"] = sys_->files["class/net/eth1/speed"] = "10000\n";
  Start({.speed_refresh = seconds(1)});
  EXPECT_EQ(Find(Second(kTwo), "network_speed_bytes")->samples.size(), 2U);
  sys_->hangs = {"class/net/eth0/speed"};
  sys_->files["class/net/eth1/speed"] = "1000\n";
  auto page = Second(kTwo);
  EXPECT_EQ(Value(page, "network_speed_bytes", kEth1), 1.25e8);
  for (int i = 0; i < 6; ++i) {
    page = Second(kTwo);
    EXPECT_EQ(Find(page, "network_receive_bytes_total")->samples.size(), 2U);
    EXPECT_EQ(Value(page, "network_speed_bytes", kEth1), 1.25e8);
  }
  EXPECT_EQ(Value(page, "network_speed_bytes", kEth0), std::nullopt);
  EXPECT_EQ(Value(page, "facts_unreadable", R"(file="class/net/eth0/speed",reason="hangs")"), 1);
  EXPECT_EQ(log_,
            "net: class/net/eth0/speed does not answer; it is skipped until it does, the others go "
            "on\n");
  Restart({.speed_refresh = seconds(1)});
  page = Second(kTwo);
  EXPECT_EQ(Value(page, "facts_unreadable", R"(file="class/net/eth0/speed",reason="hangs")"), 1)
      << "a reload does not leave another thread behind";
}

TEST_F(Net, ASpeedThatHangsFromTheStartIsTheOnlyOneMissing) {
  reader_ = testing::kHastyReader;
  sys_->files["class/net/eth0/speed"] = sys_->files["class/net/eth1/speed"] = "10000\n";
  sys_->hangs = {"class/net/eth0/speed"};
  Start();
  const auto page = Second(kTwo);
  EXPECT_EQ(Value(page, "network_speed_bytes", kEth1), 1.25e9);
  EXPECT_EQ(Value(page, "network_speed_bytes", kEth0), std::nullopt);
  EXPECT_EQ(Find(page, "network_receive_bytes_total")->samples.size(), 2U);
}

TEST_F(Net, ASpeedThatCannotBeReadIsSaidToBeSo) {
  sys_->files["class/net/eth0/speed"] = sys_->files["class/net/eth1/speed"] = "10000\n";
  sys_->errors["class/net/eth0/speed"] = ErrorCode::kUnavailable;
  sys_->errors["class/net/eth1/speed"] = ErrorCode::kInvalid;
  Start();
  const auto page = Second(kTwo);
  EXPECT_EQ(Find(page, "network_speed_bytes"), nullptr);
  EXPECT_EQ(Find(page, "facts_unreadable")->samples.size(), 1U) << "a link that is down has none";
  EXPECT_EQ(Value(page, "facts_unreadable", R"(file="class/net/eth0/speed",reason="error")"), 1);
  EXPECT_EQ(log_,
            "net: class/net/eth0/speed: Input/output error; what it says is left out until it can "
            "be read\n");
}

TEST_F(Net, AReloadForgetsNoResetAndNoInterval) {
  Start();
  Second("eth0: 1000 10 0 0 0 0 0 0 500 5 0 0 0 0 0 0\n");
  Second("eth0: 7 1 0 0 0 0 0 0 3 1 0 0 0 0 0 0\nlo: 5 0 0 0 0 0 0 0 3 1 0 0 0 0 0 0\n");
  Restart({.devices = {.include = "."}});
  const auto page =
      Second("eth0: 17 1 0 0 0 0 0 0 3 1 0 0 0 0 0 0\nlo: 9 0 0 0 0 0 0 0 3 1 0 0 0 0 0 0\n");
  EXPECT_EQ(Value(page, "network_resets_total", kEth0), 1);
  EXPECT_EQ(Value(page, "network_receive_bytes_per_second", kEth0), 10);
  EXPECT_EQ(Value(page, "network_receive_bytes_total", R"(device="lo")"), 9);
  EXPECT_EQ(Value(page, "network_receive_bytes_per_second", R"(device="lo")"), std::nullopt)
      << "shown for the first time";
}

TEST_F(Net, ADamagedFileShowsWhatIsWhole) {
  Start();
  const auto page = Second(
      "eth0: 1 2 3\n"
      "eth1: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
      "eth2: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 1");
  EXPECT_EQ(Find(page, "network_receive_bytes_total")->samples.size(), 1U);
  EXPECT_EQ(Value(page, "network_skipped_lines_total"), 2);
  EXPECT_EQ(log_, "net: net/dev: line 1: expected an interface, a colon and 16 numbers; skipped\n");
}

TEST_F(Net, AFileWithNothingWholeIsAnError) {
  Start();
  EXPECT_FALSE(collector_->Collect(Now())) << "no such file";
  proc_->files["net/dev"] = "eth0: 1 2\n";
  EXPECT_FALSE(collector_->Collect(Now()));
  EXPECT_EQ(Value(Second(""), "network_skipped_lines_total"), 0);
}

TEST_F(Net, InterfacesTellWhatTheyStandOn) {
  sys_->links["class/net/eth0/device"] = "x";
  sys_->files["class/net/bond0/bonding/slaves"] = "eth0 eth1\n";
  Start();
  constexpr std::string_view kPage =
      "eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
      "bond0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
      "gone0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n";
  auto page = Second(kPage);
  constexpr auto kFirst = R"(device="bond0",kind="bond",lower="eth0")";
  EXPECT_EQ(Value(page, "network_stack_info", R"(device="eth0",kind="hardware",lower="")"), 1);
  EXPECT_EQ(Value(page, "network_stack_info", kFirst), 1);
  EXPECT_EQ(Value(page, "network_stack_info", R"(device="bond0",kind="bond",lower="eth1")"), 1);
  EXPECT_EQ(Find(page, "network_stack_info")->samples.size(), 3U) << "gone0 is not in /sys";
  sys_->files["class/net/bond0/bonding/slaves"] = "eth1\n";
  EXPECT_EQ(Value(Second(kPage), "network_stack_info", kFirst), 1) << "read now and then";
  now_ += seconds(120);
  page = Second(kPage);
  EXPECT_EQ(Value(page, "network_stack_info", kFirst), std::nullopt);
  EXPECT_EQ(Find(page, "network_stack_info")->samples.size(), 2U);
}

}  // namespace
}  // namespace limpet::net_test
