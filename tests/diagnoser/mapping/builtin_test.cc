#include "diagnoser/mapping/builtin.h"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <utility>

#include "exporter/catalog.h"

namespace limpet {
namespace {

TEST(Builtin, BothExportersMeanTheSame) {
  const auto ours = FindField("limpet_disk_read_bytes_total");
  const auto theirs = FindField("node_disk_read_bytes_total");
  ASSERT_TRUE(ours && theirs);
  EXPECT_EQ(ours->kind, EntityKind::kDisk);
  EXPECT_EQ(ours->index, 2);
  EXPECT_EQ(theirs->index, 2);
}

TEST(Builtin, OtherSeriesAreNotRead) {
  EXPECT_FALSE(FindField("limpet_disk_await_seconds"));
  EXPECT_FALSE(FindField("disk_read_bytes_total"));
  EXPECT_FALSE(FindField("limpet_"));
  EXPECT_FALSE(FindField(""));
  EXPECT_FALSE(FindField("limpet_disk_read_bytes_total_x"));
}

TEST(Builtin, TheCollectorsDirectionsAreCountersOfTheirOwn) {
  const auto name = FindField("system_disk_operations_total");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->kind, EntityKind::kDisk);
  EXPECT_EQ(name->index, kLabelField);
  const auto reads =
      FindFieldByLabels("system_disk_operations_total", {{"device", "sda"}, {"direction", "read"}});
  ASSERT_TRUE(reads);
  EXPECT_EQ(reads->index, FieldNumber(DiskCounter::kReads));
  EXPECT_FALSE(FindFieldByLabels("system_disk_operations_total", {{"device", "sda"}}));
  EXPECT_FALSE(FindFieldByLabels("system_disk_operations_total", {{"direction", "receive"}}));
}

TEST(Builtin, TheCollectorHasEveryCounterOfDisksAndInterfaces) {
  std::set<std::pair<EntityKind, int>> found;
  for (const std::string name :
       {"disk_io_bytes", "disk_io_time_seconds", "disk_operation_time_seconds", "disk_operations",
        "disk_weighted_io_time_seconds", "network_io_bytes", "network_packets"}) {
    const auto series = "system_" + name + "_total";
    for (const std::string direction : {"read", "write", "receive", "transmit"}) {
      auto field = FindField(series);
      if (field && field->index == kLabelField) {
        field = FindFieldByLabels(series, {{"direction", direction}});
      }
      if (field) {
        found.emplace(field->kind, field->index);
      }
    }
  }
  EXPECT_EQ(found.size(), kDiskCounters + kNetCounters);
}

TEST(Builtin, OperationsAtTheDeviceAreCountersOfTheDisk) {
  const std::string name = "limpet_block_device_seconds_sum";
  ASSERT_TRUE(FindField(name));
  EXPECT_EQ(FindField(name)->kind, EntityKind::kDisk);
  EXPECT_EQ(FindField(name)->index, kLabelField);
  const auto write = FindFieldByLabels(name, {{"device", "sda"}, {"operation", "write"}});
  ASSERT_TRUE(write);
  EXPECT_EQ(write->index, FieldNumber(DiskCounter::kDeviceWriteSeconds));
  EXPECT_FALSE(FindFieldByLabels(name, {{"device", "sda"}, {"operation", "flush"}}));
  EXPECT_FALSE(FindField("limpet_block_total_seconds_sum"));
}

TEST(Builtin, ModesOfProcessorsAreCountersOfTheirOwn) {
  const auto user = FindFieldByLabels("node_cpu_seconds_total", {{"cpu", "0"}, {"mode", "user"}});
  ASSERT_TRUE(user);
  EXPECT_EQ(user->index, FieldNumber(HostCounter::kCpuUser));
  EXPECT_FALSE(FindFieldByLabels("node_cpu_seconds_total", {{"mode", "idle"}}));
}

// A counter that is renamed in the catalogue would silently be read no more.
TEST(Builtin, EveryNameIsOneThatTheExporterHas) {
  std::size_t found = 0;
  for (const auto* metric : AllMetrics()) {
    found += FindField("limpet_" + std::string(metric->name)).has_value() ? 1U : 0U;
  }
  EXPECT_EQ(found, 75U);  // 38 counters and gauges, 35 series of facts and 2 of activity
}

}  // namespace
}  // namespace limpet
