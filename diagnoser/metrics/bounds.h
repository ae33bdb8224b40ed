// bounds.h: the most that a counter can rise by; what rises by more is no work of this machine
// (docs/decisions/0131).
//
// Unit:    that of the counter, a second.
// Purpose: to tell another machine's counters from work, never slow work from fast: each bound is
//          several times what the fastest hardware does, and time may pass between the instant of
//          a reading and the reading itself.
// Threads: pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "exporter/common/time.h"

namespace limpet {

// The quantity that a counter counts; the reasons of refused increases on the metrics page.
enum class Quantity : std::uint8_t {
  kRequests,
  kBytes,
  kRequestTime,
  kBusyTime,
  kPackets,
  kCpuTime,
  kEvents,
};
inline constexpr std::size_t kQuantities = 7;

[[nodiscard]] constexpr std::string_view Name(Quantity quantity) {
  constexpr std::array<std::string_view, kQuantities> kNames = {
      "requests", "bytes", "request_time", "busy_time", "packets", "cpu_time", "events"};
  return kNames[static_cast<std::size_t>(quantity)];
}

struct CounterBound {
  Quantity quantity;
  double per_second;
};

namespace bounds {

// A device is busy for at most a second a second; sources that add up the paths or members of an
// aggregate say several, and those that add up its requests up to their number in flight (25 were
// seen). Another machine's total differs by hours.
inline constexpr CounterBound kBusy = {Quantity::kBusyTime, 64};
// The waits of requests count when these complete: 10,000 that a path failure has held up for 100 s
// may do so in one second.
inline constexpr CounterBound kWaits = {Quantity::kRequestTime, 1e6};
// More than a server's memory moves in a second, so no array of NVMe drives comes near it.
inline constexpr CounterBound kDiskBytes = {Quantity::kBytes, 1e12};
inline constexpr CounterBound kRequests = {Quantity::kRequests, 1e9};
// Two bonded 800 Gbit/s ports; and their smallest packets.
inline constexpr CounterBound kLinkBytes = {Quantity::kBytes, 2e11};
inline constexpr CounterBound kPackets = {Quantity::kPackets, 4e9};
// The bound of all processors together, where the exporter adds them up.
inline constexpr CounterBound kCpu = {Quantity::kCpuTime, 1e5};
inline constexpr CounterBound kEvents = {Quantity::kEvents, 1e10};
inline constexpr CounterBound kPagedKibibytes = {Quantity::kBytes, 1e9};

// Bounds by number of the kind's counters (kinds.h).
inline constexpr std::array kDisk = {kRequests, kRequests, kDiskBytes, kDiskBytes, kWaits,
                                     kWaits,    kBusy,     kWaits,     kWaits,     kWaits};
inline constexpr std::array kInterface = {kLinkBytes, kPackets, kLinkBytes, kPackets};
inline constexpr std::array kHost = {kCpu,   kCpu, kCpu, kEvents, kPagedKibibytes, kPagedKibibytes,
                                     kEvents};

// Virtual interfaces report 10 Gbit/s and carry what memory does, tunnels report 10 Mbit/s: a speed
// is believed from 1 Gbit/s on, and many times over.
inline constexpr double kSlowestLink = 125e6;  // bytes a second
inline constexpr double kTimesItsSpeed = 16;

}  // namespace bounds

// Returns the bound of an interface whose link has this speed, bytes a second.
[[nodiscard]] constexpr double LinkBytes(double speed) {
  return speed >= bounds::kSlowestLink ? bounds::kTimesItsSpeed * speed
                                       : bounds::kLinkBytes.per_second;
}

// The most over `elapsed`. Half as much again for clocks that differ and are slewed, and a second
// for the time between the instant of a page and the reading of the kernel.
[[nodiscard]] constexpr double LargestIncrease(double per_second, Duration elapsed) {
  return per_second * (1.5 * ToSeconds(elapsed) + 1);
}

// The first comparison is all that is needed of nearly every reading.
[[nodiscard]] constexpr bool IsImpossible(double increase, double per_second, Duration elapsed) {
  return increase > per_second && increase > LargestIncrease(per_second, elapsed);
}

}  // namespace limpet
