#include "diagnoser/detect/group_window.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "diagnoser/detect/domains.h"

namespace limpet {
namespace {

using Numbers = std::vector<std::size_t>;

std::vector<Numbers> DealMembers(UnixTime end, std::span<const Member> members, const Numbers& who,
                                 const PresetSettings& preset) {
  std::vector<std::string_view> names;
  names.reserve(who.size());
  for (const auto number : who) {
    names.push_back(members[number].name);
  }
  const auto shift = preset.Shift();
  auto domains = DealDomains(names, preset.domain_size, preset.domain_seed,
                             static_cast<std::uint64_t>(end.time_since_epoch() / shift));
  for (auto& domain : domains) {
    for (auto& place : domain) {
      place = who[place];
    }
  }
  return domains;
}

// A domain a node: members come by name, so those of a node are neighbours.
std::vector<Numbers> SplitByNode(std::span<const Member> members, const Numbers& who) {
  std::vector<Numbers> domains;
  for (const auto number : who) {
    if (domains.empty() || members[domains.back().back()].node != members[number].node) {
      domains.emplace_back();
    }
    domains.back().push_back(number);
  }
  return domains;
}

// Of one server's disks the peers are those of at least two others; where every node is a domain of
// its own its disks are.
bool AreEnough(const GroupSamples& group, const Numbers& who) {
  std::vector<std::string_view> nodes;
  for (auto number = who.begin(); number != who.end() && nodes.size() < kMinPeers; ++number) {
    const std::string_view node = group.members[*number].node;
    if (std::ranges::find(nodes, node) == nodes.end()) {
      nodes.push_back(node);
    }
  }
  return group.per_node || nodes.size() >= kMinPeers;
}

// Those with at least four fifths of a window's samples: with fewer a component would be judged by
// a time that its peers did not live through.
Numbers FindTakingPart(std::span<const MemberSamples> samples, std::size_t metric,
                       std::size_t window) {
  const std::size_t least = MinSamples(window);
  Numbers who;
  who.reserve(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (samples[i].metrics.Of(metric).size() >= least) {
      who.push_back(i);
    }
  }
  return who;
}

Comparison CompareMetric(const GroupSamples& group, std::size_t metric, const Numbers& who,
                         const PresetSettings& preset, const Detector& detector,
                         const MemberBoundWillDo& bound_will_do) {
  const auto set = GatherSamples(group.samples, metric, who, preset.window);
  BoundWillDo asked;
  // Below that size all pairs cost less than asking.
  if (who.size() > preset.exact_up_to) {
    asked = [&](const Comparison& comparison, std::size_t component) {
      return bound_will_do(metric, who[component], comparison, component);
    };
  }
  return detector.Compare({.metric = &group.metrics[metric], .samples = &set}, asked);
}

}  // namespace

std::size_t CountNodes(std::span<const Member> members, std::span<const std::size_t> who) {
  std::vector<std::string_view> nodes;
  for (const auto number : who) {
    // Members come by name, so those of a node are mostly neighbours.
    if (nodes.empty() || nodes.back() != members[number].node) {
      nodes.push_back(members[number].node);
    }
  }
  std::ranges::sort(nodes);
  // Not std::ranges::unique: clang 14 does not know the subrange of this library.
  return static_cast<std::size_t>(std::unique(nodes.begin(), nodes.end()) - nodes.begin());
}

GroupWindow::Found GroupWindow::Find(std::size_t metric, std::size_t member) const {
  const auto& place = places[metric][member];
  if (!place) {
    return {};
  }
  return {.comparison = &windows[place->window].comparison, .component = place->component};
}

bool GroupWindow::IsBound(std::size_t metric, std::size_t member) const {
  const auto [comparison, component] = Find(metric, member);
  return comparison != nullptr && !comparison->is_bound.empty() && comparison->is_bound[component];
}

std::vector<std::size_t> GroupWindow::TakingPart() const {
  std::vector<std::size_t> members;
  for (std::size_t member = 0; !places.empty() && member < places.front().size(); ++member) {
    if (std::ranges::any_of(places,
                            [&](const auto& metric) { return metric[member].has_value(); })) {
      members.push_back(member);
    }
  }
  return members;
}

SampleSet GatherSamples(std::span<const MemberSamples> samples, std::size_t metric,
                        std::span<const std::size_t> who, std::size_t window) {
  SampleSet set;
  set.Reserve(who.size(), window);
  for (const auto member : who) {
    set.Add(samples[member].metrics.Of(metric));
  }
  return set;
}

GroupWindow CompareGroup(const GroupSamples& group, const PresetSettings& preset,
                         const Detector& detector, const MemberBoundWillDo& bound_will_do,
                         const SideBySide& for_each) {
  const bool dealt = group.per_node || preset.domain_size > 0;
  GroupWindow result;
  std::vector<bool> enough(group.metrics.size());  // by metric: to compare
  result.places.assign(group.metrics.size(),
                       std::vector<std::optional<GroupWindow::Place>>(group.samples.size()));
  for (std::size_t metric = 0; metric < group.metrics.size(); ++metric) {
    auto who = FindTakingPart(group.samples, metric, preset.window);
    if (who.empty()) {
      continue;
    }
    enough[metric] = AreEnough(group, who);
    auto domains = group.per_node ? SplitByNode(group.members, who)
                   : dealt        ? DealMembers(group.end, group.members, who, preset)
                                  : std::vector<Numbers>{std::move(who)};
    for (std::size_t number = 0; number < domains.size(); ++number) {
      auto& window = result.windows.emplace_back();
      window.metric = metric;
      window.domain = dealt ? std::optional(number) : std::nullopt;
      window.who = std::move(domains[number]);
      for (std::size_t place = 0; place < window.who.size(); ++place) {
        result.places[metric][window.who[place]] = {.window = result.windows.size() - 1,
                                                    .component = place};
      }
    }
  }
  for_each(result.windows.size(), [&](std::size_t number) {
    auto& window = result.windows[number];
    window.comparison =
        enough[window.metric]
            ? CompareMetric(group, window.metric, window.who, preset, detector, bound_will_do)
            : UndeterminedMeans(
                  GatherSamples(group.samples, window.metric, window.who, preset.window));
  });
  detector.Grade(group, result);
  return result;
}

}  // namespace limpet
