#include "diagnoser/config/slips.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "diagnoser/config/preset_slips.h"
#include "diagnoser/detect/comparison.h"
#include "diagnoser/verdict/causes.h"
#include "exporter/common/closest.h"

namespace limpet {
namespace {

using Texts = std::vector<std::string>;

Texts NodesOf(const DiagnoserConfig& config) {
  Texts nodes;
  for (const auto& target : config.targets) {
    nodes.push_back(target.node);
  }
  return nodes;
}

Texts RolesOf(const DiagnoserConfig& config) {
  std::set<std::string> roles;
  for (const auto& target : config.targets) {
    roles.insert(target.role);
  }
  return {roles.begin(), roles.end()};
}

// Targets have answered, and none has what the group takes.
void WarnOfNothing(const PeerGroupRule& rule, Texts& warnings) {
  const auto& row = KindRow(rule.kind);
  if (!row.by_connection) {
    warnings.push_back(fmt::format("peer_groups: {}: no {} of any target that answered matches{}",
                                   rule.name, row.per_device ? "disk" : "interface",
                                   rule.device.empty() ? "" : " the device " + rule.device));
  }
}

void WarnOfSize(const PeerGroupRule& rule, const GroupReview& review, Texts& warnings) {
  std::set<std::string> nodes;
  for (const auto& member : review.members) {
    nodes.insert(member.substr(0, member.find('/')));
  }
  const auto count = nodes.size();
  // Of one node's disks we cannot know; newcomers are few by nature.
  if (count == 0 || count >= kMinPeers || rule.per_node || !rule.recent_of.empty()) {
    return;
  }
  warnings.push_back(fmt::format(
      "peer_groups: {} has members of {} server{} ({}): nobody can be told from fewer than {} "
      "servers; add servers that hold parts of the same files{}",
      rule.name, count, count == 1 ? "" : "s", ListedNames(review.members), kMinPeers,
      KindRow(rule.kind).per_device ? ", or compare the disks of one with each other: per: node"
                                    : ""));
}

void WarnOfRoles(const PeerGroupRule& rule, const Texts& roles, Texts& warnings) {
  for (const auto& role : rule.roles) {
    if (std::ranges::find(roles, role) == roles.end()) {
      warnings.push_back(fmt::format("peer_groups: {}: no target has the role {}{} (roles: {})",
                                     rule.name, role, DidYouMean(role, roles), ListedNames(roles)));
    }
  }
}

void WarnOfLabels(const PeerGroupRule& rule,
                  const std::map<std::string, std::set<std::string>>& labels, Texts& warnings) {
  Texts names;
  for (const auto& [name, values] : labels) {
    names.push_back(name);
  }
  for (const auto& matcher : rule.labels) {
    const auto found = labels.find(matcher.name);
    if (found == labels.end()) {
      if (!IsOfSeries(matcher.name)) {
        warnings.push_back(fmt::format(
            "peer_groups: {}: no target has the label {}, and we know no series that has it{}",
            rule.name, matcher.name, DidYouMean(matcher.name, names)));
      }
      continue;
    }
    const auto compiled = Rule::Compile({.name = rule.name, .labels = {matcher}});
    const bool any = std::ranges::any_of(found->second, [&](const std::string& value) {
      return compiled && compiled->TakesNode("", {{matcher.name, value}});
    });
    if (!any && !matcher.negate) {
      const Texts values(found->second.begin(), found->second.end());
      warnings.push_back(fmt::format("peer_groups: {}: {} {} matches no target{} (values: {})",
                                     rule.name, matcher.name, matcher.regex,
                                     DidYouMean(matcher.regex, values), ListedNames(values)));
    }
  }
}

// Whom masks leave of a group that would be enough without them.
void WarnOfMasked(const PeerGroupRule& rule, const GroupReview& review, const Texts& masked,
                  Texts& warnings) {
  const auto is_masked = [&](const std::string& member) {
    return std::ranges::find(masked, member) != masked.end() ||
           std::ranges::find(masked, member.substr(0, member.find('/'))) != masked.end();
  };
  const auto count = review.members.size();
  const auto left =
      count - static_cast<std::size_t>(std::ranges::count_if(review.members, is_masked));
  if (left < kMinPeers && count >= kMinPeers && !rule.per_node) {
    warnings.push_back(fmt::format(
        "masked: leaves {} of the {} members of {}: nobody can be told from fewer than {} peers",
        left, count, rule.name, kMinPeers));
  }
}

// Roles and labels each match somebody, and yet nobody is left.
void WarnOfNobody(const PeerGroupRule& rule, Texts& warnings) {
  Texts negated;
  for (const auto& matcher : rule.labels) {
    if (matcher.negate) {
      negated.push_back(matcher.name + " " + matcher.regex);
    }
  }
  warnings.push_back(fmt::format(
      "peer_groups: {}: no target is in it{}", rule.name,
      negated.empty() ? ": none has its roles and labels together"
                      : ": not_labels take out all of them (" + ListedNames(negated) + ")"));
}

void WarnOfGroups(const DiagnoserConfig& config, const std::vector<GroupReview>& reviews,
                  const Answers* answers, Texts& warnings) {
  const bool answered = answers != nullptr && answers->errors.size() < config.targets.size();
  const auto roles = RolesOf(config);
  const auto labels = LabelsOf(config);
  for (std::size_t i = 0; i < reviews.size(); ++i) {
    const auto& rule = config.pipeline.groups[i];
    if (!rule.kind_of.empty()) {
      continue;  // a kind of disks that there may be
    }
    WarnOfSize(rule, reviews[i], warnings);
    if (answered && reviews[i].members.empty() && rule.recent_of.empty()) {
      WarnOfNothing(rule, warnings);
    }
    if (rule.recent_of.empty()) {  // its twin has the same mistakes
      const auto before = warnings.size();
      WarnOfRoles(rule, roles, warnings);
      WarnOfLabels(rule, labels, warnings);
      if (answers == nullptr && reviews[i].members.empty() && warnings.size() == before) {
        WarnOfNobody(rule, warnings);
      }
      WarnOfMasked(rule, reviews[i], config.pipeline.masked, warnings);
    }
  }
}

void WarnOfMasks(const DiagnoserConfig& config, Texts& warnings) {
  auto nodes = NodesOf(config);
  for (const auto& [address, node] : config.addresses) {
    nodes.push_back(node);
  }
  // Whether a node has the device of "node/device" only its page could tell; and a disk that has
  // been pulled is masked all the same.
  auto masks = config.pipeline.masked;
  for (const auto& timed : config.pipeline.timed_masks) {
    masks.push_back(timed.what);
  }
  for (const auto& mask : masks) {
    const auto node = mask.substr(0, mask.find('/'));
    if (std::ranges::find(nodes, node) == nodes.end()) {
      warnings.push_back(fmt::format("masked: {} matches nothing: no target is called {}{}", mask,
                                     node, DidYouMean(node, nodes)));
    }
  }
}

bool IsIpAddress(const std::string& text) {
  std::array<unsigned char, sizeof(in6_addr)> parsed;
  return ::inet_pton(AF_INET, text.c_str(), parsed.data()) == 1 ||
         ::inet_pton(AF_INET6, text.c_str(), parsed.data()) == 1;
}

void WarnOfAddresses(const DiagnoserConfig& config, Texts& warnings) {
  const auto nodes = NodesOf(config);
  // A client's connection names its server by an address; a host name would never be found there.
  for (const auto& [address, node] : config.addresses) {
    if (!IsIpAddress(address)) {
      warnings.push_back(fmt::format(
          "addresses: \"{}\" is no IP address: congestion windows are found by those of the server",
          address));
    }
    if (std::ranges::find(nodes, node) == nodes.end()) {
      warnings.push_back(fmt::format("addresses: {} belongs to {}, and no target is called so{}",
                                     address, node, DidYouMean(node, nodes)));
    }
  }
}

void WarnOfFiles(const DiagnoserConfig& config, const FileExists& exists, Texts& warnings) {
  // The file may come before the service starts, or be readable to its user alone: hence a warning.
  std::set<std::pair<std::string, std::string>> named;  // key and file: once each
  const auto add = [&](const TlsClient& tls) {
    named.insert(
        {{"ca_file", tls.ca_file}, {"cert_file", tls.cert_file}, {"key_file", tls.key_file}});
  };
  for (const auto& target : config.targets) {
    add(target.endpoint.tls);
  }
  for (const auto& source : config.discovery) {
    add(source.base.target.endpoint.tls);
    add(source.http.value_or(Endpoint()).tls);
  }
  if (config.store) {
    add(config.store->endpoint.tls);
  }
  for (const auto& [key, file] : named) {
    if (!file.empty() && !exists(file)) {
      warnings.push_back(
          fmt::format("tls_config: {}: {} cannot be read: every scrape that needs it "
                      "will fail",
                      key, file));
    }
  }
}

void WarnOfTargets(const DiagnoserConfig& config, const Answers* answers, Texts& warnings) {
  const bool may_come = config.store || std::ranges::any_of(config.discovery, [](const auto& one) {
                          return one.http.has_value();
                        });
  if (config.targets.empty() && !may_come) {
    warnings.emplace_back("targets: none: nobody is compared; name your servers under targets");
  }
  if (answers != nullptr) {
    for (const auto& [node, error] : answers->errors) {
      warnings.push_back(fmt::format("targets: {}: {}", node, error));
    }
    return;
  }
  // By its usual port: without asking there is nothing better to go by.
  Texts foreign;
  for (const auto& target : config.targets) {
    if (target.endpoint.port == kNodeExporterPort) {
      foreign.push_back(target.node);
    }
  }
  if (!foreign.empty()) {
    warnings.push_back(fmt::format(
        "targets: {} ({}) on port {}: node_exporter has no congestion windows, so packet loss is "
        "not found there; limpet-exporter has them",
        foreign.size(), ListedNames(foreign), kNodeExporterPort));
  }
}

// What is armed acts by itself: a second look at the disk is worth its price.
void WarnOfActions(const DiagnoserConfig& config, Texts& warnings) {
  const auto& actions = config.incidents.actions;
  Texts disks;
  for (const auto& cause : actions.causes) {
    const auto* const row = FindCauseByName(cause);
    if (row != nullptr && row->family == CauseFamily::kStorage) {
      disks.push_back(cause);
    }
  }
  if (actions.mode == ActionMode::kArmed && !disks.empty() && !config.probe.enabled) {
    warnings.push_back(
        fmt::format("actions: {}: no disk is read before a server is taken out or returned; probe: "
                    "{{enabled: true}} has that done",
                    ListedNames(disks)));
  }
}

}  // namespace

std::map<std::string, std::set<std::string>> LabelsOf(const DiagnoserConfig& config) {
  std::map<std::string, std::set<std::string>> labels;
  for (const auto& target : config.targets) {
    for (const auto& [name, value] : target.labels) {
      labels[name].insert(value);
    }
  }
  return labels;
}

bool IsOfSeries(std::string_view label) {
  constexpr std::string_view kKnown[] = {
      "wwn",  "serial",  "model",     "rotational", "device", "revision",
      "path", "major",   "minor",     "instance",   "job",    "side",
      "peer", "address", "scheduler", "vendor",     "duplex", "operstate"};
  return std::ranges::find(kKnown, label) != std::end(kKnown);
}

std::string ListedNames(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return names.size() > most ? text + ", …" : text;
}

std::vector<std::string> FindSlips(const DiagnoserConfig& config,
                                   const std::vector<GroupReview>& groups, const FileExists& exists,
                                   const Answers* answers) {
  Texts warnings;
  WarnOfTargets(config, answers, warnings);
  // Of nodes that a store or a list behind a URL has we know nothing yet.
  if (!config.targets.empty()) {
    WarnOfGroups(config, groups, answers, warnings);
    WarnOfMasks(config, warnings);
    WarnOfAddresses(config, warnings);
  }
  auto of_presets = FindPresetSlips(config);
  std::ranges::move(of_presets, std::back_inserter(warnings));
  WarnOfFiles(config, exists, warnings);
  WarnOfActions(config, warnings);
  return warnings;
}

}  // namespace limpet
