// catalog.h: the one table of metrics, and the kinds of peer group they are compared in.
//
// Gates, explanations, the checklist, presets' floors, pages, the API and docs/metrics.md read
// these rows; outside metrics/ and mapping/ nobody compares a metric's name. How to add a row:
// docs/recipes/metric.md.
// Threads: constants.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "diagnoser/metrics/kinds.h"
#include "diagnoser/metrics/metric.h"
#include "exporter/common/units.h"

namespace limpet {

// The disks' rows, for code that asks for one of them.
enum class DiskMetric : std::uint8_t {
  kUtil,
  kQueueSize,
  kRequestSize,
  kAwait,
  kRead,
  kServiceTime,
  kRequests,
  kWrite,
};

namespace rows {

template <class Enumerator>
[[nodiscard]] constexpr std::uint8_t Number(Enumerator value) {
  return static_cast<std::uint8_t>(value);
}
template <class Counter>
[[nodiscard]] constexpr Formula Made(Per per, double factor, Counter only) {
  return {Whose(only), {FieldNumber(only), Formula::kAbsent}, factor, per};
}
template <class Counter>
[[nodiscard]] constexpr Formula Made(Per per, double factor, Counter one, Counter other) {
  return {Whose(one), {FieldNumber(one), FieldNumber(other)}, factor, per};
}
// The bytes of a node's disks less those of its interfaces.
[[nodiscard]] constexpr Formula Balance(DiskCounter disk, NetCounter net) {
  auto formula = Made(Per::kSecond, 1, net);
  formula.disk = FieldNumber(disk);
  return formula;
}
inline constexpr double kMsPerSecond = 1000;
inline constexpr double kSectorsPerByte = 1 / kBytesPerSector;  // a power of two: nothing is lost
inline constexpr double kPercent = 100;                         // of one processor
inline constexpr double kMegabytesPerSector = kBytesPerSector / 1e6;
inline constexpr double kMegabytesPerByte = 1e-6;

// Rows are sorted by name, as events are.
inline constexpr std::array<MetricRow, 8> kDisks = {{
    {.name = "%util",
     .label = "utilization",
     .text = "share of time busy",
     .unit = "%",
     .display = {1, "%"},
     .formula = Made(Per::kBusyShare, kMsPerSecond, DiskCounter::kBusySeconds)},
    {.name = "avgqu-sz",
     .label = "queue_length",
     .text = "requests in flight",
     .unit = "requests",
     .display = {1, "requests"},
     .formula = Made(Per::kSecond, 1, DiskCounter::kWeightedSeconds)},
    {.name = "avgrq-sz",
     .label = "request_size",
     .text = "size of a request",
     .unit = "sectors",
     .display = {1, "sectors"},
     .api = {kBytesPerSector, "B"},
     .formula =
         Made(Per::kRequest, kSectorsPerByte, DiskCounter::kReadBytes, DiskCounter::kWrittenBytes)},
    {.name = "await",
     .label = "await",
     .text = "time per request",
     .unit = "ms",
     .display = {1, "ms"},
     .formula =
         Made(Per::kRequest, kMsPerSecond, DiskCounter::kReadSeconds, DiskCounter::kWriteSeconds),
     .noise_floor = 5,
     .only_high = true,
     .gate = Gate::kLatency,
     .judged_with = Number(DiskMetric::kServiceTime),
     .checklist = {3, Symptom::kLatency}},
    {.name = "rd_sec",
     .label = "read_bytes",
     .text = "read",
     .unit = "sectors/s",
     .display = {kMegabytesPerSector, "MB/s"},
     .api = {kBytesPerSector, "B/s"},
     .formula = Made(Per::kSecond, kSectorsPerByte, DiskCounter::kReadBytes),
     .noise_floor = 2048,
     .only_high = true,
     .gate = Gate::kThroughput,
     .checklist = {1, Symptom::kThroughput}},
    {.name = "svctm",
     .label = "service_time",
     .text = "busy time per request",
     .unit = "ms",
     .display = {1, "ms"},
     .formula = Made(Per::kRequest, kMsPerSecond, DiskCounter::kBusySeconds),
     .noise_floor = 5,
     .gate = Gate::kLatency,
     .judges = Number(DiskMetric::kAwait)},
    {.name = "tps",
     .label = "requests",
     .text = "requests",
     .unit = "requests/s",
     .display = {1, "requests/s"},
     .formula = Made(Per::kSecond, 1, DiskCounter::kReads, DiskCounter::kWrites)},
    {.name = "wr_sec",
     .label = "write_bytes",
     .text = "written",
     .unit = "sectors/s",
     .display = {kMegabytesPerSector, "MB/s"},
     .api = {kBytesPerSector, "B/s"},
     .formula = Made(Per::kSecond, kSectorsPerByte, DiskCounter::kWrittenBytes),
     .noise_floor = 2048,
     .only_high = true,
     .gate = Gate::kThroughput,
     .checklist = {2, Symptom::kThroughput}},
}};

// The last two are of presets with `balance` only, and of servers whose disks are known.
inline constexpr std::array<MetricRow, 6> kInterfaces = {{
    {.name = "rxbyt",
     .label = "receive_bytes",
     .text = "received",
     .unit = "B/s",
     .display = {kMegabytesPerByte, "MB/s"},
     .entity = EntityKind::kInterface,
     .formula = Made(Per::kSecond, 1, NetCounter::kRxBytes),
     .noise_floor = 1048576,
     .only_high = true,
     .gate = Gate::kNetwork,
     .checklist = {4, Symptom::kReceived}},
    {.name = "rxpck",
     .label = "receive_packets",
     .text = "packets received",
     .unit = "packets/s",
     .display = {1, "packets/s"},
     .entity = EntityKind::kInterface,
     .formula = Made(Per::kSecond, 1, NetCounter::kRxPackets)},
    {.name = "txbyt",
     .label = "transmit_bytes",
     .text = "sent",
     .unit = "B/s",
     .display = {kMegabytesPerByte, "MB/s"},
     .entity = EntityKind::kInterface,
     .formula = Made(Per::kSecond, 1, NetCounter::kTxBytes),
     .noise_floor = 1048576,
     .only_high = true,
     .gate = Gate::kNetwork,
     .checklist = {5, Symptom::kSent}},
    {.name = "txpck",
     .label = "transmit_packets",
     .text = "packets sent",
     .unit = "packets/s",
     .display = {1, "packets/s"},
     .entity = EntityKind::kInterface,
     .formula = Made(Per::kSecond, 1, NetCounter::kTxPackets)},
    {.name = "unreceived",
     .label = "unreceived_bytes",
     .text = "written to disk, but not received",
     .unit = "B/s",
     .display = {kMegabytesPerByte, "MB/s"},
     .entity = EntityKind::kInterface,
     .formula = Balance(DiskCounter::kWrittenBytes, NetCounter::kRxBytes),
     .gate = Gate::kBalance,
     .checklist = {9, Symptom::kUnreceived}},
    {.name = "unsent",
     .label = "unsent_bytes",
     .text = "read from disk, but not sent",
     .unit = "B/s",
     .display = {kMegabytesPerByte, "MB/s"},
     .entity = EntityKind::kInterface,
     .formula = Balance(DiskCounter::kReadBytes, NetCounter::kTxBytes),
     .gate = Gate::kBalance,
     .checklist = {8, Symptom::kUnsent}},
}};

// The two sides of a server's connections, windows first (cwnd_seconds.h).
inline constexpr std::array<MetricRow, 8> kWindows = {{
    {.name = "cwnd_client",
     .label = "cwnd_client",
     .text = "congestion window of the clients' connections",
     .unit = "segments",
     .display = {1, "segments"},
     .entity = EntityKind::kPeer,
     .formula = {.per = Per::kNothing},
     .checklist = {6, Symptom::kWindow}},
    {.name = "cwnd_server",
     .label = "cwnd_server",
     .text = "congestion window of the server's connections",
     .unit = "segments",
     .display = {1, "segments"},
     .entity = EntityKind::kPeer,
     .formula = {.per = Per::kNothing},
     .checklist = {7, Symptom::kWindow}},
    {.name = "retrans_client",
     .label = "retransmitted_client",
     .text = "segments that clients had to send again",
     .display = {100, "%"},
     .entity = EntityKind::kPeer,
     .formula = {.per = Per::kNothing},
     .checklist = {10, Symptom::kRetransmitted}},
    {.name = "retrans_server",
     .label = "retransmitted_server",
     .text = "segments that the server had to send again",
     .display = {100, "%"},
     .entity = EntityKind::kPeer,
     .formula = {.per = Per::kNothing},
     .checklist = {11, Symptom::kRetransmitted}},
    {.name = "rtt",
     .label = "round_trip_time",
     .text = "round-trip time of the server's connections",
     .unit = "s",
     .display = {kMsPerSecond, "ms"},
     .entity = EntityKind::kPeer,
     .formula = {.per = Per::kNothing},
     .checklist = {13, Symptom::kDelay}},
    {.name = "unordered",
     .label = "received_out_of_order",
     .text = "segments received out of order",
     .display = {100, "%"},
     .entity = EntityKind::kPeer,
     .formula = {.per = Per::kNothing},
     .checklist = {12, Symptom::kRetransmitted}},
    {.name = "verbs_again",
     .label = "rdma_retransmitted",
     .text = "RDMA packets that the server had to send again",
     .display = {100, "%"},
     .entity = EntityKind::kPeer,
     .formula = {.per = Per::kNothing},
     .checklist = {14, Symptom::kRetransmitted}},
    {.name = "verbs_unordered",
     .label = "rdma_received_out_of_order",
     .text = "RDMA packets received out of order",
     .display = {100, "%"},
     .entity = EntityKind::kPeer,
     .formula = {.per = Per::kNothing},
     .checklist = {15, Symptom::kRetransmitted}},
}};

// [Pan08 Table 1], in the order of HostMetric (host.h).
inline constexpr std::array<MetricRow, 14> kHosts = {{
    {.name = "user",
     .label = "cpu_user",
     .text = "user CPU",
     .unit = "%",
     .display = {1, "%"},
     .entity = EntityKind::kHost,
     .formula = Made(Per::kSecond, kPercent, HostCounter::kCpuUser)},
    {.name = "system",
     .label = "cpu_system",
     .text = "system CPU",
     .unit = "%",
     .display = {1, "%"},
     .entity = EntityKind::kHost,
     .formula = Made(Per::kSecond, kPercent, HostCounter::kCpuSystem)},
    {.name = "iowait",
     .label = "cpu_iowait",
     .text = "CPU waiting for I/O",
     .unit = "%",
     .display = {1, "%"},
     .entity = EntityKind::kHost,
     .formula = Made(Per::kSecond, kPercent, HostCounter::kCpuIowait)},
    {.name = "ctxt",
     .label = "context_switches",
     .text = "context switches",
     .unit = "/s",
     .display = {1, "/s"},
     .entity = EntityKind::kHost,
     .formula = Made(Per::kSecond, 1, HostCounter::kContextSwitches)},
    {.name = "runq-sz",
     .label = "run_queue",
     .text = "threads that run or could",
     .entity = EntityKind::kHost,
     .formula = Made(Per::kReading, 1, HostGauge::kRunning)},
    {.name = "plist-sz",
     .label = "threads",
     .text = "threads",
     .entity = EntityKind::kHost,
     .formula = Made(Per::kReading, 1, HostGauge::kThreads)},
    {.name = "ldavg-1",
     .label = "load1",
     .text = "load average",
     .entity = EntityKind::kHost,
     .formula = Made(Per::kReading, 1, HostGauge::kLoad1)},
    {.name = "eth-rxbyt",
     .label = "network_receive_bytes",
     .text = "received",
     .unit = "B/s",
     .display = {kMegabytesPerByte, "MB/s"},
     .entity = EntityKind::kHost,
     .formula = Made(Per::kSecond, 1, NetCounter::kRxBytes)},
    {.name = "eth-txbyt",
     .label = "network_transmit_bytes",
     .text = "sent",
     .unit = "B/s",
     .display = {kMegabytesPerByte, "MB/s"},
     .entity = EntityKind::kHost,
     .formula = Made(Per::kSecond, 1, NetCounter::kTxBytes)},
    {.name = "pgpgin",
     .label = "page_in",
     .text = "paged in",
     .unit = "KiB/s",
     .display = {1, "KiB/s"},
     .entity = EntityKind::kHost,
     .formula = Made(Per::kSecond, 1, HostCounter::kPagedIn)},
    {.name = "pgpgout",
     .label = "page_out",
     .text = "paged out",
     .unit = "KiB/s",
     .display = {1, "KiB/s"},
     .entity = EntityKind::kHost,
     .formula = Made(Per::kSecond, 1, HostCounter::kPagedOut)},
    {.name = "fault",
     .label = "page_faults",
     .text = "page faults",
     .unit = "/s",
     .display = {1, "/s"},
     .entity = EntityKind::kHost,
     .formula = Made(Per::kSecond, 1, HostCounter::kFaults)},
    {.name = "bread",
     .label = "disk_read_bytes",
     .text = "read from disk",
     .unit = "B/s",
     .display = {kMegabytesPerByte, "MB/s"},
     .entity = EntityKind::kHost,
     .formula = Made(Per::kSecond, 1, DiskCounter::kReadBytes)},
    {.name = "bwrtn",
     .label = "disk_write_bytes",
     .text = "written to disk",
     .unit = "B/s",
     .display = {kMegabytesPerByte, "MB/s"},
     .entity = EntityKind::kHost,
     .formula = Made(Per::kSecond, 1, DiskCounter::kWrittenBytes)},
}};

// Service times of system calls [Kasick09 §4], in the order of ServiceMetric
// (detect/syscalls/service_metric.h); what they are made of, series/syscall_readings.h says.
inline constexpr std::array<MetricRow, 4> kSyscalls = {{
    {.name = "dread",
     .label = "storage_read_call",
     .text = "time of a call that reads from storage",
     .unit = "s",
     .display = {kMsPerSecond, "ms"},
     .entity = EntityKind::kSyscalls,
     .formula = {.of = EntityKind::kSyscalls, .per = Per::kNothing},
     .only_high = true},
    {.name = "dwrite",
     .label = "storage_write_call",
     .text = "time of a call that writes to storage",
     .unit = "s",
     .display = {kMsPerSecond, "ms"},
     .entity = EntityKind::kSyscalls,
     .formula = {.of = EntityKind::kSyscalls, .per = Per::kNothing},
     .only_high = true},
    {.name = "nsread",
     .label = "request_read_call",
     .text = "time in which a server reads a request from a socket",
     .unit = "s",
     .display = {kMsPerSecond, "ms"},
     .entity = EntityKind::kSyscalls,
     .formula = {.of = EntityKind::kSyscalls, .per = Per::kNothing},
     .only_high = true},
    {.name = "ncread",
     .label = "response_read_call",
     .text = "time in which clients read the server's response from a socket",
     .unit = "s",
     .display = {kMsPerSecond, "ms"},
     .entity = EntityKind::kSyscalls,
     .formula = {.of = EntityKind::kSyscalls, .per = Per::kNothing},
     .only_high = true},
}};

}  // namespace rows

enum class GroupKind : std::uint8_t {
  kStorage,  // components are disks or LUN attachments, "node/device"
  kNetwork,  // components are servers; their interfaces are added up
  kCwnd,     // components are servers; congestion windows of the file system's sockets
  // What behaviour profiles are made of; no peer group of its own, and no kind in a configuration.
  kHosts,           // nodes and their disks
  kHostInterfaces,  // their interfaces
};

struct GroupKindRow {
  GroupKind kind;
  std::string_view name = {};    // in a configuration; empty: none may ask for it
  std::string_view suffix = {};  // of default groups: "io-disks"
  std::span<const MetricRow> metrics = {};
  EntityKind entity = EntityKind::kDisk;  // what its components are made of
  EntityKind also = entity;               // what else its rules take
  bool per_device = false;                // components are "node/device", not "node"
  // Components are judged by single connections, found by the file system's ports, second by
  // second; otherwise by windows of their counters.
  bool by_connection = false;
};

inline constexpr std::array<GroupKindRow, 5> kGroupKindRows = {{
    {.kind = GroupKind::kStorage,
     .name = "storage",
     .suffix = "disks",
     .metrics = rows::kDisks,
     .entity = EntityKind::kDisk,
     .per_device = true},
    {.kind = GroupKind::kNetwork,
     .name = "network",
     .suffix = "network",
     .metrics = rows::kInterfaces,
     .entity = EntityKind::kInterface},
    {.kind = GroupKind::kCwnd,
     .name = "cwnd",
     .suffix = "cwnd",
     .metrics = rows::kWindows,
     .entity = EntityKind::kPeer,
     .also = EntityKind::kSocket,
     .by_connection = true},
    {.kind = GroupKind::kHosts, .entity = EntityKind::kHost, .also = EntityKind::kDisk},
    {.kind = GroupKind::kHostInterfaces, .entity = EntityKind::kInterface},
}};

[[nodiscard]] constexpr std::size_t Index(GroupKind kind) { return static_cast<std::size_t>(kind); }
[[nodiscard]] constexpr std::size_t Index(DiskMetric metric) {
  return static_cast<std::size_t>(metric);
}
[[nodiscard]] constexpr const GroupKindRow& KindRow(GroupKind kind) {
  return kGroupKindRows[Index(kind)];
}

[[nodiscard]] constexpr bool Takes(GroupKind group, EntityKind entity) {
  return KindRow(group).entity == entity || KindRow(group).also == entity;
}
// Of a group's component that is made of `device` of `node`.
[[nodiscard]] inline std::string ComponentName(GroupKind kind, std::string_view node,
                                               std::string_view device) {
  std::string name(node);
  return KindRow(kind).per_device ? name.append("/").append(device) : name;
}

// Rows by number: those of a group's windows in the order of its samples.
[[nodiscard]] constexpr std::span<const MetricRow> Metrics(GroupKind kind) {
  return KindRow(kind).metrics;
}
[[nodiscard]] constexpr std::span<const MetricRow> HostMetrics() { return rows::kHosts; }
[[nodiscard]] constexpr const MetricRow& RowFor(DiskMetric metric) {
  return rows::kDisks[Index(metric)];
}

// By the papers' name or by the label; nullptr when there is none. For the edges, where a name
// comes in: elsewhere rows are passed on.
[[nodiscard]] const MetricRow* FindMetric(std::string_view name);
// The label of a metric by its name; a name of no row, such as a profile's, is its own label.
[[nodiscard]] std::string_view MetricLabel(std::string_view name);
// All rows, kind by kind.
[[nodiscard]] std::span<const std::span<const MetricRow>> MetricTable();

}  // namespace limpet
