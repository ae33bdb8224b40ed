// disk_sorter.h: a kind of disks is parted by what is known of them.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/mapping/disk_kinds.h"

namespace limpet {

// So many servers have disks of a kind, at least.
inline constexpr std::size_t kMinDiskServers = 3;

// Returns the label's value; empty: nobody says.
[[nodiscard]] std::string DiskLabel(const Entity& disk, std::string_view name);

class DiskSorter {
 public:
  explicit DiskSorter(std::span<const Entity> disks) : disks_(disks) {}

  [[nodiscard]] std::size_t Servers(const std::vector<std::uint32_t>& disks) const;

  // Parts by what `of` says, which is added to the key where there are several; disks of which it
  // says nothing go with most of the others. `only_enough`: so do parts of too few servers.
  using Of = std::function<std::string(const Entity&)>;
  [[nodiscard]] std::vector<DiskKind> By(const DiskKind& kind, const Of& of,
                                         bool only_enough = false) const;

  // Parts by size, within a factor of 1.5; where no such part has enough servers, of 2.1.
  [[nodiscard]] std::vector<DiskKind> BySize(const DiskKind& kind) const;

 private:
  [[nodiscard]] std::set<std::string_view> Nodes(const std::vector<std::uint32_t>& disks) const;
  [[nodiscard]] double SmallestSize(const DiskKind& kind) const;
  [[nodiscard]] std::vector<DiskKind> JoinFew(std::vector<DiskKind> kinds) const;

  std::span<const Entity> disks_;
};

}  // namespace limpet
