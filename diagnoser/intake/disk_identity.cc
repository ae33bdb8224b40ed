#include "diagnoser/intake/disk_identity.h"

#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "diagnoser/mapping/builtin.h"

namespace limpet {
namespace {

// Of one disk on one page; `doubtful`: the page says two things of it.
struct Disk {
  Entity entity;
  bool doubtful = false;
};

bool Contradict(const std::string& one, const std::string& other) {
  return !one.empty() && !other.empty() && one != other;
}

std::string Size(const Entity& disk) {
  const auto size = disk.labels.find("size");
  return size == disk.labels.end() ? std::string() : size->second;
}

bool IsAnother(const Entity& known, const Entity& now) {
  const bool named = !DiskIdentity(known).empty() && !DiskIdentity(now).empty();
  return Contradict(known.wwn, now.wwn) || Contradict(known.serial, now.serial) ||
         Contradict(known.model, now.model) ||
         (!named && Contradict(Size(known), Size(now)));  // a volume with a name may grow
}

bool IsDiskInfo(const PageReader::NewLine& line) {
  if (line.kind != SeriesCache::LineKind::kSeries) {
    return false;
  }
  const auto field = FindField(line.name);
  return field && KindRow(field->kind).is_described && field->index == kInfoField;
}

Entity ParseDisk(const LabelPairs& labels, const Scrape& scrape) {
  Entity disk;
  disk.node = scrape.node;
  for (const auto& [name, value] : labels) {
    if (name == "instance" && scrape.node.empty()) {
      disk.node = value;
    } else if (name == "device") {
      disk.device = value;
    } else if (name == "wwn") {
      disk.wwn = value;
    } else if (name == "serial") {
      disk.serial = value;
    } else if (name == "model") {
      disk.model = value;
    } else if (name == "size") {
      disk.labels["size"] = value;
    }
  }
  return disk;
}

}  // namespace

std::vector<DiskChange> FindReplacedDisks(std::span<const PageReader::NewLine> lines,
                                          const Scrape& scrape, const Directory& directory) {
  std::map<std::pair<std::string, std::string>, Disk> disks;
  for (const auto& line : lines) {
    if (!IsDiskInfo(line)) {
      continue;
    }
    const auto labels = ParseLabels(line.labels);
    if (!labels) {
      continue;
    }
    auto disk = ParseDisk(*labels, scrape);
    const auto [known, is_new] = disks.try_emplace(std::pair(disk.node, disk.device));
    if (is_new) {
      known->second.entity = std::move(disk);
    } else {
      known->second.doubtful = known->second.doubtful || IsAnother(known->second.entity, disk);
    }
  }
  std::vector<DiskChange> changes;
  for (const auto& [name, disk] : disks) {
    const auto number = directory.Find(EntityKind::kDisk, disk.entity);
    if (number && !disk.doubtful &&
        IsAnother(directory.Entities(EntityKind::kDisk)[*number], disk.entity)) {
      const auto home = directory.FindHome(disk.entity);
      changes.push_back(
          {.disk = *number, .home = home.value_or(disk.entity.device), .is_new = !home});
    }
  }
  return changes;
}

std::vector<DiskChange> FindUnknownDisks(std::string_view node, const Directory& directory) {
  std::vector<DiskChange> changes;
  const auto disks = directory.Entities(EntityKind::kDisk);
  for (std::uint32_t i = 0; i < disks.size(); ++i) {
    if (disks[i].live && disks[i].node == node && DiskIdentity(disks[i]).empty()) {
      changes.push_back({.disk = i, .home = disks[i].device});
    }
  }
  return changes;
}

}  // namespace limpet
