// target_metrics.h: how the scrapes are going, as families of the metrics page.
//
// Per target what an operator looks for; totals, by reason, over all targets.
// Threads: pure.
#pragma once

#include <span>

#include "diagnoser/sources/discovery.h"
#include "diagnoser/sources/store_reader.h"
#include "diagnoser/sources/target_status.h"
#include "exporter/common/exposition/sample.h"

namespace limpet {

[[nodiscard]] Families TargetFamilies(std::span<const TargetStatus> targets);
// Returns how the lists of targets are doing; nothing without any.
[[nodiscard]] Families DiscoveryFamilies(std::span<const SdStatus> sources);
// Returns how reading a store (source: prometheus) is going.
[[nodiscard]] Families StoreFamilies(const StoreStatus& store);

}  // namespace limpet
