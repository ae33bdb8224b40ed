#include "diagnoser/config/shard.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

namespace limpet {
namespace {

// Of one disk of a server, so no two groups that differ in them are known to be apart.
constexpr std::array<std::string_view, 8> kLabelsOfDisks = {
    "device", "fstype", "model", "mountpoint", "rotational", "serial", "wwn", "role"};

// A matcher wants the whole value, so two plain texts that differ exclude each other; of two
// expressions that is hard to tell.
bool IsPlain(std::string_view regex) {
  return regex.find_first_of("\\^$.|?*+()[]{}") == std::string_view::npos;
}

const LabelMatcher* PlainMatcher(const PeerGroupRule& group, std::string_view label) {
  const auto found =
      std::find_if(group.labels.begin(), group.labels.end(), [&](const LabelMatcher& one) {
        return one.name == label && !one.negate && IsPlain(one.regex);
      });
  return found == group.labels.end() ? nullptr : &*found;
}

bool MayShare(const PeerGroupRule& a, const PeerGroupRule& b) {
  const bool roles_apart =
      !a.roles.empty() && !b.roles.empty() &&
      std::none_of(a.roles.begin(), a.roles.end(), [&](const std::string& role) {
        return std::find(b.roles.begin(), b.roles.end(), role) != b.roles.end();
      });
  // Roles are the target's own, one each: groups without a role in common share nobody.
  if (roles_apart) {
    return false;
  }
  // Two plain texts of one label that differ: no target can have both. Anything more than a plain
  // text is a regular expression that may match the same.
  return std::none_of(a.labels.begin(), a.labels.end(), [&](const LabelMatcher& mine) {
    if (mine.negate || !IsPlain(mine.regex) ||
        std::find(kLabelsOfDisks.begin(), kLabelsOfDisks.end(), mine.name) !=
            kLabelsOfDisks.end()) {
      return false;
    }
    const auto* other = PlainMatcher(b, mine.name);
    return other != nullptr && other->regex != mine.regex;
  });
}

// A label that the target does not have may still come from its series.
bool MayTake(const Rule& rule, const Target& target) {
  // Matchers of labels that the target lacks are dropped, so what stays can only say no when the
  // target itself does.
  auto source = rule.Source();
  std::erase_if(source.labels,
                [&](const LabelMatcher& matcher) { return !target.labels.contains(matcher.name); });
  if (source.labels.size() == rule.Source().labels.size()) {
    return rule.TakesNode(target.role, {target.labels.begin(), target.labels.end()});
  }
  const auto known = Rule::Compile(source);
  return !known || known->TakesNode(target.role, {target.labels.begin(), target.labels.end()});
}

}  // namespace

std::vector<std::vector<std::size_t>> GroupSets(std::span<const PeerGroupRule> groups) {
  // A union of all that may share, by renaming: groups are few.
  std::vector<std::size_t> set_of(groups.size());
  std::iota(set_of.begin(), set_of.end(), 0);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (set_of[i] != set_of[j] && MayShare(groups[i], groups[j])) {
        // The lower number stays, so sets come out in the order of the configuration.
        const auto [keep, drop] = std::minmax(set_of[i], set_of[j]);
        // Copies: minmax gives references into set_of, which replace overwrites as it goes.
        std::replace(set_of.begin(), set_of.end(), std::size_t{drop}, std::size_t{keep});
      }
    }
  }
  std::vector<std::vector<std::size_t>> sets;
  for (std::size_t first = 0; first < groups.size(); ++first) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (set_of[i] == first) {
        members.push_back(i);
      }
    }
    if (!members.empty()) {
      sets.push_back(std::move(members));
    }
  }
  return sets;
}

std::vector<PeerGroupRule> SelectGroups(const Shard& shard, std::span<const PeerGroupRule> groups) {
  if (shard.count <= 1) {
    return {groups.begin(), groups.end()};
  }
  const auto sets = GroupSets(groups);
  std::vector<bool> mine(groups.size(), false);
  // Dealt in turn: sets are so few that a hash would leave shards empty (docs/decisions/0103).
  for (auto i = shard.index; i < sets.size(); i += shard.count) {
    for (const auto group : sets[i]) {
      mine[group] = true;
    }
  }
  std::vector<PeerGroupRule> result;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (mine[i]) {
      result.push_back(groups[i]);
    }
  }
  return result;
}

std::vector<Target> SelectTargets(std::span<const PeerGroupRule> groups,
                                  std::span<const Target> targets) {
  std::vector<Rule> rules;
  for (const auto& group : groups) {
    auto rule = Rule::Compile(group);
    // Windows are seen from the other side: anybody may be the client of a server of the group.
    if (KindRow(group.kind).by_connection || !rule) {
      return {targets.begin(), targets.end()};
    }
    rules.push_back(std::move(*rule));
  }
  std::vector<Target> wanted;
  for (const auto& target : targets) {
    if (std::any_of(rules.begin(), rules.end(),
                    [&](const Rule& rule) { return MayTake(rule, target); })) {
      wanted.push_back(target);
    }
  }
  return wanted;
}

}  // namespace limpet
