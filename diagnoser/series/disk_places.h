// disk_places.h: a server's disks beside the other servers' in their place: the largest with the
// largest, by the bytes that they move one way.
//
// What a stranger moves matters as far as it keeps a disk busy. How long that is follows from the
// pace of the peers' disks, so that a slow disk is not taken for one with a stranger.
// Threads: pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "diagnoser/series/window_samples.h"

namespace limpet {

// The excess of one disk of a server over the median of the other servers' disks in its place,
// where that is most.
struct DiskAlone {
  double more = 0;   // B/s
  double usual = 0;  // that median
  std::size_t place = 0;
};

// A disk beside its peers.
struct DiskWork {
  // The share of the time that its work takes at the pace of the peers: by requests or by bytes,
  // whichever is longer, and no longer than it is busy.
  double time = 0;
  double usual = 0;     // the median peer's
  bool slower = false;  // it is busy for a quarter longer than that
  bool waits = false;   // always busy, or requests take a quarter longer than the peers'
};

// All servers' disks one way in one window, sorted once for all servers.
class DisksByPlace {
 public:
  DisksByPlace(std::span<const MemberSamples> samples, bool writes);

  // Returns the member's disks, the largest first.
  [[nodiscard]] std::span<const DiskRates> Of(std::size_t member) const { return own_[member]; }
  // Returns zeros of a server with fewer than two disks, or three such servers.
  [[nodiscard]] DiskAlone FindAlone(std::size_t member) const;
  // Returns nullopt where it is not known how busy the disk or any peer is, or with fewer than two
  // peers.
  [[nodiscard]] std::optional<DiskWork> FindWork(std::size_t member, std::size_t place) const;

 private:
  enum Value : std::uint8_t { kRate, kBusyARequest, kBusyAByte, kBusy, kAwait, kValues };
  using Values = std::array<std::vector<double>, kValues>;
  [[nodiscard]] double ValueOf(const DiskRates& disk, Value value) const;
  [[nodiscard]] double MedianOfOthers(std::size_t member, std::size_t place, Value value) const;

  bool writes_;
  std::size_t servers_ = 0;                  // that have disks
  std::vector<std::vector<DiskRates>> own_;  // by member, the largest first
  // Of all servers, sorted; rates of all, other values where they are known.
  std::vector<Values> by_place_;
};

}  // namespace limpet
