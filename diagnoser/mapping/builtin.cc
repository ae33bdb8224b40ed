#include "diagnoser/mapping/builtin.h"

#include <algorithm>
#include <array>

namespace limpet {
namespace {

struct Row {
  std::string_view name;
  Field field;
};

// Sorted by name. Indices are those of DiskCounter, NetCounter, SocketField, PeerField,
// HostCounter and, after those, HostGauge. Without _total: node_exporter.
constexpr std::array kRows = {
    Row{"context_switches_total", {EntityKind::kHost, 3}},
    Row{"cpu_seconds_total", {EntityKind::kHost, kModeField}},
    Row{"disk_info", {EntityKind::kDisk, kInfoField}},
    Row{"disk_io_time_seconds_total", {EntityKind::kDisk, 6}},
    Row{"disk_io_time_weighted_seconds_total", {EntityKind::kDisk, 7}},
    Row{"disk_read_bytes_total", {EntityKind::kDisk, 2}},
    Row{"disk_read_time_seconds_total", {EntityKind::kDisk, 4}},
    Row{"disk_reads_completed_total", {EntityKind::kDisk, 0}},
    Row{"disk_write_time_seconds_total", {EntityKind::kDisk, 5}},
    Row{"disk_writes_completed_total", {EntityKind::kDisk, 1}},
    Row{"disk_written_bytes_total", {EntityKind::kDisk, 3}},
    Row{"exporter_start_time_seconds", {EntityKind::kExporter, 0}},
    Row{"load1", {EntityKind::kHost, 9}},
    Row{"network_receive_bytes_total", {EntityKind::kInterface, 0}},
    Row{"network_receive_packets_total", {EntityKind::kInterface, 1}},
    Row{"network_transmit_bytes_total", {EntityKind::kInterface, 2}},
    Row{"network_transmit_packets_total", {EntityKind::kInterface, 3}},
    Row{"processes_threads", {EntityKind::kHost, 8}},
    Row{"procs_running", {EntityKind::kHost, 7}},
    Row{"tcp_bytes_acked_total", {EntityKind::kSocket, 1}},
    Row{"tcp_cwnd_segments", {EntityKind::kSocket, 0}},
    Row{"tcp_peer_active_sockets", {EntityKind::kPeer, 1}},
    Row{"tcp_peer_cwnd_segments", {EntityKind::kPeer, 0}},
    Row{"threads", {EntityKind::kHost, 8}},
    Row{"vmstat_pgfault", {EntityKind::kHost, 6}},
    Row{"vmstat_pgfault_total", {EntityKind::kHost, 6}},
    Row{"vmstat_pgpgin", {EntityKind::kHost, 4}},
    Row{"vmstat_pgpgin_total", {EntityKind::kHost, 4}},
    Row{"vmstat_pgpgout", {EntityKind::kHost, 5}},
    Row{"vmstat_pgpgout_total", {EntityKind::kHost, 5}},
};

static_assert(std::is_sorted(kRows.begin(), kRows.end(),
                             [](const Row& a, const Row& b) { return a.name < b.name; }));

}  // namespace

std::optional<Field> FieldOf(std::string_view name) {
  for (const std::string_view prefix : {"limpet_", "node_"}) {
    if (!name.starts_with(prefix)) {
      continue;
    }
    name.remove_prefix(prefix.size());
    const auto row =
        std::lower_bound(kRows.begin(), kRows.end(), name,
                         [](const Row& one, std::string_view wanted) { return one.name < wanted; });
    if (row != kRows.end() && row->name == name) {
      return row->field;
    }
    break;
  }
  return std::nullopt;
}

std::optional<Field> FieldOfMode(std::string_view mode) {
  constexpr std::array<std::string_view, 3> kModes = {"user", "system", "iowait"};
  const auto found = std::find(kModes.begin(), kModes.end(), mode);
  return found == kModes.end()
             ? std::nullopt
             : std::optional(Field{.kind = EntityKind::kHost,
                                   .index = static_cast<std::uint8_t>(found - kModes.begin())});
}

}  // namespace limpet
