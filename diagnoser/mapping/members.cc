#include "diagnoser/mapping/members.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "diagnoser/mapping/disk_uses.h"
#include "diagnoser/mapping/stacks.h"

namespace limpet {
namespace {

bool Holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool IsStorage(const Directory& directory, std::uint32_t group) {
  return directory.Rules()[group].Source().kind == GroupKind::kStorage;
}

// Whether an operator's rule names it.
bool IsAskedFor(const Directory& directory, const Entity& disk) {
  return std::ranges::any_of(disk.groups, [&](std::uint32_t group) {
    return IsStorage(directory, group) && !directory.Rules()[group].Source().device.empty();
  });
}

// Of a server's devices those whose bytes count, and among them those in doubt.
struct Bottoms {
  std::vector<std::uint32_t> all;
  std::vector<std::uint32_t> doubtful;
};

Bottoms KeepBottoms(EntityKind kind, const Directory& directory,
                    const std::vector<std::uint32_t>& numbers) {
  const auto entities = directory.Entities(kind);
  std::vector<StackedDevice> devices;
  devices.reserve(numbers.size());
  for (const auto number : numbers) {
    const auto& entity = entities[number];
    devices.push_back({.name = entity.device,
                       .kind = entity.stack_kind,
                       .lowers = entity.lowers,
                       .asked_for = IsAskedFor(directory, entity)});
  }
  const auto counts = FindBottoms(kind, devices);
  Bottoms bottoms;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (counts[i]) {
      bottoms.all.push_back(numbers[i]);
      if (devices[i].kind.empty() && LayerByName(kind, devices[i].name) != Layer::kHardware) {
        bottoms.doubtful.push_back(numbers[i]);
      }
    }
  }
  return bottoms;
}

// Of a server with other disks, those that hold the system and nothing else: what is logged there
// never passes the network, and slows no file. Unless an operator's rule names them.
void LeaveSystemOut(const Directory& directory, const std::vector<std::uint32_t>& all,
                    Bottoms& bottoms) {
  const auto disks = directory.Entities(EntityKind::kDisk);
  const auto uses = FindDiskUses(disks, all);
  const auto is_system = [&](std::uint32_t disk) {
    const auto place = static_cast<std::size_t>(std::ranges::find(all, disk) - all.begin());
    return uses[place].system && !uses[place].data && !IsAskedFor(directory, disks[disk]);
  };
  if (std::ranges::all_of(bottoms.all, is_system)) {
    return;
  }
  std::erase_if(bottoms.all, is_system);
  std::erase_if(bottoms.doubtful, is_system);
}

void AddDisks(const Directory& directory, const std::vector<std::string>& masked,
              std::map<std::string, Member>& by_node) {
  const auto disks = directory.Entities(EntityKind::kDisk);
  for (std::uint32_t i = 0; i < disks.size(); ++i) {
    const auto member = by_node.find(disks[i].node);
    if (disks[i].live && member != by_node.end() &&
        std::ranges::any_of(disks[i].groups,
                            [&](std::uint32_t group) { return IsStorage(directory, group); })) {
      member->second.disks.push_back(i);
    }
  }
  // A masked disk is in maintenance: what is read from it is nobody's business.
  const auto is_masked = [&](std::uint32_t disk) {
    return Holds(masked, ComponentName(GroupKind::kStorage, disks[disk].node, disks[disk].device));
  };
  for (auto& [node, member] : by_node) {
    auto bottoms = KeepBottoms(EntityKind::kDisk, directory, member.disks);
    LeaveSystemOut(directory, member.disks, bottoms);
    std::erase_if(bottoms.all, is_masked);
    member.disks = std::move(bottoms.all);
    member.doubtful_disks = std::move(bottoms.doubtful);
  }
}

}  // namespace

GroupMembers FindMembers(const Directory& directory, std::uint32_t group,
                         const std::vector<std::string>& masked,
                         const std::optional<std::vector<std::uint32_t>>& only) {
  const auto kind = directory.Rules()[group].Source().kind;
  const auto entities = directory.Entities(KindRow(kind).entity);
  // Sorted by name: windows are compared and written in that order.
  std::map<std::string, Member> by_name;
  GroupMembers result;
  for (std::uint32_t i = 0; i < entities.size(); ++i) {
    const auto& entity = entities[i];
    if (std::find(entity.groups.begin(), entity.groups.end(), group) == entity.groups.end() ||
        (only && !std::ranges::binary_search(*only, i))) {
      continue;
    }
    const auto name = ComponentName(kind, entity.node, entity.device);
    auto& member = by_name[name];
    member.name = name;
    member.node = entity.node;
    member.device = KindRow(kind).per_device ? entity.device : "";
    // Of a server's interfaces the last one says; only disks rotate or not.
    const auto rotational = entity.labels.find(kRotationalLabel);
    const bool told = rotational != entity.labels.end();
    member.flash = entity.flash || (told && rotational->second == "0");
    member.rotates = told && rotational->second == "1";
    member.entities.push_back(i);
  }
  if (kind == GroupKind::kNetwork) {
    AddDisks(directory, masked, by_name);
  }
  for (auto& [name, member] : by_name) {
    // By name, so that sums do not depend on which interface was heard of first.
    std::sort(
        member.entities.begin(), member.entities.end(),
        [&](std::uint32_t a, std::uint32_t b) { return entities[a].device < entities[b].device; });
    if (kind == GroupKind::kNetwork) {
      auto bottoms = KeepBottoms(EntityKind::kInterface, directory, member.entities);
      member.entities = std::move(bottoms.all);
      member.doubtful = std::move(bottoms.doubtful);
    }
    if (Holds(masked, name) || Holds(masked, member.node)) {
      ++result.masked;
    } else {
      result.members.push_back(std::move(member));
    }
  }
  return result;
}

std::vector<std::uint32_t> FindCounted(const Directory& directory, EntityKind kind,
                                       const std::vector<std::uint32_t>& numbers) {
  return KeepBottoms(kind, directory, numbers).all;
}

std::vector<bool> FindAllCounted(const Directory& directory, EntityKind kind) {
  const auto entities = directory.Entities(kind);
  std::map<std::string_view, std::vector<std::uint32_t>> by_node;
  for (std::uint32_t i = 0; i < entities.size(); ++i) {
    if (entities[i].live && !entities[i].groups.empty()) {
      by_node[entities[i].node].push_back(i);
    }
  }
  std::vector<bool> counted(entities.size());
  for (const auto& [node, numbers] : by_node) {
    for (const auto number : FindCounted(directory, kind, numbers)) {
      counted[number] = true;
    }
  }
  return counted;
}

bool IsServerEnd(const Rule& rule, EntityKind kind, const Entity& entity) {
  return KindRow(kind).is_aggregate ? entity.side == "server" : rule.TakesPort(entity.local_port);
}

bool IsClientEnd(const Rule& rule, EntityKind kind, const Entity& entity) {
  return KindRow(kind).is_aggregate ? entity.side == "client" : rule.TakesPort(entity.remote_port);
}

}  // namespace limpet
