#include "diagnoser/intake/page_machines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "diagnoser/intake/intake.h"

namespace limpet::page_machines_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

constexpr UnixTime kStart = UnixFromSeconds(1'700'000'000);

std::string Reads(const std::string& labels, int value = 5) {
  return "node_disk_reads_completed_total{" + labels + "} " + std::to_string(value) + "\n";
}

// What is said of pages of the target "a", each a second after the one before; empty: they are
// read.
class Target {
 public:
  std::string Says(const std::string& page) {
    at_ += 1s;
    const auto stats = intake_.Ingest(
        {.source = "u", .node = "a", .role = {}, .labels = {}, .at = at_, .text = page},
        std::nullopt, directory_, readings_, counters_);
    return stats ? "" : stats.error().Text();
  }

 private:
  Directory directory_{{*Rule::Compile({.name = "disks"}),
                        *Rule::Compile({.name = "nets", .kind = GroupKind::kNetwork})}};
  Readings readings_{{GridSpec{.capacity = 16}}};
  Intake intake_{{}};
  PipelineCounters counters_;
  UnixTime at_ = kStart;
};

TEST(PageMachines, SeriesOfSeveralInstancesAreNoMachines) {
  for (const std::string label : {"instance", "nodename", "exported_instance", "host_name"}) {
    Target target;
    const auto says = target.Says(Reads("device=\"sda\"," + label + "=\"io01\"") +
                                  Reads("device=\"sda\"," + label + "=\"io02\""));
    EXPECT_THAT(says, AllOf(HasSubstr(label + "=\"io01\" and " + label + "=\"io02\""),
                            HasSubstr("one machine's disks and interfaces")));
  }
}

// Where no device has the same name, nothing else would tell.
TEST(PageMachines, NorAreThoseOfDifferentDevices) {
  Target target;
  EXPECT_THAT(target.Says("node_network_receive_bytes_total{device=\"eth0\",node=\"k1\"} 1\n" +
                          Reads("device=\"nvme0n1\",node=\"k2\"")),
              HasSubstr("node=\"k1\" and node=\"k2\""));
}

TEST(PageMachines, ADeviceThatIsThereTwiceIsOfTwoExporters) {
  Target target;
  EXPECT_THAT(target.Says(Reads(R"(device="sda",rack="1")") + Reads(R"(device="sda",rack="2")")),
              AllOf(HasSubstr("rack=\"1\""), HasSubstr("rack=\"2\"")));
  EXPECT_THAT(target.Says(Reads(R"(device="sda")") + Reads(R"(device="sda",rack="2")")),
              HasSubstr("rack=\"2\""));
}

TEST(PageMachines, TwoHostNamesAreTwoMachines) {
  Target target;
  EXPECT_THAT(target.Says(Reads("device=\"sda\"") + "node_uname_info{nodename=\"io01\"} 1\n" +
                          "node_uname_info{nodename=\"io02\"} 1\n"),
              HasSubstr("nodename=\"io01\" and nodename=\"io02\""));
}

// The proxy learns of a second machine later; once it is gone, the page is read again.
TEST(PageMachines, TheSecondMachineMayComeLater) {
  const auto one = Reads(R"(device="sda",instance="io01:9100")");
  const auto other = Reads(R"(device="sdb",instance="io02:9100")");
  Target target;
  ASSERT_THAT(target.Says(one), IsEmpty());
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(target.Says(one + other), HasSubstr("io02")) << i;
  }
  EXPECT_THAT(target.Says(one), IsEmpty());
  EXPECT_THAT(target.Says(other), IsEmpty()) << "an address that another machine has now";
}

TEST(PageMachines, LabelsOfOneMachineAreNone) {
  Target target;
  const std::string page =
      Reads(R"(device="sda",instance="io01",node="k1")") +
      Reads(R"(device="sdb",instance="io01")") +
      "node_uname_info{nodename=\"io01\",instance=\"io01\"} 1\n"
      "node_infiniband_port_data_received_bytes_total{device=\"m\",port=\"1\"} 1\n"
      "node_infiniband_port_data_received_bytes_total{device=\"m\",port=\"2\"} 1\n"
      "system_disk_io_bytes_total{device=\"sda\",direction=\"read\"} 1\n"
      "system_disk_io_bytes_total{device=\"sda\",direction=\"write\"} 1\n"
      "up{instance=\"io02\"} 1\n"
      "ceph_osd_op{instance=\"io03\",host=\"x\"} 1\n";
  EXPECT_THAT(target.Says(page), IsEmpty());
  EXPECT_THAT(target.Says(page), IsEmpty());
}

// A store's page: its labels may change from one instant to the next.
TEST(PageMachines, OnlySeriesOfOneInstantAreHeldAgainstEachOther) {
  Target target;
  EXPECT_THAT(
      target.Says("node_disk_reads_completed_total{device=\"sda\",host=\"x\"} 1 1700000000000\n"
                  "node_disk_reads_completed_total{device=\"sda\",host=\"y\"} 2 1700000001000\n"),
      IsEmpty());
}

}  // namespace
}  // namespace limpet::page_machines_test
