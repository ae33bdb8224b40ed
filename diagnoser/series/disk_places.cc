#include "diagnoser/series/disk_places.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

constexpr std::size_t kLeastPeers = 2;
constexpr double kSlower = 1.25;     // times the peers', of a disk's time and of a request's
constexpr double kLeastAwait = 5;    // ms
constexpr double kSaturated = 0.85;  // of the time
constexpr double kMsPerSecond = 1000;

double Bytes(const DiskMeans& disk) { return disk.read + disk.written; }

double BytesOneWay(const DiskMeans& disk, bool writes) { return writes ? disk.written : disk.read; }

// ms
double Await(const DiskMeans& disk) {
  return disk.requests > 0 ? kMsPerSecond * disk.taken / disk.requests : 0;
}

// The median of the peers that have any; 0: none has.
template <class Value>
double MedianOfKnown(const std::vector<DiskMeans>& peers, const Value& value) {
  std::vector<double> all;
  all.reserve(peers.size());
  for (const auto& peer : peers) {
    if (const double one = value(peer); one > 0) {
      all.push_back(one);
    }
  }
  return all.empty() ? 0 : Median(std::move(all));
}

std::vector<DiskMeans> MeansOf(const MemberSamples& member) {
  const auto& device = member.device;
  const bool timed = device.requests.size() == member.disks.size();
  std::vector<DiskMeans> all;
  all.reserve(member.disks.size());
  for (std::size_t i = 0; i < member.disks.size(); ++i) {
    DiskMeans disk{.read = member.disks[i].read, .written = member.disks[i].written};
    if (timed) {
      disk.requests = device.requests[i];
      disk.taken = device.at_device[i];
      disk.busy = device.busy[i];
    }
    all.push_back(disk);
  }
  return all;
}

}  // namespace

SortedDisks SortDisks(std::span<const MemberSamples> samples, bool writes) {
  SortedDisks sorted;
  sorted.reserve(samples.size());
  for (const auto& member : samples) {
    auto& disks = sorted.emplace_back(MeansOf(member));
    std::ranges::stable_sort(disks, std::greater(),
                             [writes](const DiskMeans& disk) { return BytesOneWay(disk, writes); });
  }
  return sorted;
}

std::vector<PlacedDisk> PlaceDisks(const SortedDisks& disks, std::size_t member) {
  std::vector<PlacedDisk> placed;
  for (const auto& own : disks[member]) {
    placed.push_back({.own = own, .peers = {}});
  }
  for (std::size_t i = 0; i < disks.size(); ++i) {
    if (i == member || disks[i].empty()) {
      continue;
    }
    for (std::size_t place = 0; place < placed.size(); ++place) {
      placed[place].peers.push_back(disks[i][std::min(place, disks[i].size() - 1)]);
    }
  }
  if (!placed.empty() && placed.front().peers.size() < kLeastPeers) {
    placed.clear();
  }
  return placed;
}

std::optional<DiskWork> FindWork(const PlacedDisk& disk) {
  const auto& [own, peers] = disk;
  const double a_request = MedianOfKnown(peers, [](const DiskMeans& peer) {
    return peer.requests > 0 ? peer.busy / peer.requests : 0;
  });
  const double a_byte = MedianOfKnown(
      peers, [](const DiskMeans& peer) { return Bytes(peer) > 0 ? peer.busy / Bytes(peer) : 0; });
  if (own.busy <= 0 || a_request <= 0 || a_byte <= 0) {
    return std::nullopt;
  }
  const double time = std::max(a_request * own.requests, a_byte * Bytes(own));
  const double await = Await(own);
  return DiskWork{.time = std::min(time, own.busy),
                  .usual = MedianOfKnown(peers, [](const DiskMeans& peer) { return peer.busy; }),
                  .slower = own.busy > kSlower * time,
                  .waits = own.busy >= kSaturated ||
                           (await > kLeastAwait && await >= kSlower * MedianOfKnown(peers, Await))};
}

}  // namespace limpet
