#include "diagnoser/mapping/builtin.h"

#include <algorithm>
#include <array>
#include <span>

namespace limpet {
namespace {

struct Row {
  std::string_view name;
  Field field;
};

template <class Enumerator>
constexpr Field At(Enumerator counter) {
  return {Whose(counter), FieldNumber(counter)};
}

// Series that are not one field each, and other names that sources have for one.
constexpr std::array kOthers = {
    Row{"block_device_seconds_sum", {EntityKind::kDisk, kLabelField}},
    Row{"bonding_slaves", {EntityKind::kInterface, kStackField}},
    Row{"cpu_seconds_total", {EntityKind::kHost, kLabelField}},
    // node_exporter on FreeBSD.
    Row{"devstat_busy_time_seconds_total", At(DiskCounter::kBusySeconds)},
    Row{"devstat_bytes_total", {EntityKind::kDisk, kLabelField}},
    Row{"devstat_duration_seconds_total", {EntityKind::kDisk, kLabelField}},
    Row{"devstat_transfers_total", {EntityKind::kDisk, kLabelField}},
    Row{"disk_device_mapper_info", {EntityKind::kDisk, kStackField}},
    Row{"disk_stack_info", {EntityKind::kDisk, kStackField}},
    // Ports are interfaces.
    Row{"infiniband_port_data_received_bytes_total", At(NetCounter::kRxBytes)},
    Row{"infiniband_port_data_transmitted_bytes_total", At(NetCounter::kTxBytes)},
    Row{"infiniband_port_packets_received_total", At(NetCounter::kRxPackets)},
    Row{"infiniband_port_packets_transmitted_total", At(NetCounter::kTxPackets)},
    Row{"infiniband_rate_bytes_per_second", {EntityKind::kInterface, kSpeedField}},
    // What all connections of a node send and receive; limpet-exporter tells it by peer.
    Row{"netstat_TcpExt_TCPOFOQueue", At(PeerField::kOutOfOrder)},
    Row{"netstat_Tcp_InSegs", At(PeerField::kSegmentsReceived)},
    Row{"netstat_Tcp_OutSegs", At(PeerField::kSegmentsSent)},
    Row{"netstat_Tcp_RetransSegs", At(PeerField::kSegmentsRetransmitted)},
    Row{"network_speed_bytes", {EntityKind::kInterface, kSpeedField}},
    Row{"network_stack_info", {EntityKind::kInterface, kStackField}},
    Row{"rdma_out_of_order_total", At(PeerField::kOutOfOrder)},
    Row{"rdma_received_packets_total", At(PeerField::kSegmentsReceived)},
    Row{"rdma_resent_total", At(PeerField::kSegmentsRetransmitted)},
    Row{"rdma_sent_packets_total", At(PeerField::kSegmentsSent)},
    Row{"threads", At(HostGauge::kThreads)},
    Row{"vmstat_pgfault", At(HostCounter::kFaults)},
    Row{"vmstat_pgpgin", At(HostCounter::kPagedIn)},
    Row{"vmstat_pgpgout", At(HostCounter::kPagedOut)},
};

constexpr std::size_t CountRows() {
  std::size_t count = kOthers.size();
  for (const auto& kind : kEntityKindRows) {
    count += kind.series.size() + kind.info_series.size();
  }
  return count;
}

// Of all kinds, sorted by name. Fields without a series of their own sort to the front and are
// found by nobody, since no name is empty.
constexpr std::array<Row, CountRows()> MakeRows() {
  std::array<Row, CountRows()> rows{};
  auto next = std::copy(kOthers.begin(), kOthers.end(), rows.begin());
  for (const auto& kind : kEntityKindRows) {
    for (std::size_t number = 0; number < kind.series.size(); ++number) {
      *next++ = {kind.series[number], {kind.kind, static_cast<std::uint8_t>(number)}};
    }
    for (const auto name : kind.info_series) {
      *next++ = {name, {kind.kind, kInfoField}};
    }
  }
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.name < b.name; });
  return rows;
}
constexpr auto kRows = MakeRows();

constexpr const Row* FindRow(std::span<const Row> rows, std::string_view name) {
  const auto row =
      std::lower_bound(rows.begin(), rows.end(), name,
                       [](const Row& one, std::string_view wanted) { return one.name < wanted; });
  return row != rows.end() && row->name == name ? &*row : nullptr;
}

// Every client library has it, without a prefix.
constexpr Row kProcessStart{"process_start_time_seconds", At(ExporterField::kProcessStartTime)};

// The OpenTelemetry collector's names behind "system_", with and without units: which it writes
// depends on the version and settings of its Prometheus exporters.
constexpr std::array kCollectorNames = {
    Row{"disk_io_bytes_total", {EntityKind::kDisk, kLabelField}},
    Row{"disk_io_time_seconds_total", At(DiskCounter::kBusySeconds)},
    Row{"disk_io_time_total", At(DiskCounter::kBusySeconds)},
    Row{"disk_io_total", {EntityKind::kDisk, kLabelField}},
    Row{"disk_operation_time_seconds_total", {EntityKind::kDisk, kLabelField}},
    Row{"disk_operation_time_total", {EntityKind::kDisk, kLabelField}},
    Row{"disk_operations_total", {EntityKind::kDisk, kLabelField}},
    Row{"disk_weighted_io_time_seconds_total", At(DiskCounter::kWeightedSeconds)},
    Row{"disk_weighted_io_time_total", At(DiskCounter::kWeightedSeconds)},
    Row{"network_io_bytes_total", {EntityKind::kInterface, kLabelField}},
    Row{"network_io_total", {EntityKind::kInterface, kLabelField}},
    Row{"network_packets_total", {EntityKind::kInterface, kLabelField}},
};
static_assert(std::is_sorted(kCollectorNames.begin(), kCollectorNames.end(),
                             [](const Row& a, const Row& b) { return a.name < b.name; }));

