// kinds.h: what the diagnosis knows of: kinds of entity with what is read of each, one row a kind.
//
// The numbers of enumerators are written to state files: new ones go to the end.
// Threads: constants.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "diagnoser/metrics/bounds.h"

namespace limpet {

enum class EntityKind : std::uint8_t {
  kDisk,
  kInterface,
  kSocket,
  kPeer,      // many sockets in one (limpet-exporter's default)
  kHost,      // the node itself, or one of its processors
  kExporter,  // the exporter itself and its machine; no component of any group
  kSyscalls,  // system calls of a node's processes; compared second by second, not in groups
  kFact,      // what may explain a verdict; indicts nobody
  kActivity,  // what is asked of a node's disks and programs; shown, compared with nobody
  kCustom,    // of metrics of the configuration (diagnoser/custom), which know their components
};

// Counters of a disk, in the exporters' units: requests, bytes, seconds.
enum class DiskCounter : std::uint8_t {
  kReads,
  kWrites,
  kReadBytes,
  kWrittenBytes,
  kReadSeconds,
  kWriteSeconds,
  kBusySeconds,
  kWeightedSeconds,
  // By the kernel's own clock (limpet-exporter's block collector): few sources have them.
  kDeviceReadSeconds,
  kDeviceWriteSeconds,
};
inline constexpr std::size_t kDiskCounters = 8;  // that metrics are made of
inline constexpr std::size_t kDeviceTimeCounters = 2;

[[nodiscard]] constexpr std::size_t Index(DiskCounter counter) {
  return static_cast<std::size_t>(counter);
}

enum class NetCounter : std::uint8_t { kRxBytes, kRxPackets, kTxBytes, kTxPackets };
inline constexpr std::size_t kNetCounters = 4;

// What an exporter says of itself and of the machine that it runs on.
enum class ExporterField : std::uint8_t {
  kStartTime,  // of limpet-exporter
  kBootTime,
  kProcessStartTime,  // of any exporter
};

enum class SocketField : std::uint8_t { kCwnd, kBytesAcked };
enum class PeerField : std::uint8_t {
  kCwnd,
  kActiveSockets,
  kSegmentsSent,
  kSegmentsRetransmitted,
  kRoundTrip,
  // These are of all connections of a node, side kWholeNode, or of a port's RDMA, kRdmaPort.
  kSegmentsReceived,
  kOutOfOrder,
};
inline constexpr std::size_t kPeerFields = 7;

// Of the processes of a file system, by limpet-exporter's collector of system calls.
enum class SyscallField : std::uint8_t {
  kSeconds,  // inside the calls of a class, and how many they were
  kCalls,
  kErrors,
  kOpenSeconds,  // how long the longest call still in the kernel has been there
  kLastCompleted,
  kPeerFailures,
  kPeerReadSeconds,
  kPeerReads,
  kProcesses,
};
inline constexpr std::size_t kSyscallFields = 9;

// What stands beside a verdict; what the series mean is in facts/catalog.cc.
enum class FactSeries : std::uint8_t {
  kDiskErrors,
  kControllerLive,
  kSasErrors,
  kSataSpeed,
  kSataMaxSpeed,
  kSataSlowdowns,
  kPcieSpeed,
  kPcieMaxSpeed,
  kPcieWidth,
  kPcieMaxWidth,
  kDiskSettings,
  kMdState,
  kMdDegraded,
  kSnapshot,
  kCrcErrors,
  kFrameErrors,
  kCarrierChanges,
  kNetworkDriver,
  kEthtool,
  kCoreThrottles,
  kPackageThrottles,
  kEdacCorrectable,
  kEdacUncorrectable,
  kMemoryStalled,
  kKernel,
  kFilesystemSize,
  kFilesystemAvail,
  kFiles,
  kFilesFree,
  kReadOnly,
  kFilesystemErrors,
  kAtaWriteCache,
  kUnitReads,
  kUnitWrites,
  kUnitReceives,
  kUnitSends,
  kUnreadable,
  kSpeed,  // network_speed_bytes, which is an interface's too
  kFilesystemDeviceError,
  kMdDisks,
  kScsiState,
  kNvmePathState,
  kMultipathPaths,
  kReceiveMissed,
  kReceiveFifo,
  kLinkInfo,
  kBondMember,
  kBondFailures,
  kSoftnetDropped,
  kSoftnetSqueezed,
  kQdiscDrops,
  kPortState,  // of InfiniBand, as those after it
  kPortSymbolErrors,
  kPortLinkDowned,
  kPortReceiveErrors,
  kPortWaits,
  kPortEvents,
  kPauseFrames,   // of interfaces
  kRotationRate,  // of ATA disks; 0: flash
};
inline constexpr std::size_t kFactSeries = 59;

// Of a node's disks by the size of requests, and of its processes by system call; shown by the live
// page alone.
enum class ActivityField : std::uint8_t {
  kSizeBucket,  // of a histogram: requests of at most so many bytes
  kRequests,    // small and large ones
  kRequestSeconds,
  kCalls,
  kCallSeconds,
  kIdleSeconds,  // of a host: a mode of cpu_seconds_total
  kLoad1,        // which is a host's gauge too, and goes here when no profile reads that
};

// Of a host, counters first, then gauges, which are numbered on from kHostCounters.
enum class HostCounter : std::uint8_t {
  kCpuUser,  // the modes of cpu_seconds_total
  kCpuSystem,
  kCpuIowait,
  kContextSwitches,
  kPagedIn,
  kPagedOut,
  kFaults,
};
inline constexpr std::size_t kHostCounters = 7;
enum class HostGauge : std::uint8_t { kRunning, kThreads, kLoad1 };
inline constexpr std::size_t kHostGauges = 3;

// The kind whose readings an enumerator counts, and its number among them.
[[nodiscard]] constexpr EntityKind Whose(DiskCounter) { return EntityKind::kDisk; }
[[nodiscard]] constexpr EntityKind Whose(NetCounter) { return EntityKind::kInterface; }
[[nodiscard]] constexpr EntityKind Whose(SocketField) { return EntityKind::kSocket; }
[[nodiscard]] constexpr EntityKind Whose(PeerField) { return EntityKind::kPeer; }
[[nodiscard]] constexpr EntityKind Whose(HostCounter) { return EntityKind::kHost; }
[[nodiscard]] constexpr EntityKind Whose(HostGauge) { return EntityKind::kHost; }
[[nodiscard]] constexpr EntityKind Whose(ExporterField) { return EntityKind::kExporter; }
[[nodiscard]] constexpr EntityKind Whose(SyscallField) { return EntityKind::kSyscalls; }
[[nodiscard]] constexpr std::uint8_t FieldNumber(HostGauge gauge) {
  return static_cast<std::uint8_t>(kHostCounters + static_cast<std::size_t>(gauge));
}
[[nodiscard]] constexpr EntityKind Whose(FactSeries) { return EntityKind::kFact; }
[[nodiscard]] constexpr EntityKind Whose(ActivityField) { return EntityKind::kActivity; }
template <class Counter>
[[nodiscard]] constexpr std::uint8_t FieldNumber(Counter counter) {
  return static_cast<std::uint8_t>(counter);
}

// Where the readings of a kind are kept.
enum class ReadingsShape : std::uint8_t {
  kCounters,  // Readings: `counters` cumulative series on every preset's grid
  kWindows,   // Readings: the latest values of a congestion window and of up to three more series
  kHost,      // HostReadings alone: counters and gauges on a grid of one second
  kIdentity,  // no readings: which exporter on which machine it is
  kStore,     // a store of its own: each series by its labels (series/reading_store.h)
};

// What of an entity a peer group's rule looks at.
enum class Matching : std::uint8_t { kDevice, kNode, kPorts, kAlways };

struct EntityKindRow {
  EntityKind kind;
  std::string_view name = {};
  ReadingsShape shape = ReadingsShape::kCounters;
  // By number of the kind's enumerators: what its series are called by both exporters, after their
  // prefix; empty: mapping/builtin.cc knows better.
  std::span<const std::string_view> series = {};
  std::size_t counters = 0;  // the first so many of them; the others are gauges
  std::size_t rare = 0;  // of the counters, the last so many: room for them is made when one comes
  std::span<const CounterBound> bounds = {};  // the most that each counter can rise by
  std::string_view labelled_series = {};  // has the counters without a name: a label tells which
  std::uint32_t own_counts =
      0;  // bit n: counter n begins anew with the exporter, not with the node
  Matching matching = Matching::kAlways;
  std::string_view device_label = {};  // names the entity within its node; empty: none does
  bool needs_device = false;           // without that label it is no entity
  bool is_described = false;           // labels of the source and of its info series are kept
  // What describes it and has no reading; may come after its first reading.
  std::span<const std::string_view> info_series = {};
  std::string_view remote_label = {};  // connections: the address of the other side
  // Many connections in one: the label `side` belongs to the name, the second series counts them.
  bool is_aggregate = false;
};

namespace series {

inline constexpr std::array<std::string_view, kDiskCounters + kDeviceTimeCounters> kDisk = {
    "disk_reads_completed_total",
    "disk_writes_completed_total",
    "disk_read_bytes_total",
    "disk_written_bytes_total",
    "disk_read_time_seconds_total",
    "disk_write_time_seconds_total",
    "disk_io_time_seconds_total",
    "disk_io_time_weighted_seconds_total",
    "",  // one series an operation
    "",
};
inline constexpr std::array<std::string_view, 1> kDiskInfo = {"disk_info"};
inline constexpr std::array<std::string_view, kNetCounters> kInterface = {
    "network_receive_bytes_total",
    "network_receive_packets_total",
    "network_transmit_bytes_total",
    "network_transmit_packets_total",
};
inline constexpr std::array<std::string_view, 2> kSocket = {"tcp_cwnd_segments",
                                                            "tcp_bytes_acked_total"};
inline constexpr std::array<std::string_view, kPeerFields> kPeer = {
    "tcp_peer_cwnd_segments",
    "tcp_peer_active_sockets",
    "tcp_peer_segments_sent_total",
    "tcp_peer_segments_retransmitted_total",
    "tcp_peer_rtt_seconds",
    "",  // node_exporter's names, as those of what it sends (mapping/builtin.cc)
    ""};
inline constexpr std::array<std::string_view, kHostCounters + kHostGauges> kHost = {
    "",  // one series a mode of the processor
    "",
    "",
    "context_switches_total",
    "vmstat_pgpgin_total",
    "vmstat_pgpgout_total",
    "vmstat_pgfault_total",
    "procs_running",
    "processes_threads",
    "load1",
};
inline constexpr std::array<std::string_view, 2> kExporter = {"exporter_start_time_seconds",
                                                              "boot_time_seconds"};
inline constexpr std::array<std::string_view, 1> kExporterInfo = {"uname_info"};
inline constexpr std::array<std::string_view, kSyscallFields> kSyscalls = {
    "syscall_seconds_total",
    "syscalls_total",
    "syscall_errors_total",
    "syscall_open_seconds",
    "syscall_last_completed_timestamp_seconds",
    "syscall_peer_failures_total",
    "syscall_peer_read_seconds_total",
    "syscall_peer_reads_total",
    "syscall_processes",
};

// By number of FactSeries.
inline constexpr std::array<std::string_view, kFactSeries> kFacts = {
    "disk_errors_total",
    "disk_controller_live",
    "sas_phy_errors_total",
    "sata_link_speed_bytes",
    "sata_link_max_speed_bytes",
    "sata_link_slowdowns_total",
    "pcie_link_transfers_per_second",
    "pcie_link_max_transfers_per_second",
    "pcie_link_width",
    "pcie_link_max_width",
    "disk_settings_info",
    "md_state",
    "md_degraded_disks",
    "dm_snapshot_info",
    "network_receive_crc_errors_total",
    "network_receive_frame_total",
    "network_carrier_changes_total",
    "network_driver_info",
    "ethtool_info",
    "cpu_core_throttles_total",
    "cpu_package_throttles_total",
    "edac_correctable_errors_total",
    "edac_uncorrectable_errors_total",
    "pressure_memory_stalled_seconds_total",
    "kernel_info",
    "filesystem_size_bytes",
    "filesystem_avail_bytes",
    "filesystem_files",
    "filesystem_files_free",
    "filesystem_readonly",
    "filesystem_errors_total",
    "disk_ata_write_cache_enabled",
    "cgroup_disk_read_bytes_per_second",
    "cgroup_disk_written_bytes_per_second",
    "cgroup_tcp_receive_bytes_per_second",
    "cgroup_tcp_transmit_bytes_per_second",
    "facts_unreadable",
    "",  // the speed is an interface's
    "filesystem_device_error",
    "md_disks",
    "scsi_device_state",
    "nvme_path_state",
    "multipath_paths",
    "network_receive_missed_errors_total",
    "network_receive_fifo_total",
    "network_info",
    "network_bond_member_info",
    "network_bond_member_failures_total",
    "softnet_dropped_total",
    "softnet_times_squeezed_total",
    "qdisc_drops_total",
    "infiniband_state_id",
    "infiniband_symbol_error_total",
    "infiniband_link_downed_total",
    "infiniband_port_errors_received_total",
    "infiniband_port_transmit_wait_total",
    "infiniband_hardware_events_total",
    "network_pause_frames_total",
    "disk_ata_rotation_rate_rpm",
};

inline constexpr std::array<std::string_view, 7> kActivity = {
    "block_request_bytes_bucket",
    "block_requests_total",
    "block_request_seconds_total",
    "syscall_operation_seconds_count",
    "syscall_operation_seconds_sum",
    "",
    "",
};

}  // namespace series

inline constexpr std::array<EntityKindRow, 10> kEntityKindRows = {{
    {.kind = EntityKind::kDisk,
     .name = "disk",
     .shape = ReadingsShape::kCounters,
     .series = series::kDisk,
     .counters = kDiskCounters + kDeviceTimeCounters,
     .rare = kDeviceTimeCounters,
     .bounds = bounds::kDisk,
     .labelled_series = "block_device_seconds_sum",
     // Counted in milliseconds by the kernel, and continued beyond 32 bits by the exporter; or by
     // the exporter's programs.
     .own_counts = 0b11'1111'0000,
     .matching = Matching::kDevice,
     .device_label = "device",
     .needs_device = true,
     .is_described = true,
     .info_series = series::kDiskInfo},
    {.kind = EntityKind::kInterface,
     .name = "interface",
     .shape = ReadingsShape::kCounters,
     .series = series::kInterface,
     .counters = kNetCounters,
     .bounds = bounds::kInterface,
     .matching = Matching::kDevice,
     .device_label = "device",
     .needs_device = true,
     .is_described = true},
    {.kind = EntityKind::kSocket,
     .name = "connection",
     .shape = ReadingsShape::kWindows,
     .series = series::kSocket,
     .matching = Matching::kPorts,
     .remote_label = "remote_address"},
    {.kind = EntityKind::kPeer,
     .name = "connections",
     .shape = ReadingsShape::kWindows,
     .series = series::kPeer,
     .matching = Matching::kAlways,
     .remote_label = "peer",
     .is_aggregate = true},
    {.kind = EntityKind::kHost,
     .name = "host",
     .shape = ReadingsShape::kHost,
     .series = series::kHost,
     .counters = kHostCounters,
     .bounds = bounds::kHost,
     .labelled_series = "cpu_seconds_total",
     .matching = Matching::kNode,
     .device_label = "cpu"},
    {.kind = EntityKind::kExporter,
     .name = "exporter",
     .shape = ReadingsShape::kIdentity,
     .series = series::kExporter,
     .info_series = series::kExporterInfo},
    {.kind = EntityKind::kSyscalls,
     .name = "system calls",
     .shape = ReadingsShape::kStore,
     .series = series::kSyscalls},
    {.kind = EntityKind::kFact,
     .name = "facts",
     .shape = ReadingsShape::kStore,
     .series = series::kFacts},
    {.kind = EntityKind::kActivity,
     .name = "activity",
     .shape = ReadingsShape::kStore,
     .series = series::kActivity},
    {.kind = EntityKind::kCustom, .name = "metrics", .shape = ReadingsShape::kStore},
}};
// Kinds that a Directory holds: all but the last five, which are no components of any group.
inline constexpr std::size_t kEntityKinds = 5;

[[nodiscard]] constexpr std::size_t Index(EntityKind kind) {
  return static_cast<std::size_t>(kind);
}
[[nodiscard]] constexpr const EntityKindRow& KindRow(EntityKind kind) {
  return kEntityKindRows[Index(kind)];
}
[[nodiscard]] constexpr std::span<const EntityKindRow> DirectoryKinds() {
  return std::span(kEntityKindRows).first(kEntityKinds);
}

// Entities of the directory; readings of other kinds go to a store of their own (reading_store.h).
[[nodiscard]] constexpr bool IsEntity(EntityKind kind) { return Index(kind) < kEntityKinds; }

// Cumulative series on every preset's grid.
[[nodiscard]] constexpr bool HasCounters(EntityKind kind) {
  return KindRow(kind).shape == ReadingsShape::kCounters;
}
// The latest values of congestion windows.
[[nodiscard]] constexpr bool HasWindows(EntityKind kind) {
  return KindRow(kind).shape == ReadingsShape::kWindows;
}

// Counters and gauges on a grid of one second, in a store of their own (series/host_readings.h).
[[nodiscard]] constexpr bool IsHost(EntityKind kind) {
  return KindRow(kind).shape == ReadingsShape::kHost;
}
// No readings: which exporter on which machine it is.
[[nodiscard]] constexpr bool IsIdentity(EntityKind kind) {
  return KindRow(kind).shape == ReadingsShape::kIdentity;
}
// What the live page alone shows.
[[nodiscard]] constexpr bool IsActivity(EntityKind kind) { return kind == EntityKind::kActivity; }

// Those with two ends.
[[nodiscard]] constexpr std::array<EntityKind, 2> ConnectionKinds() {
  return {EntityKind::kSocket, EntityKind::kPeer};
}

// A row a kind, in the order of the enumerators; those that a Directory does not hold come last.
static_assert([] {
  for (std::size_t i = 0; i < kEntityKindRows.size(); ++i) {
    const auto& row = kEntityKindRows[i];
    const bool outside =
        row.shape == ReadingsShape::kIdentity || row.shape == ReadingsShape::kStore;
    if (Index(row.kind) != i || outside != (i >= kEntityKinds) ||
        row.bounds.size() != row.counters) {
      return false;
    }
  }
  return true;
}());

}  // namespace limpet
