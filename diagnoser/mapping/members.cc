#include "diagnoser/mapping/members.h"

#include <algorithm>
#include <map>

namespace limpet {
namespace {

bool Holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool IsStorage(const Directory& directory, const Entity& disk) {
  return std::ranges::any_of(disk.groups, [&](std::uint32_t group) {
    return directory.Rules()[group].Source().kind == GroupKind::kStorage;
  });
}

// A masked disk is in maintenance: what is read from it is nobody's business.
void AddDisks(const Directory& directory, const std::vector<std::string>& masked,
              std::map<std::string, Member>& by_node) {
  const auto disks = directory.Entities(EntityKind::kDisk);
  for (std::uint32_t i = 0; i < disks.size(); ++i) {
    const auto& disk = disks[i];
    const auto member = by_node.find(disk.node);
    if (disk.live && member != by_node.end() && IsStorage(directory, disk) &&
        !Holds(masked, ComponentName(GroupKind::kStorage, disk.node, disk.device))) {
      member->second.disks.push_back(i);
    }
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
    // Of a server's interfaces the last one says; only disks are ever flash.
    member.flash = entity.flash;
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
    if (Holds(masked, name) || Holds(masked, member.node)) {
      ++result.masked;
    } else {
      result.members.push_back(std::move(member));
    }
  }
  return result;
}

bool IsServerEnd(const Rule& rule, EntityKind kind, const Entity& entity) {
  return KindRow(kind).is_aggregate ? entity.side == "server" : rule.TakesPort(entity.local_port);
}

bool IsClientEnd(const Rule& rule, EntityKind kind, const Entity& entity) {
  return KindRow(kind).is_aggregate ? entity.side == "client" : rule.TakesPort(entity.remote_port);
}

}  // namespace limpet
