// builtin.h: the series of limpet-exporter and of node_exporter that the diagnosis reads.
//
// Counters are named alike after the prefix ("limpet_", "node_") and come in the same base units,
// so one table serves both.
// Threads: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace limpet {

enum class EntityKind : std::uint8_t {
  kDisk,       // label device
  kInterface,  // label device
  kSocket,     // labels local_address, local_port, remote_address, remote_port
  kPeer,       // labels local_address, peer, side: many sockets in one (limpet-exporter's default)
  kHost,       // the node itself; label cpu: one of its processors
  kExporter,   // the exporter itself: when it started; no component of any group
};

// What a series says about its entity. Disk and interface fields count as DiskCounter and
// NetCounter (metrics/samples.h); the others are below.
inline constexpr std::uint8_t kInfoField = 255;  // labels about a disk, no reading

enum class SocketField : std::uint8_t { kCwnd, kBytesAcked };
enum class PeerField : std::uint8_t { kCwnd, kActiveSockets };
// Counters first, then gauges, which are numbered on from kHostCounters.
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
inline constexpr std::uint8_t kModeField = 254;  // which one the label `mode` says

struct Field {
  EntityKind kind;
  std::uint8_t index = 0;
};

// By the series' name with its prefix; nullopt for all that is not read.
[[nodiscard]] std::optional<Field> FieldOf(std::string_view name);
// The field of a kModeField; nullopt for modes of no use.
[[nodiscard]] std::optional<Field> FieldOfMode(std::string_view mode);

}  // namespace limpet
