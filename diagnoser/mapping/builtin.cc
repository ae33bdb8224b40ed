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
    Row{"context_switches_total", {ThingKind::kHost, 3}},
    Row{"cpu_seconds_total", {ThingKind::kHost, kModeField}},
    Row{"disk_info", {ThingKind::kDisk, kInfoField}},
    Row{"disk_io_time_seconds_total", {ThingKind::kDisk, 6}},
    Row{"disk_io_time_weighted_seconds_total", {ThingKind::kDisk, 7}},
    Row{"disk_read_bytes_total", {ThingKind::kDisk, 2}},
    Row{"disk_read_time_seconds_total", {ThingKind::kDisk, 4}},
    Row{"disk_reads_completed_total", {ThingKind::kDisk, 0}},
    Row{"disk_write_time_seconds_total", {ThingKind::kDisk, 5}},
    Row{"disk_writes_completed_total", {ThingKind::kDisk, 1}},
    Row{"disk_written_bytes_total", {ThingKind::kDisk, 3}},
    Row{"exporter_start_time_seconds", {ThingKind::kExporter, 0}},
    Row{"load1", {ThingKind::kHost, 9}},
    Row{"network_receive_bytes_total", {ThingKind::kInterface, 0}},
    Row{"network_receive_packets_total", {ThingKind::kInterface, 1}},
    Row{"network_transmit_bytes_total", {ThingKind::kInterface, 2}},
    Row{"network_transmit_packets_total", {ThingKind::kInterface, 3}},
    Row{"processes_threads", {ThingKind::kHost, 8}},
    Row{"procs_running", {ThingKind::kHost, 7}},
    Row{"tcp_bytes_acked_total", {ThingKind::kSocket, 1}},
    Row{"tcp_cwnd_segments", {ThingKind::kSocket, 0}},
    Row{"tcp_peer_active_sockets", {ThingKind::kPeer, 1}},
    Row{"tcp_peer_cwnd_segments", {ThingKind::kPeer, 0}},
    Row{"threads", {ThingKind::kHost, 8}},
    Row{"vmstat_pgfault", {ThingKind::kHost, 6}},
    Row{"vmstat_pgfault_total", {ThingKind::kHost, 6}},
    Row{"vmstat_pgpgin", {ThingKind::kHost, 4}},
    Row{"vmstat_pgpgin_total", {ThingKind::kHost, 4}},
    Row{"vmstat_pgpgout", {ThingKind::kHost, 5}},
    Row{"vmstat_pgpgout_total", {ThingKind::kHost, 5}},
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
             : std::optional(Field{.kind = ThingKind::kHost,
                                   .index = static_cast<std::uint8_t>(found - kModes.begin())});
}

}  // namespace limpet
