// view.h: what the presets' runs say now, as values for publish/.
//
// Threads: pure.
#pragma once

#include <optional>
#include <span>

#include "diagnoser/evidence/windows/preset_run.h"
#include "diagnoser/mapping/directory.h"
#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/pipeline/server_verdicts.h"

namespace limpet {

// Makes the view without profiles; of `counters`, windows and verdicts are added up over the runs.
// A preset and its time scales are one: a component is flagged when any of them flags it, with the
// largest degree; everything else is that of the preset's own windows. `first`: the first reading
// of all.
[[nodiscard]] PipelineView MakeView(std::span<const PresetRun> runs,
                                    std::span<const ServerVerdicts> verdicts,
                                    const Directory& directory, const PipelineCounters& counters,
                                    std::optional<UnixTime> first = std::nullopt);

}  // namespace limpet
