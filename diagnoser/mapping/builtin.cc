#include "diagnoser/mapping/builtin.h"

#include <algorithm>
#include <array>

namespace limpet {
namespace {

struct Row {
  std::string_view name;
  Field field;
};

// Sorted by name. Indices are those of DiskCounter, NetCounter, SocketField and PeerField.
constexpr std::array kRows = {
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
    Row{"network_receive_bytes_total", {ThingKind::kInterface, 0}},
    Row{"network_receive_packets_total", {ThingKind::kInterface, 1}},
    Row{"network_transmit_bytes_total", {ThingKind::kInterface, 2}},
    Row{"network_transmit_packets_total", {ThingKind::kInterface, 3}},
    Row{"tcp_bytes_acked_total", {ThingKind::kSocket, 1}},
    Row{"tcp_cwnd_segments", {ThingKind::kSocket, 0}},
    Row{"tcp_peer_active_sockets", {ThingKind::kPeer, 1}},
    Row{"tcp_peer_cwnd_segments", {ThingKind::kPeer, 0}},
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

}  // namespace limpet
