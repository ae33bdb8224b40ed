// gate_facts.h: what the gates of a metric ask about a component's other metrics.
//
// Threads: pure.
#pragma once

#include <vector>

#include "diagnoser/detect/group_window.h"
#include "diagnoser/detect/preset.h"
#include "diagnoser/detect/wasserstein/gates.h"

namespace limpet {

// Returns facts by member, of the metrics that are compared already.
[[nodiscard]] std::vector<GateFacts> FindGateFacts(const GroupSamples& group,
                                                   const GroupWindow& window,
                                                   const PresetSettings& preset);

}  // namespace limpet
