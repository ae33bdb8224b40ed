// target_metrics.h: how the scrapes are going, as families of the metrics page.
//
// Per target what an operator looks for; totals, by reason, over all targets.
// Threads: pure.
#pragma once

#include <span>

#include "diagnoser/sources/target_status.h"
#include "exporter/common/exposition/sample.h"

namespace limpet {

[[nodiscard]] Families TargetFamilies(std::span<const TargetStatus> targets);

}  // namespace limpet
