#include "diagnoser/evidence/groups/disk_kind_groups.h"

#include <algorithm>
#include <set>
#include <utility>

#include "diagnoser/mapping/disk_uses.h"
#include "diagnoser/verdict/bimodality.h"

namespace limpet {
namespace {

// Windows in a row in which a group is in two, before it is parted.
constexpr std::size_t kLasting = 5;

// Labels that may tell kinds of disks apart: not those that are a disk's or a server's own.
PeerLabels LabelsOf(const Entity& disk) {
  PeerLabels labels(disk.labels.begin(), disk.labels.end());
  for (const std::string_view own :
       {std::string_view("wwn"), std::string_view("serial"), kHomeLabel, kMountedSizeLabel,
        kDataMountedLabel, kMapperLabel}) {
    if (const auto found = labels.find(own); found != labels.end()) {
      labels.erase(found);
    }
  }
  labels.insert_or_assign("device", KindLabel(disk, "device"));
  return labels;
}

// The groups of one family: its main group and those of its kinds.
std::vector<std::uint32_t> FindFamily(const PipelineConfig& config, std::uint32_t main) {
  std::vector<std::uint32_t> family = {main};
  for (std::uint32_t i = 0; i < config.groups.size(); ++i) {
    if (config.groups[i].kind_of == config.groups[main].name) {
      family.push_back(i);
    }
  }
  return family;
}

// That of the group's own name; nullopt where nobody sorts its disks.
std::optional<std::uint32_t> FindMain(const PipelineConfig& config, std::uint32_t group) {
  for (std::uint32_t i = 0; i < config.groups.size(); ++i) {
    if (config.groups[i].by_kind &&
        (i == group || config.groups[group].kind_of == config.groups[i].name)) {
      return i;
    }
  }
  return std::nullopt;
}

std::vector<PeerMedian> FindLabels(const Directory& directory,
                                   const std::vector<std::string>& components) {
  const std::set<std::string_view> names(components.begin(), components.end());
  std::vector<PeerMedian> peers;
  for (const auto& disk : directory.Entities(EntityKind::kDisk)) {
    auto name = disk.live ? ComponentName(GroupKind::kStorage, disk.node, disk.device) : "";
    if (names.contains(name)) {
      peers.push_back({.component = std::move(name), .median = 0, .labels = LabelsOf(disk)});
    }
  }
  return peers;
}

}  // namespace

const DiskKindGroups::Members& DiskKindGroups::Of(std::uint32_t group) const {
  static const Members kAll;
  const auto found = members_.find(group);
  return found == members_.end() ? kAll : found->second;
}

void DiskKindGroups::Refresh(const PipelineConfig& config, const Directory& directory) {
  const auto before = std::exchange(members_, {});
  texts_.clear();
  for (std::uint32_t main = 0; main < config.groups.size(); ++main) {
    if (!config.groups[main].by_kind) {
      continue;
    }
    auto& family = families_[main];
    family.kinds = FindDiskKinds(directory, main, family.splits, family.names);
    for (const auto& kind : family.kinds.kinds) {
      family.names[kind.key] = kind.suffix;
    }
    for (const auto group : FindFamily(config, main)) {
      const auto kind = std::ranges::find_if(family.kinds.kinds, [&](const DiskKind& one) {
        return one.suffix == config.groups[group].suffix;
      });
      if (kind != family.kinds.kinds.end()) {
        members_[group] = kind->disks;
      } else if (group != main || !family.kinds.few) {
        members_[group] = std::vector<std::uint32_t>();
      }
    }
    Compare(main, config, directory);
    if (!family.kinds.few) {
      texts_.push_back({.group = config.groups[main].name,
                        .several = family.kinds.kinds.size() > 1 || !family.kinds.waiting.empty() ||
                                   !family.kinds.alone.empty(),
                        .kinds = DescribeKinds(directory, family.kinds),
                        .alone = DescribeLoners(directory, config.groups[main], family.kinds)});
    }
  }
  version_ += members_ == before ? 0U : 1U;
}

void DiskKindGroups::Compare(std::uint32_t main, const PipelineConfig& config,
                             const Directory& directory) {
  auto& family = families_[main];
  const auto groups = FindFamily(config, main);
  const auto entities = directory.Entities(EntityKind::kDisk);
  std::map<std::string, std::uint32_t> group_of;
  for (const auto group : groups) {
    for (const auto disk : Of(group).value_or(std::vector<std::uint32_t>())) {
      group_of.emplace(
          ComponentName(GroupKind::kStorage, entities[disk].node, entities[disk].device), group);
    }
  }
  for (const auto& [component, group] : group_of) {
    const auto before = family.group_of.find(component);
    if (before != family.group_of.end() && before->second == group) {
      continue;
    }
    Move move{.component = component, .left = {}};
    for (const auto other : groups) {
      if (other != group) {
        move.left.push_back(other);
      }
    }
    moves_.push_back(std::move(move));
  }
  // Their kind may be gone with its servers, or they are quiet, or alone.
  // Of those that are in no kind any more nothing is remembered either.
  for (const auto& [component, group] : family.group_of) {
    if (!group_of.contains(component)) {
      moves_.push_back({.component = component, .left = {group}});
    }
  }
  family.group_of = std::move(group_of);
}

std::vector<DiskKindGroups::Move> DiskKindGroups::TakeMoves() { return std::exchange(moves_, {}); }

std::vector<DiskKindMemory> DiskKindGroups::Export(const PipelineConfig& config) const {
  std::vector<DiskKindMemory> all;
  for (const auto& [main, family] : families_) {
    if (!family.splits.empty()) {
      all.push_back(
          {.group = config.groups[main].name, .splits = family.splits, .names = family.names});
    }
  }
  return all;
}

void DiskKindGroups::Resume(const PipelineConfig& config, const std::vector<DiskKindMemory>& all) {
  for (const auto& memory : all) {
    const auto group = std::ranges::find(config.groups, memory.group, &PeerGroupRule::name);
    if (group != config.groups.end() && group->by_kind) {
      auto& family = families_[static_cast<std::uint32_t>(group - config.groups.begin())];
      family.splits = memory.splits;
      family.names = memory.names;
    }
  }
}

bool DiskKindGroups::Learn(const PipelineConfig& config, const Directory& directory,
                           std::uint32_t group, const TwoSides& sides) {
  const auto main = FindMain(config, group);
  if (!main) {
    return false;
  }
  if (sides.odd.empty()) {
    in_two_.erase(group);
    return false;
  }
  if (++in_two_[group] < kLasting) {
    return false;
  }
  in_two_.erase(group);
  auto& family = families_[*main];
  const auto kind = std::ranges::find_if(family.kinds.kinds, [&](const DiskKind& one) {
    return one.suffix == config.groups[group].suffix;
  });
  const auto label =
      FindSplittingLabel(FindLabels(directory, sides.odd), FindLabels(directory, sides.rest));
  if (kind == family.kinds.kinds.end() || !label) {
    return false;
  }
  // Tried first: a kind of fewer than three servers would be compared with nobody.
  auto splits = family.splits;
  splits.push_back(
      {.within = kind->key, .label = label->name, .odd = {label->low.begin(), label->low.end()}});
  // Nobody may be left alone by it.
  const auto parted = FindDiskKinds(directory, *main, splits, family.names);
  if (parted.kinds.size() <= family.kinds.kinds.size() ||
      parted.alone.size() > family.kinds.alone.size()) {
    return false;
  }
  family.splits = std::move(splits);
  return true;
}

}  // namespace limpet
