#include "diagnoser/evidence/groups/disk_mounts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnoser/mapping/disk_kinds.h"
#include "diagnoser/mapping/disk_uses.h"
#include "diagnoser/mapping/stacks.h"
#include "diagnoser/metrics/metric.h"
#include "diagnoser/series/repeats.h"
#include "diagnoser/series/window_samples.h"

namespace limpet {
namespace {

constexpr std::string_view kMapper = "mapper/";

struct Mounted {
  std::string where;
  std::string data;                          // the first that is not the system's
  std::map<std::string_view, double> sizes;  // by device: mounted twice is one
};
using Disks = std::map<std::string_view, std::uint32_t>;  // of one server, by name
using AllMounted = std::map<std::uint32_t, Mounted>;

// The disk that a partition is of, or the volume of a device-mapper name.
std::optional<std::uint32_t> FindDisk(std::string_view device, const Disks& disks,
                                      const Disks& volumes) {
  if (device.starts_with(kMapper)) {
    const auto volume = volumes.find(device.substr(kMapper.size()));
    return volume == volumes.end() ? std::nullopt : std::optional(volume->second);
  }
  const auto whole = disks.find(device);
  if (whole != disks.end()) {
    return whole->second;
  }
  auto name = device.substr(0, device.find_last_not_of("0123456789") + 1);
  auto found = disks.find(name);
  if (found == disks.end() && name.ends_with('p')) {  // nvme0n1p2
    name.remove_suffix(1);
    found = disks.find(name);
  }
  return found == disks.end() ? std::nullopt : std::optional(found->second);
}

Disks FindVolumes(const Disks& disks, std::span<const Entity> entities) {
  Disks volumes;
  for (const auto& [name, number] : disks) {
    const auto& labels = entities[number].labels;
    if (const auto mapped = labels.find(kMapperLabel); mapped != labels.end()) {
      volumes.emplace(mapped->second, number);
    }
  }
  return volumes;
}

AllMounted FindMounted(const std::vector<const FactReadings::Series*>& facts, const Disks& disks,
                       const Disks& volumes) {
  AllMounted mounted;
  for (const auto* series : facts) {
    if (series->what != FactSeries::kFilesystemSize) {
      continue;
    }
    const auto disk = FindDisk(series->device, disks, volumes);
    const std::string where(series->Label("mountpoint"));
    if (!disk || where.empty()) {
      continue;
    }
    auto& its = mounted[*disk];
    its.sizes[series->device] = series->value;
    const auto rank = [](const std::string& at) { return std::pair(!IsSystemMount(at), at); };
    if (its.where.empty() || rank(where) < rank(its.where)) {
      its.where = where;
    }
    if (!IsSystemMount(where) && (its.data.empty() || where < its.data)) {
      its.data = where;
    }
  }
  return mounted;
}

// node_exporter before 1.9 says of ATA disks alone whether they rotate, and by another series.
void TellRotation(const std::vector<const FactReadings::Series*>& facts, const Disks& disks,
                  Directory& directory) {
  for (const auto* series : facts) {
    const auto disk = disks.find(series->device);
    if (series->what == FactSeries::kRotationRate && disk != disks.end() &&
        !directory.Entities(EntityKind::kDisk)[disk->second].labels.contains(kRotationalLabel)) {
      directory.Describe(disk->second, std::string(kRotationalLabel),
                         series->value > 0 ? "1" : "0");
    }
  }
}

// What the disks read and write, added up step by step.
DeviceBytes BytesOf(const MountSources& from, const std::vector<std::uint32_t>& disks,
                    bool doubtful) {
  DeviceBytes sum{.in = std::vector<double>(from.steps),
                  .out = std::vector<double>(from.steps),
                  .doubtful = doubtful};
  const WindowShape shape{.step = from.readings->Grids()[from.grid].step, .window = from.steps};
  for (const auto disk : disks) {
    const Member member{.name = {}, .node = {}, .device = {}, .entities = {disk}};
    const auto samples =
        AlignedWindow(GroupKind::kStorage, *from.readings, member, from.end, shape, from.grid);
    const auto in = samples.Of(Index(DiskMetric::kRead));
    const auto out = samples.Of(Index(DiskMetric::kWrite));
    for (std::size_t i = 0; i < from.steps; ++i) {
      sum.in[i] += in[i];
      sum.out[i] += out[i];
    }
  }
  return sum;
}

bool MoveTheSame(const MountSources& from, const std::vector<std::uint32_t>& volumes,
                 std::uint32_t disk) {
  return from.readings != nullptr &&
         FindRepeats(std::vector{BytesOf(from, volumes, true), BytesOf(from, {disk}, false)})[0];
}

// The disk below the volumes that hold the system; nullopt: not to be told.
struct SystemVolumes {
  std::vector<std::uint32_t> system;
  std::vector<std::uint32_t> data;
  std::vector<std::uint32_t> bare;  // disks on which nobody has seen a file system
};

std::optional<std::uint32_t> FindDiskBelow(const MountSources& from, const SystemVolumes& found) {
  if (found.system.empty()) {
    return std::nullopt;
  }
  if (found.bare.size() == 1 && found.data.empty()) {
    return found.bare.front();
  }
  const auto below = std::ranges::find_if(found.bare, [&](std::uint32_t disk) {
    return MoveTheSame(from, found.system, disk) &&
           std::ranges::none_of(
               found.data, [&](std::uint32_t volume) { return MoveTheSame(from, {volume}, disk); });
  });
  return below == found.bare.end() ? std::nullopt : std::optional(*below);
}

// Where an exporter says what stands on what, nothing is to be found out.
SystemVolumes SortVolumes(const Disks& disks, std::span<const Entity> entities,
                          const AllMounted& mounted) {
  SystemVolumes found;
  for (const auto& [name, number] : disks) {
    const auto& disk = entities[number];
    const auto its = mounted.find(number);
    const bool is_volume = disk.labels.contains(kMapperLabel);
    if (is_volume && !disk.lowers.empty()) {
      return {};
    }
    if (is_volume && its != mounted.end()) {
      (its->second.data.empty() ? found.system : found.data).push_back(number);
    } else if (LayerByName(EntityKind::kDisk, name) == Layer::kHardware) {
      if (its == mounted.end()) {
        found.bare.push_back(number);
      } else if (IsSystemMount(its->second.where)) {
        return {};  // it holds /boot, and so the rest
      }
    }
  }
  return found;
}

void TellOfNode(const std::string& node, const MountSources& from, const Disks& disks,
                Directory& directory) {
  const auto facts = from.facts->Of(node, from.end);
  TellRotation(facts, disks, directory);
  const auto entities = directory.Entities(EntityKind::kDisk);
  auto mounted = FindMounted(facts, disks, FindVolumes(disks, entities));
  const auto volumes = SortVolumes(disks, entities, mounted);
  if (const auto below = FindDiskBelow(from, volumes)) {
    mounted[*below].where = mounted[volumes.system.front()].where;
  }
  for (const auto& [disk, its] : mounted) {
    double size = 0;
    for (const auto& [device, one] : its.sizes) {
      size += one;
    }
    directory.Describe(disk, std::string(kMountedLabel), its.where);
    directory.Describe(disk, std::string(kDataMountedLabel), its.data);
    if (size > 0) {
      directory.Describe(disk, std::string(kMountedSizeLabel), fmt::format("{:.0f}", size));
    }
  }
}

}  // namespace

void TellMounts(const MountSources& from, const std::set<std::string>* only, Directory& directory) {
  std::map<std::string, Disks> nodes;
  const auto entities = directory.Entities(EntityKind::kDisk);
  for (std::uint32_t i = 0; i < entities.size(); ++i) {
    if (entities[i].live && (only == nullptr || only->contains(entities[i].node))) {
      nodes[entities[i].node].emplace(entities[i].device, i);
    }
  }
  for (const auto& [node, disks] : nodes) {
    TellOfNode(node, from, disks, directory);
  }
}

}  // namespace limpet
