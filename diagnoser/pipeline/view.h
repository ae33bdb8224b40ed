// view.h: what the presets' runs say now, as values for publish/.
//
// Threads: pure.
#pragma once

#include <span>

#include "diagnoser/mapping/directory.h"
#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/pipeline/preset_run.h"

namespace limpet {

// Without profiles; of `counters`, windows and verdicts are added up over the runs.
[[nodiscard]] PipelineView MakeView(std::span<const PresetRun> runs, const Directory& directory,
                                    const PipelineCounters& counters);

}  // namespace limpet
