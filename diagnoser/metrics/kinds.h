// kinds.h: what the diagnosis knows of: kinds of entity with what is read of each, one row a kind.
//
// The numbers of enumerators are written to state files: new ones go to the end.
// Threads: constants.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace limpet {

enum class EntityKind : std::uint8_t {
  kDisk,
  kInterface,
  kSocket,
  kPeer,      // many sockets in one (limpet-exporter's default)
  kHost,      // the node itself, or one of its processors
  kExporter,  // the exporter itself: when it started; no component of any group
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
};
inline constexpr std::size_t kDiskCounters = 8;
// Counted in milliseconds by the kernel, and continued beyond 32 bits by the exporter.
[[nodiscard]] constexpr bool IsTime(DiskCounter counter) {
  return counter >= DiskCounter::kReadSeconds && counter <= DiskCounter::kWeightedSeconds;
}

[[nodiscard]] constexpr std::size_t Index(DiskCounter counter) {
  return static_cast<std::size_t>(counter);
}

enum class NetCounter : std::uint8_t { kRxBytes, kRxPackets, kTxBytes, kTxPackets };
inline constexpr std::size_t kNetCounters = 4;

enum class SocketField : std::uint8_t { kCwnd, kBytesAcked };
enum class PeerField : std::uint8_t { kCwnd, kActiveSockets };

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

// Where the readings of a kind are kept.
enum class ReadingsShape : std::uint8_t {
  kCounters,  // Readings: `counters` cumulative series on every preset's grid
  kWindows,   // Readings: the latest values of a congestion window and of one more series
  kHost,      // HostReadings alone: counters and gauges on a grid of one second
  kNone,
};

struct EntityKindRow {
  EntityKind kind;
  std::string_view name = {};
  std::string_view device_label = {};  // names the entity within its node; empty: none does
  std::string_view remote_label = {};  // connections: the address of the other side
  bool has_side = false;               // peers: the label `side` belongs to the name
  ReadingsShape shape = ReadingsShape::kNone;
  std::size_t counters = 0;
};

inline constexpr std::array<EntityKindRow, 6> kEntityKindRows = {{
    {.kind = EntityKind::kDisk,
     .name = "disk",
     .device_label = "device",
     .shape = ReadingsShape::kCounters,
     .counters = kDiskCounters},
    {.kind = EntityKind::kInterface,
     .name = "interface",
     .device_label = "device",
     .shape = ReadingsShape::kCounters,
     .counters = kNetCounters},
    {.kind = EntityKind::kSocket,
     .name = "connection",
     .remote_label = "remote_address",
     .shape = ReadingsShape::kWindows},
    {.kind = EntityKind::kPeer,
     .name = "peer",
     .remote_label = "peer",
     .has_side = true,
     .shape = ReadingsShape::kWindows},
    {.kind = EntityKind::kHost,
     .name = "host",
     .device_label = "cpu",
     .shape = ReadingsShape::kHost,
     .counters = kHostCounters},
    {.kind = EntityKind::kExporter, .name = "exporter"},
}};
// Kinds that a Directory holds: all but the exporter, which is no component of anything.
inline constexpr std::size_t kEntityKinds = 5;

[[nodiscard]] constexpr std::size_t Index(EntityKind kind) {
  return static_cast<std::size_t>(kind);
}
[[nodiscard]] constexpr const EntityKindRow& KindRow(EntityKind kind) {
  return kEntityKindRows[Index(kind)];
}

static_assert(
    [] {
      for (std::size_t i = 0; i < kEntityKindRows.size(); ++i) {
        if (Index(kEntityKindRows[i].kind) != i) {
          return false;
        }
      }
      return true;
    }(),
    "a row a kind, in the order of the enumerators");

}  // namespace limpet
