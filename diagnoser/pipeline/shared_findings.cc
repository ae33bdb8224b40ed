#include "diagnoser/pipeline/shared_findings.h"

#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace limpet {
namespace {

using Names = std::set<std::string, std::less<>>;

// Components with evidence against them; without a slash they are servers. A secondary verdict is
// explained by another server already.
Names ListFlagged(std::span<const VerdictEvent> verdicts, bool disks) {
  Names flagged;
  for (const auto& verdict : verdicts) {
    for (const auto& evidence : verdict.evidence) {
      const bool is_disk = evidence.component.find('/') != std::string::npos;
      if (is_disk == disks && !verdict.secondary) {
        flagged.insert(evidence.component);
      }
    }
  }
  return flagged;
}

std::vector<std::pair<std::string, std::string>> ListParts(const Entity& entity, bool disk) {
  std::vector<std::pair<std::string, std::string>> parts;
  for (const auto label : kPartLabels) {
    if (label == "host") {
      if (disk) {
        parts.emplace_back(label, entity.node);
      }
    } else if (const auto found = entity.labels.find(label);
               found != entity.labels.end() && !found->second.empty()) {
      parts.emplace_back(label, found->second);
    }
  }
  return parts;
}

std::vector<SharedPart> FindAmong(std::span<const VerdictEvent> verdicts, bool disks,
                                  const Directory& directory) {
  const auto flagged = ListFlagged(verdicts, disks);
  // Nearly always: listing thousands of members for nothing would cost every window.
  if (flagged.size() < 2) {
    return {};
  }
  // A server has several interfaces; their labels are the target's.
  std::map<std::string, PartMember> members;
  const auto kind = disks ? EntityKind::kDisk : EntityKind::kInterface;
  for (const auto& entity : directory.Entities(kind)) {
    if (!entity.live || entity.groups.empty()) {
      continue;
    }
    auto name = disks ? entity.node + "/" + entity.device : entity.node;
    const bool is_flagged = flagged.contains(name);
    auto parts = ListParts(entity, disks);
    members.try_emplace(name, PartMember{name, std::move(parts), is_flagged});
  }
  std::vector<PartMember> list;
  list.reserve(members.size());
  for (auto& [name, member] : members) {
    list.push_back(std::move(member));
  }
  return FindSharedParts(list);
}

}  // namespace

std::vector<SharedPart> FindShared(std::span<const VerdictEvent> verdicts,
                                   const Directory& directory) {
  auto found = FindAmong(verdicts, true, directory);
  auto servers = FindAmong(verdicts, false, directory);
  found.insert(found.end(), std::make_move_iterator(servers.begin()),
               std::make_move_iterator(servers.end()));
  return found;
}

}  // namespace limpet
