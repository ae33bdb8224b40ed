#include "diagnoser/facts/fact_readings.h"

#include <gtest/gtest.h>

#include <string>

namespace limpet::fact_readings_test {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

class Readings : public ::testing::Test {
 protected:
  static UnixTime At(Duration time) { return UnixTime(std::chrono::hours(1000) + time); }
  std::optional<std::uint32_t> Resolve(const std::string& name, const LabelPairs& labels,
                                       const std::string& node = "io1") {
    return facts_.Resolve({.field = FindField(name).value(),
                           .labels = labels,
                           .source = {.node = node, .role = "io", .labels = {}},
                           .target = "http://" + node});
  }
  std::vector<const FactReadings::Series*> Of(Duration time, const std::string& node = "io1") {
    return facts_.Of(node, At(time));
  }

  FactReadings facts_;
};

TEST_F(Readings, ACounterRisesOverTenToTwentyMinutes) {
  const auto series = Resolve("limpet_disk_errors_total", {{"device", "sda"}, {"kind", "timeout"}});
  ASSERT_TRUE(series);
  for (int minute = 0; minute <= 40; ++minute) {
    facts_.Add(*series, At(minutes(minute)), 100.0 + minute);
    const auto current = Of(minutes(minute));
    ASSERT_EQ(current.size(), 1U);
    EXPECT_LE(current[0]->rise, 21);
    EXPECT_GE(current[0]->rise, std::min(minute, 10));
    EXPECT_EQ(current[0]->span, minutes(static_cast<int>(current[0]->rise)));
  }
  facts_.Add(*series, At(minutes(41)), 3);
  EXPECT_EQ(Of(minutes(41))[0]->rise, 13) << "an old page, or a restart: nothing was counted";
  facts_.Add(*series, At(minutes(42)), 3);
  facts_.Add(*series, At(minutes(43)), 5);
  EXPECT_EQ(Of(minutes(43))[0]->rise, 15) << "a restart";
}

TEST_F(Readings, WhatThePageDoesNotSayAnyMoreIsPast) {
  const auto check = Resolve("node_md_state", {{"device", "md0"}, {"state", "check"}});
  const auto idle = Resolve("node_md_state", {{"device", "md0"}, {"state", "active"}});
  facts_.Add(*check, At(seconds(0)), 1);
  EXPECT_EQ(Of(seconds(1)).size(), 1U);
  facts_.Add(*idle, At(seconds(60)), 1);
  ASSERT_EQ(Of(seconds(61)).size(), 1U);
  EXPECT_EQ(Of(seconds(61))[0]->Label("state"), "active");
  EXPECT_TRUE(Of(minutes(10)).empty()) << "the node is silent";
}

TEST_F(Readings, FileSystemsInMemoryAreNone) {
  EXPECT_FALSE(Resolve("node_filesystem_avail_bytes",
                       {{"device", "tmpfs"}, {"mountpoint", "/run"}, {"fstype", "tmpfs"}}));
  const auto disk = Resolve("node_filesystem_avail_bytes",
                            {{"device", "/dev/sda1"}, {"mountpoint", "/"}, {"fstype", "ext4"}});
  facts_.Add(*disk, At(seconds(0)), 1);
  EXPECT_EQ(Of(seconds(0))[0]->device, "sda1");
}

TEST_F(Readings, AVirtualInterfaceHasNoCable) {
  for (const std::string name :
       {"veth1a2b3c4", "docker0", "br-0f1e2d3c4b5a", "cali012345", "tap0"}) {
    EXPECT_FALSE(Resolve("node_network_carrier_changes_total", {{"device", name}})) << name;
  }
  for (const std::string name : {"eth0", "enp1s0f0", "ib0", "bond0", "br0", "vlan7"}) {
    EXPECT_TRUE(Resolve("node_network_carrier_changes_total", {{"device", name}})) << name;
  }
}

TEST_F(Readings, WhatNeedsRightsSaysNothingAboutTheMachine) {
  LabelPairs labels = {{"device", "/dev/sda1"}, {"mountpoint", "/"}, {"fstype", "ext4"}};
  EXPECT_TRUE(Resolve("node_filesystem_device_error", labels));
  labels.emplace_back("device_error", "permission denied");
  EXPECT_FALSE(Resolve("node_filesystem_device_error", labels));
  EXPECT_FALSE(Resolve("limpet_facts_unreadable", {{"file", "a"}, {"reason", "permission"}}));
  EXPECT_TRUE(Resolve("limpet_facts_unreadable", {{"file", "a"}, {"reason", "error"}}));
}

TEST_F(Readings, ANodeHasItsRoomAndNoMore) {
  for (std::size_t i = 0; i < FactReadings::kMaxPerNode; ++i) {
    ASSERT_TRUE(Resolve("limpet_md_degraded_disks", {{"device", std::to_string(i)}}));
  }
  EXPECT_FALSE(Resolve("limpet_md_degraded_disks", {{"device", "one more"}}));
  EXPECT_TRUE(Resolve("limpet_md_degraded_disks", {{"device", "one more"}}, "io2"));
}

TEST_F(Readings, AreForgottenWithTheirNodeAndWithTime) {
  const auto old = Resolve("limpet_kernel_info", {{"release", "5"}});
  const auto later = Resolve("limpet_kernel_info", {{"release", "6"}}, "io2");
  facts_.Add(*old, At(seconds(0)), 1);
  facts_.Add(*later, At(minutes(2)), 1);
  facts_.Tidy(At(minutes(1)));
  EXPECT_TRUE(Of(minutes(2)).empty());
  ASSERT_EQ(Of(minutes(2), "io2").size(), 1U);
  const auto again = Resolve("limpet_kernel_info", {{"release", "6"}}, "io2");
  facts_.Forget("io2");
  facts_.Add(*again, At(minutes(3)), 1);
  EXPECT_TRUE(Of(minutes(3), "io2").empty());
  EXPECT_TRUE(facts_.Empty());
}

TEST_F(Readings, ARecordingSaysOfEachSeriesWhoseItIs) {
  const auto labels = LabelPairs{{"device", "md0"}, {"instance", "io7"}, {"state", "check"}};
  const auto state = FindField("limpet_md_state").value();
  EXPECT_FALSE(facts_.Resolve({.field = state, .labels = {{"device", "md0"}}, .target = "f"}));
  const auto series = facts_.Resolve({.field = state, .labels = labels, .target = "f"});
  ASSERT_TRUE(series);
  facts_.Add(*series, At(seconds(0)), 1);
  EXPECT_EQ(Of(seconds(0), "io7").size(), 1U);
}

}  // namespace
}  // namespace limpet::fact_readings_test
