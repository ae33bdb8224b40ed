// disk_places.h: a server's disks beside the other servers' in their place: the largest with the
// largest, by the bytes that they move one way.
//
// What a stranger moves matters as far as it keeps a disk busy. How long that is follows from the
// pace of the peers' disks, so that a slow disk is not taken for one with a stranger.
// Threads: pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "diagnoser/series/window_samples.h"

namespace limpet {

// Means of one disk over the window, a second.
struct DiskMeans {
  double read = 0;  // bytes
  double written = 0;
  double requests = 0;
  double taken = 0;  // seconds that its requests took together
  double busy = 0;   // seconds, no more than those; 0: not known
};

// Lists by member its disks, the largest first. Of a server's samples `device` has a value a disk.
using SortedDisks = std::vector<std::vector<DiskMeans>>;
[[nodiscard]] SortedDisks SortDisks(std::span<const MemberSamples> samples, bool writes);

struct PlacedDisk {
  DiskMeans own;
  std::vector<DiskMeans> peers;  // of each other server that has disks
};
// Returns the disks of one member; none where fewer than two others have any.
[[nodiscard]] std::vector<PlacedDisk> PlaceDisks(const SortedDisks& disks, std::size_t member);

// A disk beside its peers.
struct DiskWork {
  // The share of the time that its work takes at the pace of the peers: by requests or by bytes,
  // whichever is longer, and no longer than it is busy.
  double time = 0;
  double usual = 0;     // the median peer's
  bool slower = false;  // it is busy for a quarter longer than that
  bool waits = false;   // always busy, or requests take a quarter longer than the peers'
};
// Returns nullopt where it is not known how busy it or any peer is.
[[nodiscard]] std::optional<DiskWork> FindWork(const PlacedDisk& disk);

}  // namespace limpet
