#include "diagnoser/view/used_space.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "diagnoser/metrics/missing.h"

namespace limpet {
namespace {

struct Filesystem {
  double size = 0;
  double available = 0;
};
using Filesystems = std::map<std::string_view, Filesystem>;  // by device: mounted twice is one

Filesystems CollectFilesystems(const std::vector<const FactReadings::Series*>& facts) {
  Filesystems found;
  for (const auto* const fact : facts) {
    if (fact->what == FactSeries::kFilesystemSize) {
      found[fact->device].size = fact->value;
    } else if (fact->what == FactSeries::kFilesystemAvail) {
      found[fact->device].available = fact->value;
    }
  }
  return found;
}

// A partition's name begins with its disk's: sda1, nvme0n1p1.
bool IsOnOne(std::string_view device, const std::set<std::string_view>& disks) {
  return std::any_of(disks.begin(), disks.end(), [&](std::string_view disk) {
    const auto rest = device.substr(std::min(disk.size(), device.size()));
    return device.starts_with(disk) &&
           rest.find_first_not_of("p0123456789") == std::string_view::npos;
  });
}

double UsedShare(const Filesystems& all, const std::set<std::string_view>& disks) {
  // First those that the peers are compared by; a full system disk says nothing about the data.
  Filesystem sum;
  for (const bool on_disks : {true, false}) {
    for (const auto& [device, one] : all) {
      if (one.size > 0 && (!on_disks || IsOnOne(device, disks))) {
        sum.size += one.size;
        sum.available += std::min(one.available, one.size);
      }
    }
    if (sum.size > 0) {
      return (sum.size - sum.available) / sum.size;
    }
  }
  return kMissing;
}

}  // namespace

std::map<std::string, double> CollectUsedSpace(const Directory& directory,
                                               const FactReadings& facts, UnixTime now) {
  std::map<std::string_view, std::set<std::string_view>> disks;
  for (const auto& entity : directory.Entities(EntityKind::kDisk)) {
    if (entity.live && !entity.groups.empty()) {
      disks[entity.node].insert(entity.device);
    }
  }
  std::map<std::string, double> used;
  for (const auto& [node, devices] : disks) {
    const double share = UsedShare(CollectFilesystems(facts.Of(node, now)), devices);
    if (!IsMissing(share)) {
      used.emplace(node, share);
    }
  }
  return used;
}

}  // namespace limpet
