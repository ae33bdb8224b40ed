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

#include "diagnoser/pipeline.h"
#include "exporter/common/exposition/sample.h"

namespace limpet {

// Which components the page shows one by one.
enum class Detail {
  kAll,      // every component and metric
  kFlagged,  // those that are flagged or have an accumulator over 0
  kTop,      // of those the `top` first of each preset, group and metric, by degree
};

struct DetailOptions {
  Detail detail = Detail::kAll;
  std::size_t top = 20;
};

[[nodiscard]] Families VerdictFamilies(const PipelineView& view, const DetailOptions& options);

}  // namespace limpet
