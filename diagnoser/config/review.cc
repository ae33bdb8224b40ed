#include "diagnoser/config/review.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "diagnoser/config/slips.h"
#include "diagnoser/evidence/groups/disk_kind_groups.h"
#include "diagnoser/mapping/members.h"

namespace limpet {
namespace {

using Texts = std::vector<std::string>;

// A rule without what only series can tell, such as the rotation of a disk.
PeerGroupRule ForTargets(PeerGroupRule rule,
                         const std::map<std::string, std::set<std::string>>& labels) {
  std::erase_if(rule.labels, [&](const LabelMatcher& one) {
    return !labels.contains(one.name) && IsOfSeries(one.name);
  });
  return rule;
}

// Nodes that roles and labels let in.
std::vector<const Target*> Candidates(const PeerGroupRule& rule, const DiagnoserConfig& config) {
  std::vector<const Target*> nodes;
  const auto compiled = Rule::Compile(ForTargets(rule, LabelsOf(config)));
  for (const auto& target : config.targets) {
    if (compiled &&
        compiled->TakesNode(target.role, {target.labels.begin(), target.labels.end()})) {
      nodes.push_back(&target);
    }
  }
  return nodes;
}

// The nodes of a group's connections; of others its components by name.
std::set<std::string> SeenMembers(const Answers& answers, std::uint32_t group,
                                  const DiagnoserConfig& config, const DiskKindGroups& kinds) {
  std::set<std::string> members;
  const auto& row = KindRow(config.pipeline.groups[group].kind);
  if (!row.by_connection) {
    for (const auto& member :
         FindMembers(answers.directory, group, config.pipeline.masked, kinds.Of(group)).members) {
      members.insert(member.name);
    }
    return members;
  }
  // A side's connections come one by one or summed up by peer, as the exporter was told.
  for (const auto kind : {row.entity, row.also}) {
    for (const auto& entity : answers.directory.Entities(kind)) {
      if (entity.live && std::ranges::find(entity.groups, group) != entity.groups.end()) {
        members.insert(entity.node);
      }
    }
  }
  return members;
}

std::string NothingOf(const GroupKindRow& row) {
  if (row.by_connection) {
    // Which of the two it is only the page of the exporter could tell, and both are no fault.
    return "no congestion windows: node_exporter has none, and an idle server has no connections";
  }
  return row.per_device ? "no disk that the group takes" : "no interface that the group takes";
}

void AddSeen(const Answers& answers, std::uint32_t group, const DiagnoserConfig& config,
             const DiskKindGroups& kinds, GroupReview& review) {
  const auto& rule = config.pipeline.groups[group];
  const auto members = SeenMembers(answers, group, config, kinds);
  review.members.assign(members.begin(), members.end());
  std::set<std::string> nodes;
  // A node with one disk of the group misses nothing: how many it should have nobody says.
  for (const auto& member : members) {
    nodes.insert(member.substr(0, member.find('/')));
  }
  for (const auto* target : Candidates(rule, config)) {
    const auto error = answers.errors.find(target->node);
    if (error != answers.errors.end() && rule.kind_of.empty()) {
      review.misses.push_back(target->node + ": no readings");
    } else if (!nodes.contains(target->node) && rule.recent_of.empty() && rule.kind_of.empty()) {
      review.misses.push_back(target->node + ": " + NothingOf(KindRow(rule.kind)));
    }
  }
}

GroupReview ReviewGroup(const DiagnoserConfig& config, std::uint32_t group, const Answers* answers,
                        const DiskKindGroups& kinds) {
  const auto& rule = config.pipeline.groups[group];
  GroupReview review{
      .name = rule.name, .kind = std::string(KindRow(rule.kind).name), .members = {}, .misses = {}};
  if (answers != nullptr) {
    AddSeen(*answers, group, config, kinds, review);
    return review;
  }
  if (!rule.kind_of.empty()) {
    return review;  // who has which disks only the targets can tell
  }
  Texts foreign;
  for (const auto* target : Candidates(rule, config)) {
    review.members.push_back(target->node);
    if (target->endpoint.port == kNodeExporterPort) {
      foreign.push_back(target->node);
    }
  }
  if (KindRow(rule.kind).by_connection && !foreign.empty()) {
    review.misses.push_back(
        fmt::format("congestion windows of {}: node_exporter (port {}) has none",
                    ListedNames(foreign), kNodeExporterPort));
  }
  return review;
}

bool IsOfKind(const std::vector<PeerGroupRule>& groups, const std::string& name) {
  return std::ranges::any_of(groups, [&](const PeerGroupRule& group) {
    return group.name == name && !group.kind_of.empty();
  });
}

// Without the blanks at the end that an empty last column leaves.
std::string Row(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

}  // namespace

ConfigReview ReviewConfig(const DiagnoserConfig& config, const FileExists& exists,
                          const Answers* answers) {
  ConfigReview review;
  DiskKindGroups kinds;
  if (answers != nullptr) {
    kinds.Refresh(config.pipeline, answers->directory);
  }
  for (std::uint32_t i = 0; i < config.pipeline.groups.size(); ++i) {
    review.groups.push_back(ReviewGroup(config, i, answers, kinds));
  }
  review.warnings = FindSlips(config, review.groups, exists, answers);
  for (const auto& group : kinds.Texts()) {
    if (group.several) {
      review.kinds.push_back(group.group + ": " + group.kinds);
    }
    review.warnings.insert(review.warnings.end(), group.alone.begin(), group.alone.end());
  }
  std::erase_if(review.groups, [&](const GroupReview& group) {
    return group.members.empty() && IsOfKind(config.pipeline.groups, group.name);
  });
  return review;
}

std::string GroupTable(const std::vector<GroupReview>& groups, std::size_t named) {
  std::size_t width = std::string_view("peer group").size();
  for (const auto& group : groups) {
    width = std::max(width, group.name.size());
  }
  auto table =
      Row(fmt::format("{:<{}}  {:<7}  {:>7}  {}", "peer group", width, "kind", "members", "who"));
  for (const auto& group : groups) {
    table += Row(fmt::format("{:<{}}  {:<7}  {:>7}  {}", group.name, width, group.kind,
                             group.members.size(), ListedNames(group.members, named)));
    for (std::size_t i = 0; i < std::min(group.misses.size(), named); ++i) {
      table += fmt::format("{:<{}}  misses {}\n", "", width, group.misses[i]);
    }
    if (group.misses.size() > named) {
      table += fmt::format("{:<{}}  misses {} more\n", "", width, group.misses.size() - named);
    }
  }
  return table;
}

}  // namespace limpet
