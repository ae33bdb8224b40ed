#include "diagnoser/pipeline/members.h"

#include <algorithm>
#include <map>

namespace limpet {
namespace {

bool Holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

GroupMembers MembersOf(const Directory& directory, std::uint32_t group,
                       const std::vector<std::string>& masked) {
  const bool storage = directory.Rules()[group].Source().kind == GroupKind::kStorage;
  const auto things = directory.Things(storage ? ThingKind::kDisk : ThingKind::kInterface);
  std::map<std::string, Member> by_name;
  GroupMembers result;
  for (std::uint32_t i = 0; i < things.size(); ++i) {
    const auto& thing = things[i];
    if (std::find(thing.groups.begin(), thing.groups.end(), group) == thing.groups.end()) {
      continue;
    }
    const auto name = storage ? thing.node + "/" + thing.device : thing.node;
    auto& member = by_name[name];
    member.name = name;
    member.node = thing.node;
    member.device = storage ? thing.device : "";
    member.flash = thing.flash;
    member.things.push_back(i);
  }
  for (auto& [name, member] : by_name) {
    // By name, so that sums do not depend on which interface was heard of first.
    std::sort(member.things.begin(), member.things.end(), [&](std::uint32_t a, std::uint32_t b) {
      return things[a].device < things[b].device;
    });
    if (Holds(masked, name) || Holds(masked, member.node)) {
      ++result.masked;
    } else {
      result.members.push_back(std::move(member));
    }
  }
  return result;
}

}  // namespace limpet
