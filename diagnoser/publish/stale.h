// stale.h: a conclusion holds as long as windows come. When they stop (every target of a group is
// down, the network is cut), what the last one said must not stand on the page for ever.
//
// Threads: pure.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "diagnoser/detect/preset.h"
#include "diagnoser/view/judge_servers.h"
#include "diagnoser/view/view_types.h"

namespace limpet {

// Removes from the view what presets said whose last window is older than their horizon: their
// components and verdicts go, their nodes have no cause, nobody takes part in their groups.
// Behaviour profiles that have had no second for 10 s say nothing about any node.
void DropStale(PipelineView& view, std::span<const PresetSettings> presets, Duration lateness,
               UnixTime now);

// Removes nodes that are no longer targets from the view; the counts of the groups stay.
void DropNodes(PipelineView& view, const std::function<bool(const std::string&)>& is_gone);

}  // namespace limpet
