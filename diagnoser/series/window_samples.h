// window_samples.h: the smoothed samples of one component in one window, from its counters.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "diagnoser/mapping/members.h"
#include "diagnoser/series/course.h"
#include "diagnoser/series/readings.h"
#include "diagnoser/series/sample_set.h"
#include "diagnoser/series/window_shape.h"
#include "diagnoser/series/write_history.h"

namespace limpet {

// A disk's window step by step, not smoothed, as far as the kernel's clock is known; holes are
// taken out of all alike. A second, each.
struct DeviceSteps {
  std::vector<double> at_device;  // seconds that requests spent there: how many there were
  std::vector<double> busy;       // seconds
  std::vector<double> requests;
  std::vector<double> bytes;
};

// The means of one disk over a window, a second.
struct DiskRates {
  double read = 0;  // bytes
  double written = 0;
  double requests = 0;
  double taken = 0;  // seconds that its requests took together
  double busy = 0;   // seconds, no more than those; 0: not known
};

struct MemberSamples {
  // One a metric of the group's kind, in the order of its rows (metrics/catalog.h); holes taken
  // out.
  SampleSet metrics;
  double requests = 0;      // disks: completed in the window, as far as known
  DeviceSteps device = {};  // disks; empty: nobody measures them
  // Interfaces: of what the server's connections send, the share that goes to other servers.
  std::optional<double> to_servers = std::nullopt;
  // Interfaces, with `balance`: the share of the window that the server's busiest disk is busy, and
  // the mean time of its disks' requests, ms; 0: none, or nobody tells.
  double disk_busy = 0;
  double disk_await = 0;
  // The means of each disk that those rows add up.
  std::vector<DiskRates> disks = {};
  // And how its metrics went for at least a minute; rows of byte balances again those of the disks.
  std::vector<Course> course = {};
  bool course_begins = false;  // there is nothing from before: more than an eighth is missing
  // Its bytes received and written over minutes, where somebody remembers.
  WriteHistory writes = {};
  // Interfaces: segments that its connections sent, a second, where somebody counts them.
  std::optional<double> segments = std::nullopt;
};

// Samples with end time in (end - W steps, end].
[[nodiscard]] MemberSamples DiskWindow(const Readings& readings, const Member& member, UnixTime end,
                                       const WindowShape& shape, std::size_t grid);
// Summed over the server's interfaces that have a sample; those that repeat others do not count
// (repeats.h). Rows of byte balances have the samples of
// the disks alone (balance.h takes the network's away), and none unless `balance` and
// `Member::disks` are there.
[[nodiscard]] MemberSamples NetWindow(const Readings& readings, const Member& member, UnixTime end,
                                      const WindowShape& shape, std::size_t grid,
                                      bool balance = false);
// Returns that of the two which fits the group's kind: of components that are judged by their
// counters.
[[nodiscard]] MemberSamples MemberWindow(GroupKind kind, const Readings& readings,
                                         const Member& member, UnixTime end,
                                         const WindowShape& shape, std::size_t grid);

// The same for charts: in each metric exactly shape.window samples, kMissing (metrics/missing.h)
// where there is a hole. Rows of byte balances are missing throughout.
[[nodiscard]] SampleSet AlignedWindow(GroupKind kind, const Readings& readings,
                                      const Member& member, UnixTime end, const WindowShape& shape,
                                      std::size_t grid);

}  // namespace limpet
