#include "diagnoser/evidence/groups/newcomers.h"

#include <algorithm>
#include <optional>

namespace limpet {

bool Newcomers::Record(const GroupMembers& members, EntityKind kind, const Readings& readings,
                       UnixTime end) {
  bool more = false;
  for (const auto& member : members.members) {
    if (first_seen_.contains(member.name)) {
      continue;
    }
    if (first_seen_.size() >= most_) {
      return false;  // there is no room for anybody, now or later
    }
    std::optional<UnixTime> first;
    for (const auto entity : member.entities) {
      const auto its = readings.First(kind, entity);
      first = first && its ? std::min(*first, *its) : its ? its : first;
    }
    // Only what the window has seen: a reading ahead of it belongs to a later one.
    if (first && *first < end) {
      first_seen_.emplace(member.name, *first);
    } else {
      more = true;
    }
  }
  return more;
}

GroupMembers Newcomers::Select(const GroupMembers& all, const PeerGroupRule& rule, UnixTime born,
                               UnixTime end) const {
  GroupMembers selected;
  selected.masked = all.masked;
  for (const auto& member : all.members) {
    const auto first = first_seen_.find(member.name);
    const bool recent = first != first_seen_.end() && IsNewcomer(first->second, born) &&
                        end - first->second < rule.recent;
    if (recent == !rule.recent_of.empty()) {
      selected.members.push_back(member);
    }
  }
  return selected;
}

std::size_t Newcomers::ForgetGone(
    const std::function<bool(const std::string&, const std::string&)>& is_gone, UnixTime before) {
  return std::erase_if(first_seen_, [&](const auto& entry) {
    const auto& [name, first] = entry;
    const auto slash = name.find('/');  // without one it is a node, of which there are few
    return slash != std::string::npos && first < before && is_gone(name.substr(0, slash), name);
  });
}

Newcomers::Span Newcomers::Narrow(Span span, const GroupMembers& all, const PeerGroupRule& rule,
                                  UnixTime born, UnixTime end) const {
  for (const auto& member : all.members) {
    const auto first = first_seen_.find(member.name);
    if (first == first_seen_.end() || !IsNewcomer(first->second, born)) {
      continue;
    }
    const bool ever = rule.recent < UnixTime::max() - first->second;
    const auto grown = ever ? first->second + rule.recent : UnixTime::max();
    if (grown <= end) {
      span.from = std::max(span.from, grown);
    } else {
      span.until = std::min(span.until, grown);
    }
  }
  return span;
}

}  // namespace limpet
