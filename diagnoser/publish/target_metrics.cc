#include "diagnoser/publish/target_metrics.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "exporter/common/exposition/catalog/diagnoser.h"

namespace limpet {

Families TargetFamilies(std::span<const TargetStatus> targets) {
  Family up{.info = &catalog::kTargetUp, .samples = {}};
  Family took{.info = &catalog::kTargetScrapeDuration, .samples = {}};
  Family samples{.info = &catalog::kTargetSamples, .samples = {}};
  Family failures{.info = &catalog::kTargetFailures, .samples = {}};
  Family skew{.info = &catalog::kTargetClockSkew, .samples = {}};
  for (const auto& status : targets) {
    const auto labels = MakeLabels({{"node", status.target->node}});
    up.samples.push_back({labels, status.up ? 1.0 : 0.0});
    if (status.scrapes > 0) {
      took.samples.push_back({labels, ToSeconds(status.took)});
      samples.samples.push_back({labels, static_cast<double>(status.samples)});
    }
    failures.samples.push_back({labels, static_cast<double>(status.failures_in_a_row)});
    if (status.clock_skew) {
      skew.samples.push_back({labels, ToSeconds(*status.clock_skew)});
    }
  }
  Families families;
  for (auto* family : {&up, &took, &samples, &failures, &skew}) {
    families.push_back(std::move(*family));
  }
  return families;
}

}  // namespace limpet
