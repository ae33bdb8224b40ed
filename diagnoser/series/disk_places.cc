#include "diagnoser/series/disk_places.h"

#include <algorithm>
#include <functional>

namespace limpet {
namespace {

constexpr std::size_t kLeastServers = 3;
constexpr double kSlower = 1.25;     // times the peers', of a disk's time and of a request's
constexpr double kLeastAwait = 5;    // ms
constexpr double kSaturated = 0.85;  // of the time
constexpr double kMsPerSecond = 1000;

double Ratio(double value, double of) { return of > 0 ? value / of : 0; }

double Bytes(const DiskRates& disk) { return disk.read + disk.written; }

}  // namespace

DisksByPlace::DisksByPlace(std::span<const MemberSamples> samples, bool writes) : writes_(writes) {
  std::size_t places = 0;
  for (const auto& member : samples) {
    servers_ += member.disks.empty() ? 0U : 1U;
    places = std::max(places, member.disks.size());
    auto& disks = own_.emplace_back(member.disks);
    std::ranges::stable_sort(disks, std::greater(),
                             [&](const DiskRates& disk) { return ValueOf(disk, kRate); });
  }
  by_place_.resize(places);
  for (std::size_t place = 0; place < places; ++place) {
    for (std::size_t value = 0; value < kValues; ++value) {
      auto& all = by_place_[place][value];
      for (const auto& disks : own_) {
        const double its =
            disks.empty() ? 0 : ValueOf(disks[std::min(place, disks.size() - 1)], Value(value));
        if (its > 0 || (value == kRate && !disks.empty())) {
          all.push_back(its);
        }
      }
      std::ranges::sort(all);
    }
  }
}

// 0: not known.
double DisksByPlace::ValueOf(const DiskRates& disk, Value value) const {
  switch (value) {
    case kRate:
      return writes_ ? disk.written : disk.read;
    case kBusyARequest:
      return Ratio(disk.busy, disk.requests);
    case kBusyAByte:
      return Ratio(disk.busy, Bytes(disk));
    case kBusy:
      return disk.busy;
    case kAwait:  // ms
      return kMsPerSecond * Ratio(disk.taken, disk.requests);
    case kValues:
      break;
  }
  return 0;
}

// The median of a sorted row without one of its values is near the middle of the row; 0: of none.
double DisksByPlace::MedianOfOthers(std::size_t member, std::size_t place, Value value) const {
  const auto& all = by_place_[place][value];
  const double own = ValueOf(own_[member][place], value);
  const bool is_there = own > 0 || value == kRate;
  const auto at = is_there
                      ? static_cast<std::size_t>(std::ranges::lower_bound(all, own) - all.begin())
                      : all.size();
  const auto other = [&](std::size_t number) { return all[number < at ? number : number + 1]; };
  const auto count = all.size() - (is_there ? 1U : 0U);
  return count == 0       ? 0
         : count % 2 == 1 ? other(count / 2)
                          : other(count / 2 - 1) / 2 + other(count / 2) / 2;
}

DiskAlone DisksByPlace::FindAlone(std::size_t member) const {
  const auto& own = own_[member];
  DiskAlone alone;
  if (own.size() < 2 || servers_ < kLeastServers) {
    return alone;
  }
  for (std::size_t place = 0; place < own.size(); ++place) {
    const double rate = ValueOf(own[place], kRate);
    const double usual = MedianOfOthers(member, place, kRate);
    if (rate - usual > alone.more) {
      alone = {.more = rate - usual, .usual = usual, .place = place};
    }
  }
  return alone;
}

std::optional<DiskWork> DisksByPlace::FindWork(std::size_t member, std::size_t place) const {
  const auto& own = own_[member][place];
  if (servers_ < kLeastServers || own.busy <= 0) {
    return std::nullopt;
  }
  const double a_request = MedianOfOthers(member, place, kBusyARequest);
  const double a_byte = MedianOfOthers(member, place, kBusyAByte);
  if (a_request <= 0 || a_byte <= 0) {
    return std::nullopt;
  }
  const double time = std::max(a_request * own.requests, a_byte * Bytes(own));
  const double await = ValueOf(own, kAwait);
  return DiskWork{
      .time = std::min(time, own.busy),
      .usual = MedianOfOthers(member, place, kBusy),
      .slower = own.busy > kSlower * time,
      .waits = own.busy >= kSaturated ||
               (await > kLeastAwait && await >= kSlower * MedianOfOthers(member, place, kAwait))};
}

}  // namespace limpet
