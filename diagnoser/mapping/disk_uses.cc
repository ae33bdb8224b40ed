#include "diagnoser/mapping/disk_uses.h"

#include <map>
#include <string>
#include <string_view>

#include "diagnoser/mapping/disk_kinds.h"

namespace limpet {
namespace {

constexpr std::size_t kMostLayers = 8;  // over one another; more are a circle

DiskUse OwnUse(const Entity& disk) {
  DiskUse use;
  for (const auto name : {std::string_view("mountpoint"), kMountedLabel, kDataMountedLabel}) {
    const auto where = disk.labels.find(name);
    if (where != disk.labels.end() && !where->second.empty()) {
      (IsSystemMount(where->second) ? use.system : use.data) = true;
    }
  }
  return use;
}

}  // namespace

std::vector<DiskUse> FindDiskUses(std::span<const Entity> disks,
                                  std::span<const std::uint32_t> numbers) {
  std::vector<DiskUse> uses;
  std::map<std::string_view, std::size_t> places;
  for (const auto number : numbers) {
    places.emplace(disks[number].device, uses.size());
    uses.push_back(OwnUse(disks[number]));
  }
  for (std::size_t layer = 0; layer < kMostLayers; ++layer) {
    const auto before = uses;
    for (std::size_t upper = 0; upper < uses.size(); ++upper) {
      for (const auto& lower : disks[numbers[upper]].lowers) {
        if (const auto place = places.find(lower); place != places.end()) {
          auto& use = uses[place->second];
          use.system = use.system || before[upper].system;
          use.data = use.data || before[upper].data;
        }
      }
    }
    if (uses == before) {
      break;
    }
  }
  return uses;
}

}  // namespace limpet
