// metrics.h: what the pipeline concludes, as families of the metrics page.
//
// `limpet_indicted` and `limpet_root_cause` have a series for every node and cause, 0 or 1, so that
// series do not come and go with verdicts; a node counts when any preset says so. What is said
// about single components is bounded by DetailOptions.
// Every value is finite.
// Threads: pure.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "diagnoser/view/detail.h"
#include "diagnoser/view/view_types.h"
#include "exporter/common/exposition/sample.h"

namespace limpet {

// Returns what kAuto stands for with so many components and metrics, anything else as it is.
// `before`: what it returned last; near the limit that stays, so that series do not come and go.
[[nodiscard]] Detail ChooseDetail(Detail wanted, const PipelineView& view,
                                  Detail before = Detail::kAll);

[[nodiscard]] Families VerdictFamilies(const PipelineView& view, const DetailOptions& options);

}  // namespace limpet
