#include "exporter/collectors/infiniband.h"

#include <gmock/gmock.h>

#include "tests/support/families.h"
#include "tests/support/map_files.h"
#include "tests/support/ticking_collector.h"

namespace limpet::infiniband_test {
namespace {

using std::chrono::seconds;
using testing::Find;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Value;

constexpr auto kPort = R"(device="mlx5_0",port="1")";

class Infiniband : public ::testing::Test {
 protected:
  ~Infiniband() override { sys_->Release(); }
  void Start(InfinibandOptions options = {}) {
    options.reader = reader_;
    collector_ = *MakeWithFilter<InfinibandCollector>(
        options, "",
        testing::InputsOf(sys_, sys_, [log = log_lines_](LogLevel, std::string_view text) {
          *log += std::string(text) + "\n";
        }));
  }
  // Files of a port, by what stands after its folder.
  void Port(const std::string& device, const std::string& number,
            const std::map<std::string, std::string>& files) {
    for (const auto& [name, text] : files) {
      sys_->files[Path(device, number, name)] = text;
    }
  }
  static std::string Path(const std::string& device, const std::string& number,
                          const std::string& name) {
    return "class/infiniband/" + device + "/ports/" + number + "/" + name;
  }
  Families Second() {
    now_ += seconds(1);
    return collector_->Collect({UnixTime(now_.time_since_epoch()), now_}).value();
  }