// Its namespace, a setting of the site, may stand in front.
const Row* FindCollectorName(std::string_view name) {
  constexpr std::string_view kSystem = "system_";
  const auto at = name.find(kSystem);
  const bool begins = at == 0 || (at != std::string_view::npos && name[at - 1] == '_');
  return begins ? FindRow(kCollectorNames, name.substr(at + kSystem.size())) : nullptr;
}

// Several counters in one series, told apart by the value of a label.
struct LabelRow {
  std::string_view series;  // what its name ends with
  std::string_view label;
  std::string_view value;
  Field field;
};
constexpr std::array kLabelRows = {
    LabelRow{"_block_device_seconds_sum", "operation", "read", At(DiskCounter::kDeviceReadSeconds)},
    LabelRow{"_block_device_seconds_sum", "operation", "write",
             At(DiskCounter::kDeviceWriteSeconds)},
    LabelRow{"_cpu_seconds_total", "mode", "idle", At(ActivityField::kIdleSeconds)},
    LabelRow{"_cpu_seconds_total", "mode", "user", At(HostCounter::kCpuUser)},
    LabelRow{"_cpu_seconds_total", "mode", "system", At(HostCounter::kCpuSystem)},
    LabelRow{"_cpu_seconds_total", "mode", "iowait", At(HostCounter::kCpuIowait)},
    LabelRow{"_devstat_bytes_total", "type", "read", At(DiskCounter::kReadBytes)},
    LabelRow{"_devstat_bytes_total", "type", "write", At(DiskCounter::kWrittenBytes)},
    LabelRow{"_devstat_duration_seconds_total", "type", "read", At(DiskCounter::kReadSeconds)},
    LabelRow{"_devstat_duration_seconds_total", "type", "write", At(DiskCounter::kWriteSeconds)},
    LabelRow{"_devstat_transfers_total", "type", "read", At(DiskCounter::kReads)},
    LabelRow{"_devstat_transfers_total", "type", "write", At(DiskCounter::kWrites)},
    LabelRow{"_disk_io_bytes_total", "direction", "read", At(DiskCounter::kReadBytes)},
    LabelRow{"_disk_io_bytes_total", "direction", "write", At(DiskCounter::kWrittenBytes)},
    LabelRow{"_disk_io_total", "direction", "read", At(DiskCounter::kReadBytes)},
    LabelRow{"_disk_io_total", "direction", "write", At(DiskCounter::kWrittenBytes)},
    LabelRow{"_disk_operation_time_seconds_total", "direction", "read",
             At(DiskCounter::kReadSeconds)},
    LabelRow{"_disk_operation_time_seconds_total", "direction", "write",
             At(DiskCounter::kWriteSeconds)},
    LabelRow{"_disk_operation_time_total", "direction", "read", At(DiskCounter::kReadSeconds)},
    LabelRow{"_disk_operation_time_total", "direction", "write", At(DiskCounter::kWriteSeconds)},
    LabelRow{"_disk_operations_total", "direction", "read", At(DiskCounter::kReads)},
    LabelRow{"_disk_operations_total", "direction", "write", At(DiskCounter::kWrites)},
    LabelRow{"_network_io_bytes_total", "direction", "receive", At(NetCounter::kRxBytes)},
    LabelRow{"_network_io_bytes_total", "direction", "transmit", At(NetCounter::kTxBytes)},
    LabelRow{"_network_io_total", "direction", "receive", At(NetCounter::kRxBytes)},
    LabelRow{"_network_io_total", "direction", "transmit", At(NetCounter::kTxBytes)},
    LabelRow{"_network_packets_total", "direction", "receive", At(NetCounter::kRxPackets)},
    LabelRow{"_network_packets_total", "direction", "transmit", At(NetCounter::kTxPackets)},
};

// The semantic conventions put the subject in front: disk_io_direction, network_io_direction.
bool IsLabel(std::string_view name, std::string_view wanted) {
  return name == wanted || (name.ends_with("_io_direction") && wanted == "direction");
}

}  // namespace

std::optional<Field> FindField(std::string_view name) {
  if (name == kProcessStart.name) {
    return kProcessStart.field;
  }
  for (const std::string_view prefix : {"limpet_", "node_"}) {
    // A prefix alone would find the fields that have no name of their own.
    if (name.starts_with(prefix) && name.size() > prefix.size()) {
      const auto* row = FindRow(kRows, name.substr(prefix.size()));
      return row == nullptr ? std::nullopt : std::optional(row->field);
    }
  }
  const auto* row = FindCollectorName(name);
  return row == nullptr ? std::nullopt : std::optional(row->field);
}

std::optional<Field> FindFieldByLabels(std::string_view name, const LabelPairs& labels) {
  for (const auto& row : kLabelRows) {
    const auto says = [&](const auto& pair) {
      return IsLabel(pair.first, row.label) && pair.second == row.value;
    };
    if (name.ends_with(row.series) && std::any_of(labels.begin(), labels.end(), says)) {
      return row.field;
    }
  }
  return std::nullopt;
}

}  // namespace limpet
