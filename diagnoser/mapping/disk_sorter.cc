#include "diagnoser/mapping/disk_sorter.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

namespace limpet {
namespace {

// Of the smallest of a kind: disks that an array or a file system fills alike.
constexpr double kSizeFactor = 1.5;
// Where nobody had peers otherwise: one generation of disks and the next, of twice the size.
constexpr double kNextSizeFactor = 2.1;

// In bytes; 0: nobody says. A file system is a little smaller than its disk, all alike.
double Size(const Entity& disk) {
  auto text = DiskLabel(disk, "size");
  if (text.empty()) {
    text = DiskLabel(disk, kMountedSizeLabel);
  }
  double size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  return error == std::errc() && size > 0 && std::isfinite(size) ? size : 0;
}

}  // namespace

std::string DiskLabel(const Entity& disk, std::string_view name) {
  const auto found = disk.labels.find(name);
  return found == disk.labels.end() ? std::string() : found->second;
}

std::set<std::string_view> DiskSorter::Nodes(const std::vector<std::uint32_t>& disks) const {
  std::set<std::string_view> nodes;
  for (const auto disk : disks) {
    nodes.insert(disks_[disk].node);
  }
  return nodes;
}

std::size_t DiskSorter::Servers(const std::vector<std::uint32_t>& disks) const {
  return Nodes(disks).size();
}

std::vector<DiskKind> DiskSorter::By(const DiskKind& kind, const Of& of, bool only_enough) const {
  std::map<std::string, std::vector<std::uint32_t>> parts;
  for (const auto disk : kind.disks) {
    parts[of(disks_[disk])].push_back(disk);
  }
  auto unknown = std::move(parts[""]);
  parts.erase("");
  if (only_enough) {  // a spare part of another make belongs to those it was put among
    for (auto part = parts.begin(); part != parts.end();) {
      if (Servers(part->second) >= kMinDiskServers) {
        ++part;
        continue;
      }
      unknown.insert(unknown.end(), part->second.begin(), part->second.end());
      part = parts.erase(part);
    }
  }
  if (parts.size() < 2) {
    return {kind};
  }
  auto most =
      std::ranges::max_element(parts, {}, [](const auto& part) { return part.second.size(); });
  most->second.insert(most->second.end(), unknown.begin(), unknown.end());
  std::vector<DiskKind> kinds;
  for (auto& [name, disks] : parts) {
    std::ranges::sort(disks);
    kinds.push_back({.key = kind.key + ", " + name,
                     .what = kind.what,
                     .suffix = {},
                     .disks = std::move(disks)});
  }
  return kinds;
}

std::vector<DiskKind> DiskSorter::BySize(const DiskKind& kind) const {
  std::vector<double> sizes;
  for (const auto disk : kind.disks) {
    sizes.push_back(Size(disks_[disk]));
  }
  std::ranges::sort(sizes);
  std::vector<double> least;  // of each class
  for (const double size : sizes) {
    if (size > 0 && (least.empty() || size > kSizeFactor * least.back())) {
      least.push_back(size);
    }
  }
  auto kinds = JoinFew(By(kind, [&](const Entity& disk) -> std::string {
    const auto above = std::ranges::upper_bound(least, Size(disk));
    return above == least.begin() ? "" : fmt::format("{:.3g} TB", *std::prev(above) / 1e12);
  }));
  if (kinds.size() == 1) {
    kinds.front().key = kind.key;
  }
  return kinds;
}

// Of those that somebody knows.
double DiskSorter::SmallestSize(const DiskKind& kind) const {
  double least = 0;
  for (const auto disk : kind.disks) {
    const auto size = Size(disks_[disk]);
    least = size > 0 && (least == 0 || size < least) ? size : least;
  }
  return least;
}

std::vector<DiskKind> DiskSorter::JoinFew(std::vector<DiskKind> kinds) const {
  if (std::ranges::any_of(
          kinds, [&](const DiskKind& kind) { return Servers(kind.disks) >= kMinDiskServers; })) {
    return kinds;
  }
  std::ranges::sort(kinds, {}, [&](const DiskKind& kind) { return SmallestSize(kind); });
  std::vector<DiskKind> joined;
  for (auto& kind : kinds) {
    if (joined.empty() || SmallestSize(kind) > kNextSizeFactor * SmallestSize(joined.back())) {
      joined.push_back(std::move(kind));
      continue;
    }
    auto& disks = joined.back().disks;
    disks.insert(disks.end(), kind.disks.begin(), kind.disks.end());
    std::ranges::sort(disks);
  }
  return joined;
}

}  // namespace limpet
