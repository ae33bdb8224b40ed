#include "exporter/collectors/all.h"

#include <gtest/gtest.h>

#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "tests/support/families.h"

namespace limpet {
namespace {

using testing::Find;
using testing::Value;

const LogSink kSilent = [](LogLevel, std::string_view) {};

// Captured on a machine of ours: tests/fixtures/README.md.
CollectorOptions Fixture(const std::string& kernel) {
  CollectorOptions options;
  options.procfs = "tests/fixtures/" + kernel + "/proc";
  options.sysfs = "tests/fixtures/" + kernel + "/sys";
  options.self.enabled = false;  // which reads the real /proc
  return options;
}

// One page of all collectors that can read something there.
Families Page(const CollectorOptions& options) {
  Families page;
  const auto collectors = MakeCollectors(options, kSilent).value();
  for (const auto& collector : collectors) {
    if (auto families = collector->Collect({})) {
      std::move(families->begin(), families->end(), std::back_inserter(page));
    }
  }
  return page;
}

TEST(AllCollectors, HaveNamesAndFamiliesOfTheirOwn) {
  auto options = Fixture("6.18");
  options.self.enabled = true;
  std::set<std::string_view> collector_names;
  std::set<std::string_view> names;
  const auto collectors = MakeCollectors(options, kSilent).value();
  for (const auto& collector : collectors) {
    EXPECT_TRUE(collector_names.insert(collector->Name()).second) << collector->Name();
    const auto families = collector->Collect({});
    ASSERT_TRUE(families) << collector->Name();
    for (const auto& family : *families) {
      EXPECT_TRUE(names.insert(family.info->name).second) << family.info->name;
      EXPECT_FALSE(family.samples.empty()) << family.info->name;
    }
  }
  EXPECT_TRUE(collector_names.contains("self"));
}

TEST(AllCollectors, ReadACapturedMachine) {
  const auto page = Page(Fixture("6.18"));
  EXPECT_EQ(Value(page, "disk_reads_completed_total", R"(device="vda")"), 166713);
  EXPECT_EQ(Find(page, "disk_reads_completed_total")->samples.size(), 2U) << "vda and zram0";
  EXPECT_EQ(Value(page, "disk_info",
                  R"(device="vda",wwn="",serial="overlayblk",model="",rotational="1",)"
                  R"(mountpoint="/",fstype="ext4")"),
            1);
  EXPECT_EQ(Value(page, "network_receive_bytes_total", R"(device="eth0")"), 345247450);
  EXPECT_EQ(Find(page, "netstat_tcp_retrans_segs_total")->samples.size(), 1U);
  EXPECT_EQ(Find(page, "cpu_seconds_total")->samples.size(), 8U);
}

TEST(AllCollectors, ReadAnOldKernel) {
  const auto page = Page(Fixture("4.9"));
  EXPECT_EQ(Find(page, "disk_io_now")->samples.size(), 3U) << "sda, cciss/c0d0, dm-0";
  EXPECT_EQ(Value(page, "disk_io_now", R"(device="dm-0")"), 0);
  EXPECT_EQ(Value(page, "disk_write_time_seconds_total", R"(device="sda")"), 4294966.123);
  EXPECT_EQ(Value(page, "disk_info",
                  R"(device="sda",wwn="0x600508b1001c7e9a",serial="ZC19AB",)"
                  R"(model="ST4000NM0035-1V4",rotational="1",mountpoint="",fstype="")"),
            1);
  EXPECT_EQ(Value(page, "disk_info",
                  R"(device="cciss/c0d0",wwn="",serial="",model="LOGICAL VOLUME",rotational="",)"
                  R"(mountpoint="",fstype="")"),
            1);
  EXPECT_EQ(Value(page, "network_receive_bytes_total", R"(device="eth0:1")"), 100);
}

TEST(AllCollectors, ReadTheDiscardsOf418) {
  const auto page = Page(Fixture("4.19"));
  EXPECT_EQ(Find(page, "disk_io_now")->samples.size(), 1U) << "without the partition";
  EXPECT_EQ(Value(page, "disk_discard_time_seconds_total", R"(device="nvme0n1")"), 0.077);
  EXPECT_EQ(Find(page, "disk_flush_requests_total"), nullptr);
}

TEST(AllCollectors, CanBeSwitchedOffOneByOne) {
  auto options = Fixture("6.18");
  options.netstat.enabled = false;
  const auto collectors = MakeCollectors(options, kSilent).value();
  for (const auto& collector : collectors) {
    EXPECT_NE(collector->Name(), "netstat");
    EXPECT_NE(collector->Name(), "self");
  }
}

TEST(AllCollectors, ABadPatternNamesItsKey) {
  auto options = Fixture("6.18");
  options.net.devices.exclude = "[";
  const auto collectors = MakeCollectors(options, kSilent);
  ASSERT_FALSE(collectors);
  EXPECT_EQ(collectors.error().where, "net.exclude");
}

}  // namespace
}  // namespace limpet
