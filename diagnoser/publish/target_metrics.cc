#include "diagnoser/publish/target_metrics.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "exporter/common/exposition/catalog/diagnoser.h"

namespace limpet {
namespace {

// Reasons appear with their first time: eleven series of zeros a target would be most of the page.
void AddByReason(const std::string& node,
                 const std::map<std::string, std::uint64_t, std::less<>>& counts, Family& family) {
  for (const auto& [reason, count] : counts) {
    family.samples.push_back(
        {MakeLabels({{"node", node}, {"reason", reason}}), static_cast<double>(count)});
  }
}

}  // namespace

Families TargetFamilies(std::span<const TargetStatus> targets) {
  Family up{.info = &catalog::kTargetUp, .samples = {}};
  Family took{.info = &catalog::kTargetScrapeDuration, .samples = {}};
  Family samples{.info = &catalog::kTargetSamples, .samples = {}};
  Family over_limit{.info = &catalog::kTargetOverLimit, .samples = {}};
  Family failures{.info = &catalog::kTargetFailures, .samples = {}};
  Family skew{.info = &catalog::kTargetClockSkew, .samples = {}};
  Family changes{.info = &catalog::kTargetIdentityChanges, .samples = {}};
  Family refused{.info = &catalog::kTargetRefusedIncreases, .samples = {}};
  for (const auto& status : targets) {
    const auto labels = MakeLabels({{"node", status.target->node}});
    up.samples.push_back({labels, status.up ? 1.0 : 0.0});
    // Before the first scrape there is no duration: 0 s would look like the fastest target.
    if (status.scrapes > 0) {
      took.samples.push_back({labels, ToSeconds(status.took)});
      samples.samples.push_back({labels, static_cast<double>(status.samples)});
      over_limit.samples.push_back({labels, static_cast<double>(status.over_limit)});
    }
    failures.samples.push_back({labels, static_cast<double>(status.failures_in_a_row)});
    // Known only for exporters that say when they sampled.
    if (status.clock_skew) {
      skew.samples.push_back({labels, ToSeconds(*status.clock_skew)});
    }
    AddByReason(status.target->node, status.identity_changes, changes);
    AddByReason(status.target->node, status.refused_increases, refused);
  }
  Families families;
  for (auto* family : {&up, &took, &samples, &over_limit, &failures, &skew, &changes, &refused}) {
    families.push_back(std::move(*family));
  }
  return families;
}

Families DiscoveryFamilies(std::span<const SdStatus> sources) {
  Family up{.info = &catalog::kDiscoveryUp, .samples = {}};
  Family targets{.info = &catalog::kDiscoveryTargets, .samples = {}};
  Family refused{.info = &catalog::kDiscoveryRefused, .samples = {}};
  Family failures{.info = &catalog::kDiscoveryFailures, .samples = {}};
  Family good{.info = &catalog::kDiscoveryLastGood, .samples = {}};
  // Most installations list addresses; families without samples would only fill their page.
  if (sources.empty()) {
    return {};
  }
  for (const auto& source : sources) {
    const auto labels = MakeLabels({{"source", source.name}});
    up.samples.push_back({labels, source.good ? 1.0 : 0.0});
    targets.samples.push_back({labels, static_cast<double>(source.targets)});
    refused.samples.push_back({labels, static_cast<double>(source.refused)});
    for (const auto& [reason, count] : source.failures) {
      failures.samples.push_back(
          {MakeLabels({{"source", source.name}, {"reason", reason}}), static_cast<double>(count)});
    }
    if (source.last_good) {
      good.samples.push_back({labels, ToSeconds(source.last_good->time_since_epoch())});
    }
  }
  Families families;
  for (auto* family : {&up, &targets, &refused, &failures, &good}) {
    families.push_back(std::move(*family));
  }
  return families;
}

Families StoreFamilies(const StoreStatus& store) {
  Families families;
  const auto add = [&](const MetricInfo& info, double value) {
    families.push_back({.info = &info, .samples = {{MakeLabels({}), value}}});
  };
  add(catalog::kStoreUp, store.good ? 1 : 0);
  add(catalog::kStoreQueries, static_cast<double>(store.queries));
  Family failures{.info = &catalog::kStoreFailures, .samples = {}};
  // Reasons appear with their first failure, as in the families of targets.
  for (const auto& [reason, count] : store.failures) {
    failures.samples.push_back({MakeLabels({{"reason", reason}}), static_cast<double>(count)});
  }
  families.push_back(std::move(failures));
  add(catalog::kStorePartial, static_cast<double>(store.partial));
  add(catalog::kStoreSkipped, ToSeconds(store.skipped));
  add(catalog::kStoreUnnamed, static_cast<double>(store.unnamed));
  // Absent before the first step: 0 would be a store that lags behind since 1970.
  if (store.read_until) {
    add(catalog::kStoreReadUntil, ToSeconds(store.read_until->time_since_epoch()));
  }
  return families;
}

}  // namespace limpet
