#include "diagnoser/pipeline/newcomers.h"

#include <algorithm>
#include <optional>

namespace limpet {

void Newcomers::Record(const GroupMembers& members, EntityKind kind, const Readings& readings,
                       UnixTime end) {
  for (const auto& member : members.members) {
    if (first_seen_.contains(member.name) || first_seen_.size() >= most_) {
      continue;
    }
    std::optional<UnixTime> first;
    for (const auto entity : member.entities) {
      const auto its = readings.First(kind, entity);
      first = first && its ? std::min(*first, *its) : its ? its : first;
    }
    if (first && *first < end) {
      first_seen_.emplace(member.name, *first);
    }
  }
}

GroupMembers Newcomers::Select(const GroupMembers& all, const PeerGroupRule& rule, UnixTime born,
                               UnixTime end) const {
  GroupMembers selected;
  selected.masked = all.masked;
  for (const auto& member : all.members) {
    const auto first = first_seen_.find(member.name);
    const bool recent = first != first_seen_.end() && first->second > born + grace_ &&
                        end - first->second < rule.recent;
    if (recent == !rule.recent_of.empty()) {
      selected.members.push_back(member);
    }
  }
  return selected;
}

}  // namespace limpet
