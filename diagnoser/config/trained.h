// trained.h: whether thresholds of a file fit the configuration, and what to say about those that
// only partly do.
//
// Threads: pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnoser/detect/thresholds.h"
#include "diagnoser/evidence/config.h"
#include "diagnoser/sources/target.h"
#include "diagnoser/view/view_types.h"
#include "exporter/common/result.h"

namespace limpet {

// Puts `trained`, read from `file`, into `config`. Refused: a file with none of the configured
// presets, and one that was trained with other settings. Kept, and told once, a text each: presets
// that are not configured or have no thresholds, peer groups, metrics and nodes that are not there.
[[nodiscard]] Result<std::vector<std::string>> UseThresholds(std::vector<Thresholds> trained,
                                                             const std::string& file,
                                                             const std::vector<Target>& targets,
                                                             PipelineConfig& config);

// Trained components that are not there, one text a preset; of the groups in which anybody takes
// part. nullopt while a preset has not closed a window: nobody is there yet.
[[nodiscard]] std::optional<std::vector<std::string>> UnseenThresholds(
    const std::vector<Thresholds>& trained, const PipelineView& view);

}  // namespace limpet
