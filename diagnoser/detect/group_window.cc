#include "diagnoser/detect/group_window.h"

#include <cmath>
#include <utility>

#include "diagnoser/detect/domains.h"
#include "diagnoser/metrics/samples.h"

namespace limpet {
namespace {

using Numbers = std::vector<std::size_t>;

std::vector<Numbers> DomainsOf(UnixTime end, std::span<const Member> members, const Numbers& who,
                               const PresetSettings& preset) {
  std::vector<std::string_view> names;
  names.reserve(who.size());
  for (const auto number : who) {
    names.push_back(members[number].name);
  }
  const auto shift = preset.step * static_cast<Duration::rep>(preset.shift);
  auto domains = DealDomains(names, preset.domain_size, preset.domain_seed,
                             static_cast<std::uint64_t>(end.time_since_epoch() / shift));
  for (auto& domain : domains) {
    for (auto& place : domain) {
      place = who[place];
    }
  }
  return domains;
}

}  // namespace

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

double GroupWindow::MeanDifference(std::size_t metric, std::size_t member) const {
  const auto [comparison, component] = Find(metric, member);
  if (comparison == nullptr || comparison->undetermined) {
    return 0;
  }
  return std::abs(comparison->mean[component] - comparison->median_mean);
}

GroupWindow CompareGroup(UnixTime end, std::span<const Member> members,
                         std::span<const MemberSamples> samples,
                         std::span<const std::string_view> metrics, const PresetSettings& preset,
                         const MemberBoundWillDo& bound_will_do) {
  const std::size_t least = (4 * preset.window + 4) / 5;
  GroupWindow group;
  group.places.assign(metrics.size(),
                      std::vector<std::optional<GroupWindow::Place>>(samples.size()));
  for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
    Numbers who;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (samples[i].metrics.Of(metric).size() >= least) {
        who.push_back(i);
      }
    }
    if (who.empty()) {
      continue;
    }
    const bool dealt = preset.domain_size > 0;
    auto domains =
        dealt ? DomainsOf(end, members, who, preset) : std::vector<Numbers>{std::move(who)};
    for (std::size_t number = 0; number < domains.size(); ++number) {
      auto& window = group.windows.emplace_back();
      window.metric = metric;
      window.domain = dealt ? std::optional(number) : std::nullopt;
      window.who = std::move(domains[number]);
      SampleSet set;
      set.Reserve(window.who.size(), preset.window);
      for (const auto member : window.who) {
        group.places[metric][member] = {.window = group.windows.size() - 1,
                                        .component = set.Add(samples[member].metrics.Of(metric))};
      }
      BoundWillDo asked;
      if (window.who.size() > preset.exact_up_to) {
        asked = [&](const PeerComparison& comparison, std::size_t component) {
          return bound_will_do(metric, window.who[component], comparison, component);
        };
      }
      window.comparison = ComparePeers(set, metrics[metric], preset, asked);
    }
  }
  return group;
}

GateFacts DiskFacts(const GroupWindow& window, const MemberSamples& samples, const Member& member,
                    std::size_t number, const PresetSettings& preset) {
  GateFacts facts{.requests = samples.requests, .flash = member.flash};
  const auto util = window.Find(static_cast<std::size_t>(DiskMetric::kUtil), number);
  if (util.comparison != nullptr) {
    facts.mean_util = util.comparison->mean[util.component];
  }
  const auto svctm = window.Find(static_cast<std::size_t>(DiskMetric::kServiceTime), number);
  if (svctm.comparison != nullptr && !svctm.comparison->undetermined) {
    const auto gated = GateDegree(*svctm.comparison, svctm.component, "svctm", preset, facts);
    const bool high = svctm.comparison->direction[svctm.component] == Direction::kHigh;
    facts.svctm_effect = high ? gated.effect : 0.0;
  }
  return facts;
}

}  // namespace limpet
