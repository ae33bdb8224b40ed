// disk_kind_groups.h: the peer groups that make themselves: which kind of disks each of them has,
// and what becomes of a kind that turns out to be two.
//
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/evidence/config.h"
#include "diagnoser/mapping/disk_kinds.h"
#include "diagnoser/verdict/device_kinds.h"
#include "diagnoser/view/view_types.h"

namespace limpet {

// How a group that makes itself was found in two, and what its kinds are called.
struct DiskKindMemory {
  std::string group;
  std::vector<KindSplit> splits;
  KindNames names;
  bool operator==(const DiskKindMemory&) const = default;
};

class DiskKindGroups {
 public:
  // Sorts the disks of all groups `by_kind` anew.
  void Refresh(const PipelineConfig& config, const Directory& directory);

  // Rises whenever Refresh has changed who belongs where.
  [[nodiscard]] std::uint64_t Version() const { return version_; }
  // The disks of a group, by number; nullopt: all that its rule takes.
  using Members = std::optional<std::vector<std::uint32_t>>;
  [[nodiscard]] const Members& Of(std::uint32_t group) const;

  // A disk is of another kind now: the groups that it has left.
  struct Move {
    std::string component;
    std::vector<std::uint32_t> left;
  };
  // Returns the moves since the last call.
  [[nodiscard]] std::vector<Move> TakeMoves();

  // A window of a group has two sides that most of its servers have. When that lasts, and a label
  // tells the sides apart, they are two kinds from now on: true, and Refresh shall look.
  [[nodiscard]] bool Learn(const PipelineConfig& config, const Directory& directory,
                           std::uint32_t group, const TwoSides& sides);

  // Returns what Learn has found, and the names of kinds; Resume takes it before the first Refresh,
  // of the groups that there still are.
  [[nodiscard]] std::vector<DiskKindMemory> Export(const PipelineConfig& config) const;
  void Resume(const PipelineConfig& config, const std::vector<DiskKindMemory>& all);

  // Returns what is told of each group with three servers.
  [[nodiscard]] const std::vector<DiskKindsStatus>& Texts() const { return texts_; }

 private:
  struct Family {
    std::vector<KindSplit> splits;
    KindNames names;
    DiskKinds kinds;
    std::map<std::string, std::uint32_t> group_of;  // by component
  };

  // Finds the disks that have moved since the last Refresh.
  void Compare(std::uint32_t main, const PipelineConfig& config, const Directory& directory);

  std::map<std::uint32_t, Family> families_;  // by the number of the group that has its own name
  std::map<std::uint32_t, Members> members_;
  std::uint64_t version_ = 0;
  std::map<std::uint32_t, std::size_t> in_two_;  // windows, by group
  std::vector<Move> moves_;
  std::vector<DiskKindsStatus> texts_;
};

}  // namespace limpet