  std::shared_ptr<testing::FileTree> sys_ = std::make_shared<testing::FileTree>();
  DeviceReaderOptions reader_ = testing::kPatientReader;
  std::unique_ptr<Collector> collector_;
  SteadyTime now_{std::chrono::hours(1)};
  // Whoever is left behind may outlive the test.
  std::shared_ptr<std::string> log_lines_ = std::make_shared<std::string>();
  std::string& log_ = *log_lines_;
};

TEST_F(Infiniband, WordsAreFourBytes) {
  Port("mlx5_0", "1",
       {{"counters/port_rcv_data", "1000000000001\n"},
        {"counters/port_xmit_data", "25\n"},
        {"counters/port_rcv_packets", "7\n"},
        {"counters/port_xmit_packets", "8\n"},
        {"counters/symbol_error", "65535\n"},
        {"counters/link_downed", "3\n"},
        {"counters/port_xmit_wait", "99\n"},
        {"counters/VL15_dropped", "1\n"},
        {"hw_counters/out_of_sequence", "12\n"},
        {"hw_counters/lifespan", "10\n"},
        {"link_layer", "InfiniBand\n"},
        {"state", "4: ACTIVE\n"},
        {"phys_state", "5: LinkUp\n"},
        {"rate", "100 Gb/sec (4X EDR)\n"}});
  Start();
  const auto page = Second();
  EXPECT_EQ(Value(page, "infiniband_port_data_received_bytes_total", kPort), 4000000000004.0);
  EXPECT_EQ(Value(page, "infiniband_port_data_transmitted_bytes_total", kPort), 100);
  EXPECT_EQ(Value(page, "infiniband_port_packets_received_total", kPort), 7);
  EXPECT_EQ(Value(page, "infiniband_port_packets_transmitted_total", kPort), 8);
  EXPECT_EQ(Value(page, "infiniband_symbol_error_total", kPort), 65535);
  EXPECT_EQ(Value(page, "infiniband_link_downed_total", kPort), 3);
  EXPECT_EQ(Value(page, "infiniband_port_transmit_wait_total", kPort), 99);
  EXPECT_EQ(Value(page, "infiniband_vl15_dropped_total", kPort), 1);
  EXPECT_EQ(Value(page, "infiniband_state_id", kPort), 4);
  EXPECT_EQ(Value(page, "infiniband_physical_state_id", kPort), 5);
  EXPECT_EQ(Value(page, "infiniband_rate_bytes_per_second", kPort), 12.5e9);
  EXPECT_EQ(
      Value(page, "infiniband_port_info", R"(device="mlx5_0",port="1",link_layer="InfiniBand")"),
      1);
  EXPECT_EQ(Value(page, "infiniband_hardware_events_total",
                  R"(device="mlx5_0",port="1",counter="out_of_sequence")"),
            12);
  EXPECT_EQ(Find(page, "infiniband_hardware_events_total")->All().size(), 1U)
      << "lifespan is no event";
  EXPECT_EQ(Find(page, "infiniband_saturated_counters"), nullptr);
}

TEST_F(Infiniband, OldKernelsHaveWideCountersElsewhere) {
  Port("mlx4_0", "2",
       {{"counters/port_rcv_data", "4294967295\n"},
        {"counters_ext/port_rcv_data_64", "5000000000\n"},
        {"hw_counters/rq_num_oos", "2\n"}});
  Start();
  EXPECT_EQ(
      Value(Second(), "infiniband_port_data_received_bytes_total", R"(device="mlx4_0",port="2")"),
      20e9);
  EXPECT_THAT(log_, Not(HasSubstr("saturated")));
  EXPECT_THAT(log_, Not(HasSubstr("4294967295")));
}

TEST_F(Infiniband, IrdmaCountsOctetsOfBothProtocols) {
  Port("irdma0", "1",
       {{"hw_counters/ip4InOctets", "1000\n"},
        {"hw_counters/ip6InOctets", "24\n"},
        {"hw_counters/ip4OutOctets", "5\n"},
        {"hw_counters/cnpSent", "6\n"},
        {"link_layer", "Ethernet\n"}});
  Start();
  const auto page = Second();
  constexpr auto kIrdma = R"(device="irdma0",port="1")";
  EXPECT_EQ(Value(page, "infiniband_port_data_received_bytes_total", kIrdma), 1024);
  EXPECT_EQ(Value(page, "infiniband_port_data_transmitted_bytes_total", kIrdma), 5);
  EXPECT_EQ(Find(page, "infiniband_port_packets_received_total"), nullptr);
}

// What drivers have in their folders (their sources in Linux 6.18), with numbers made up.
TEST_F(Infiniband, OmniPathCountsFlitsOfEightBytes) {
  sys_->files["class/infiniband/hfi1_0/device/uevent"] = "DRIVER=hfi1\nPCI_CLASS=20800\n";
  Port("hfi1_0", "1",
       {{"counters/port_rcv_data", "1000\n"},
        {"counters/port_xmit_data", "20\n"},
        {"counters/port_rcv_packets", "7\n"},
        {"counters/port_xmit_packets", "9\n"},
        {"counters/symbol_error", "0\n"},
        {"hw_counters/RcResend", "3\n"},
        {"hw_counters/RcSeqNak", "2\n"},
        {"link_layer", "InfiniBand\n"},
        {"rate", "100 Gb/sec (4X EDR)\n"}});
  Start();
  const auto page = Second();
  constexpr auto kHfi = R"(device="hfi1_0",port="1")";
  EXPECT_EQ(Value(page, "infiniband_port_data_received_bytes_total", kHfi), 8000);
  EXPECT_EQ(Value(page, "infiniband_port_data_transmitted_bytes_total", kHfi), 160);
  EXPECT_EQ(Value(page, "rdma_sent_packets_total", kHfi), 9);
  EXPECT_EQ(Value(page, "rdma_resent_total", kHfi), 3);
  EXPECT_EQ(Value(page, "rdma_received_packets_total", kHfi), 7);
  EXPECT_EQ(Value(page, "rdma_out_of_order_total", kHfi), 2);
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(Infiniband, BnxtHasItsBytesAmongTheHardwareCounters) {
  Port("bnxt_re0", "1",
       {{"hw_counters/rx_bytes", "5000\n"},
        {"hw_counters/tx_bytes", "6000\n"},
        {"hw_counters/rx_pkts", "5\n"},
        {"hw_counters/tx_pkts", "6\n"},
        {"hw_counters/to_retransmits", "1\n"},
        {"hw_counters/seq_err_naks_rcvd", "4\n"},
        {"hw_counters/rnr_naks_rcvd", "50\n"},
        {"hw_counters/oos_drop_count", "8\n"},
        {"link_layer", "Ethernet\n"},
        {"rate", "100 Gb/sec (4X EDR)\n"}});
  Start();
  const auto page = Second();
  constexpr auto kBnxt = R"(device="bnxt_re0",port="1")";
  EXPECT_EQ(Value(page, "infiniband_port_data_received_bytes_total", kBnxt), 5000);
  EXPECT_EQ(Value(page, "infiniband_port_data_transmitted_bytes_total", kBnxt), 6000);
  EXPECT_EQ(Value(page, "rdma_resent_total", kBnxt), 5) << "a receiver without room is no loss";
  EXPECT_EQ(Value(page, "rdma_out_of_order_total", kBnxt), 8);
  EXPECT_EQ(Value(page, "infiniband_hardware_events_total",
                  R"(device="bnxt_re0",port="1",counter="rnr_naks_rcvd")"),
            50);
}

TEST_F(Infiniband, WhatMlx4AndMlx5SendAgain) {
  Port("mlx5_0", "1",
       {{"counters/port_xmit_packets", "1000\n"},
        {"hw_counters/local_ack_timeout_err", "1\n"},
        {"hw_counters/packet_seq_err", "2\n"},
        {"hw_counters/implied_nak_seq_err", "4\n"},
        {"hw_counters/roce_adp_retrans", "8\n"},
        {"hw_counters/rnr_nak_retry_err", "16\n"},
        {"hw_counters/out_of_sequence", "3\n"}});
  Port("mlx4_0", "1",
       {{"counters/port_xmit_packets", "1000\n"},
        {"counters/port_rcv_packets", "500\n"},
        {"hw_counters/sq_num_to", "5\n"},
        {"hw_counters/sq_num_oos", "6\n"},
        {"hw_counters/sq_num_rnr", "7\n"},
        {"hw_counters/rq_num_oos", "9\n"}});
  Start();
  auto page = Second();
  constexpr auto kMlx4 = R"(device="mlx4_0",port="1")";
  EXPECT_EQ(Value(page, "rdma_resent_total", kPort), 15);
  EXPECT_EQ(Value(page, "rdma_sent_packets_total", kPort), 1000);
  EXPECT_EQ(Value(page, "rdma_resent_total", kMlx4), 11);
  EXPECT_EQ(Value(page, "rdma_out_of_order_total", kMlx4), 9);
  EXPECT_EQ(Find(page, "rdma_out_of_order_total")->All().size(), 1U)
      << "without the packets it says nothing";
  // Both are of one instant.
  Port("mlx5_0", "1",
       {{"counters/port_xmit_packets", "2000\n"}, {"hw_counters/packet_seq_err", "102\n"}});
  page = Second();
  EXPECT_EQ(Value(page, "infiniband_port_packets_transmitted_total", kPort), 2000);
  EXPECT_EQ(Value(page, "rdma_sent_packets_total", kPort), 1000);
  now_ += seconds(4);
  page = Second();
  EXPECT_EQ(Value(page, "rdma_sent_packets_total", kPort), 2000);
  EXPECT_EQ(Value(page, "rdma_resent_total", kPort), 115);
}

TEST_F(Infiniband, CountersThatADriverLacksAreNamedOnce) {
  Port("rxe0", "1", {{"link_layer", "Ethernet\n"}, {"state", "4: ACTIVE\n"}});
  Start({.devices = {}, .refresh = seconds(10)});
  EXPECT_THAT(Second(), ::testing::SizeIs(2)) << "its state and what it is";
  EXPECT_THAT(log_, HasSubstr("rxe0/1: its driver has no counter for "
                              "infiniband_port_data_received_bytes_total"));
  EXPECT_THAT(log_, HasSubstr("rdma_resent_total, rdma_out_of_order_total"));
  log_.clear();
  // It goes and comes back.
  const auto files = sys_->files;
  sys_->files.clear();
  now_ += seconds(10);
  EXPECT_THAT(Second(), IsEmpty());
  sys_->files = files;
  now_ += seconds(10);
  Second();
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(Infiniband, APortThatComesBackUnderAnotherNameIsAnother) {
  Port("mlx5_0", "1", {{"counters/port_rcv_data", "100\n"}});
  Start({.devices = {}, .refresh = seconds(10)});
  EXPECT_EQ(Value(Second(), "infiniband_port_data_received_bytes_total", kPort), 400);
  sys_->files.clear();
  EXPECT_THAT(Second(), IsEmpty()) << "what does not answer has no reading";
  Port("rocep1s0", "1", {{"counters/port_rcv_data", "1\n"}});
  now_ += seconds(10);
  const auto page = Second();
  const auto* received = Find(page, "infiniband_port_data_received_bytes_total");
  ASSERT_NE(received, nullptr);
  EXPECT_EQ(received->samples.size(), 1U);
  EXPECT_EQ(
      Value(page, "infiniband_port_data_received_bytes_total", R"(device="rocep1s0",port="1")"), 4);
}

TEST_F(Infiniband, ThirtyTwoAdaptersOfTwoPorts) {
  for (int device = 0; device < 32; ++device) {
    for (const std::string port : {"1", "2"}) {
      Port("mlx5_" + std::to_string(device), port,
           {{"counters/port_rcv_data", "1\n"},
            {"counters/port_xmit_data", "18446744073709551615\n"},
            {"counters/port_rcv_packets", "4294967295\n"},
            {"hw_counters/out_of_sequence", "18446744073709551615\n"},
            {"state", "4: ACTIVE\n"}});
    }
  }
  Start();
  const auto page = Second();
  EXPECT_EQ(Find(page, "infiniband_port_data_received_bytes_total")->All().size(), 64U);
  EXPECT_EQ(Find(page, "infiniband_port_data_transmitted_bytes_total"), nullptr) << "all ones";
  EXPECT_EQ(Find(page, "rdma_out_of_order_total"), nullptr) << "all ones";
  EXPECT_EQ(Value(page, "infiniband_saturated_counters", R"(device="mlx5_31",port="2")"), 1);
}

TEST_F(Infiniband, ACounterThatHasStoppedIsNoReading) {
  Port("qib0", "1",
       {{"counters/port_rcv_data", "4294967295\n"}, {"counters/port_xmit_data", "4294967294\n"}});
  Start();
  auto page = Second();
  constexpr auto kQib = R"(device="qib0",port="1")";
  EXPECT_EQ(Find(page, "infiniband_port_data_received_bytes_total"), nullptr);
  EXPECT_EQ(Value(page, "infiniband_port_data_transmitted_bytes_total", kQib), 4294967294.0 * 4);
  EXPECT_EQ(Value(page, "infiniband_saturated_counters", kQib), 1);
  EXPECT_THAT(log_, HasSubstr("qib0/ports/1/counters/port_rcv_data: has reached 4294967295"));
  log_.clear();
  Second();
  EXPECT_THAT(log_, IsEmpty()) << "told once";
  Port("qib0", "1", {{"counters/port_rcv_data", "10\n"}});
  page = Second();
  EXPECT_EQ(Value(page, "infiniband_port_data_received_bytes_total", kQib), 40) << "cleared";
  EXPECT_EQ(Find(page, "infiniband_saturated_counters"), nullptr);
}

TEST_F(Infiniband, WhatIsNoNumberIsNotShown) {
  Port("mlx5_0", "1",
       {{"counters/port_rcv_data", "18446744073709551615\n"},
        {"counters/port_xmit_data", "-5\n"},
        {"counters/port_rcv_packets", ""},
        {"counters/symbol_error", "N/A (no PMA)\n"},
        {"counters/link_downed", "18446744073709551615\n"},
        {"state", "?\n"},
        {"rate", "unknown\n"}});
  Start();
  const auto page = Second();
  EXPECT_THAT(page, IsEmpty());
}

TEST_F(Infiniband, PortsComeAndGo) {
  Start({.devices = {}, .refresh = seconds(10)});
  EXPECT_THAT(Second(), IsEmpty()) << "no adapter";
  Port("mlx5_0", "1", {{"counters/port_rcv_data", "1\n"}, {"state", "4: ACTIVE\n"}});
  Port("mlx5_0", "x", {{"counters/port_rcv_data", "1\n"}});
  EXPECT_THAT(Second(), IsEmpty()) << "looked for now and then";
  now_ += seconds(10);
  EXPECT_EQ(Value(Second(), "infiniband_port_data_received_bytes_total", kPort), 4);
  sys_->files[Path("mlx5_0", "1", "counters/port_rcv_data")] = "3\n";
  sys_->files[Path("mlx5_0", "1", "state")] = "1: DOWN\n";
  auto page = Second();
  EXPECT_EQ(Value(page, "infiniband_port_data_received_bytes_total", kPort), 12);
  EXPECT_EQ(Value(page, "infiniband_state_id", kPort), 4) << "read now and then";
  now_ += seconds(80);
  EXPECT_EQ(Value(Second(), "infiniband_state_id", kPort), 1);
  sys_->files.erase(Path("mlx5_0", "1", "counters/port_rcv_data"));
  page = Second();
  EXPECT_EQ(Find(page, "infiniband_port_data_received_bytes_total"), nullptr) << "at once";
}

// An adapter whose firmware does not answer holds its readers.
TEST_F(Infiniband, APortThatHangsTakesNoOther) {
  reader_ = testing::kHastyReader;
  for (const auto* const device : {"mlx5_0", "mlx5_1", "mlx5_2"}) {
    Port(device, "1", {{"counters/port_rcv_data", "1\n"}, {"state", "4: ACTIVE\n"}});
  }
  sys_->hangs.insert(Path("mlx5_0", "1", "counters/port_rcv_data"));
  sys_->hangs.insert(Path("mlx5_1", "1", "state"));
  Start();
  for (int second = 0; second < 10; ++second) {
    const auto page = Second();
    const auto* const bytes = Find(page, "infiniband_port_data_received_bytes_total");
    ASSERT_NE(bytes, nullptr) << second;
    EXPECT_EQ(bytes->samples.size(), 2U) << second;
    EXPECT_EQ(Find(page, "infiniband_state_id")->All().size(), 2U) << second;
  }
  EXPECT_THAT(log_, HasSubstr("mlx5_0/ports/1/counters/port_rcv_data does not answer"));
  EXPECT_THAT(log_, HasSubstr("mlx5_1/ports/1/state does not answer"));
  sys_->Release();
}

TEST_F(Infiniband, ACounterThatFailsIsNotReadElsewhere) {
  Port("mlx4_0", "1",
       {{"counters/port_rcv_data", "7\n"}, {"counters_ext/port_rcv_data_64", "5000000000\n"}});
  Start();
  constexpr auto kMlx4 = R"(device="mlx4_0",port="1")";
  EXPECT_EQ(Value(Second(), "infiniband_port_data_received_bytes_total", kMlx4), 20e9);
  sys_->errors[Path("mlx4_0", "1", "counters_ext/port_rcv_data_64")] = ErrorCode::kUnavailable;
  EXPECT_EQ(Find(Second(), "infiniband_port_data_received_bytes_total"), nullptr);
}

TEST_F(Infiniband, DevicesCanBeLeftOut) {
  Port("mlx5_0", "1", {{"counters/port_rcv_data", "1\n"}});
  Port("mlx5_1", "1", {{"counters/port_rcv_data", "1\n"}});
  Start({.devices = {.include = {}, .exclude = "mlx5_1"}});
  EXPECT_EQ(Find(Second(), "infiniband_port_data_received_bytes_total")->samples.size(), 1U);
}

TEST_F(Infiniband, NoMorePortsThanItMay) {
  for (std::size_t i = 0; i < InfinibandCollector::kMaxPorts + 10; ++i) {
    Port("hca" + std::to_string(i), "1", {{"counters/port_rcv_data", "1\n"}});
  }
  Start();
  EXPECT_EQ(Find(Second(), "infiniband_port_data_received_bytes_total")->samples.size(),
            InfinibandCollector::kMaxPorts);
}

}  // namespace
}  // namespace limpet::infiniband_test
