#include "diagnoser/mapping/builtin.h"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <utility>

#include "exporter/catalog.h"

namespace limpet::builtin_test {
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

// Adds what the series counts for each value of the label.
void AddFields(const std::string& series, const std::string& label,
               std::set<std::pair<EntityKind, int>>& found) {
  for (const std::string value : {"read", "write", "receive", "transmit"}) {
    auto field = FindField(series);
    if (field && field->index == kLabelField) {
      field = FindFieldByLabels(series, {{label, value}});
    }
    if (field) {
      found.emplace(field->kind, field->index);
    }
  }
}

TEST(Builtin, TheCollectorHasEveryCounterOfDisksAndInterfaces) {
  std::set<std::pair<EntityKind, int>> found;
  for (const std::string name :
       {"disk_io_bytes", "disk_io_time_seconds", "disk_operation_time_seconds", "disk_operations",
        "disk_weighted_io_time_seconds", "network_io_bytes", "network_packets"}) {
    AddFields("system_" + name + "_total", "direction", found);
  }
  EXPECT_EQ(found.size(), kDiskCounters + kNetCounters);
}

TEST(Builtin, TheCollectorsNamesWithoutUnitsAndWithANamespace) {
  std::set<std::pair<EntityKind, int>> old;
  for (const std::string name :
       {"disk_io", "disk_io_time", "disk_operation_time", "disk_operations",
        "disk_weighted_io_time", "network_io", "network_packets"}) {
    AddFields("otel_system_" + name + "_total", "direction", old);
  }
  EXPECT_EQ(old.size(), kDiskCounters + kNetCounters);
  // Labels of the semantic conventions.
  std::set<std::pair<EntityKind, int>> found;
  AddFields("system_disk_io_bytes_total", "disk_io_direction", found);
  AddFields("system_network_io_bytes_total", "network_io_direction", found);
  EXPECT_EQ(found.size(), 4U);
  EXPECT_FALSE(FindField("filesystem_disk_io_bytes_total"));
}

TEST(Builtin, DisksOfFreeBsd) {
  std::set<std::pair<EntityKind, int>> found;
  for (const std::string name : {"bytes", "duration_seconds", "transfers", "busy_time_seconds"}) {
    AddFields("node_devstat_" + name + "_total", "type", found);
  }
  EXPECT_EQ(found.size(), 7U);  // all but the weighted time
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
  // Of no profile: the live page shows it.
  const auto idle = FindFieldByLabels("node_cpu_seconds_total", {{"mode", "idle"}});
  ASSERT_TRUE(idle);
  EXPECT_EQ(idle->kind, EntityKind::kActivity);
  EXPECT_FALSE(FindFieldByLabels("node_cpu_seconds_total", {{"mode", "unheard-of"}}));
}

TEST(Builtin, PortsAreInterfaces) {
  for (const auto* const prefix : {"limpet_", "node_"}) {
    const auto name = [&](const char* rest) { return std::string(prefix) + "infiniband_" + rest; };
    const auto received = FindField(name("port_data_received_bytes_total"));
    ASSERT_TRUE(received);
    EXPECT_EQ(received->kind, EntityKind::kInterface);
    EXPECT_EQ(received->index, FieldNumber(NetCounter::kRxBytes));
    EXPECT_EQ(FindField(name("rate_bytes_per_second"))->index, kSpeedField);
    EXPECT_EQ(FindField(name("symbol_error_total"))->kind, EntityKind::kFact);
  }
}

TEST(Builtin, LayersAreDescriptions) {
  for (const auto* const name : {"limpet_network_stack_info", "limpet_disk_stack_info",
                                 "node_bonding_slaves", "node_disk_device_mapper_info"}) {
    ASSERT_TRUE(FindField(name)) << name;
    EXPECT_TRUE(IsDescription(FindField(name)->index)) << name;
  }
}

// A counter that is renamed in the catalogue would silently be read no more.
TEST(Builtin, EveryNameIsOneThatTheExporterHas) {
  std::size_t found = 0;
  for (const auto* metric : AllMetrics()) {
    found += FindField("limpet_" + std::string(metric->name)).has_value() ? 1U : 0U;
  }
  // 43 counters and gauges, 54 series of facts, 4 of RDMA, 2 of activity and 2 of layers.
  EXPECT_EQ(found, 105U);
}

}  // namespace
}  // namespace limpet::builtin_test
