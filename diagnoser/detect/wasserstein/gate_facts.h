// gate_facts.h: what the gates of a metric ask about a component's other metrics.
//
// Threads: pure.
#pragma once

#include <string_view>
#include <vector>

#include "diagnoser/detect/group_window.h"
#include "diagnoser/detect/preset.h"
#include "diagnoser/detect/wasserstein/gates.h"

namespace limpet {

// Returns whether it is known not to rotate, if only by its name (nvme0n1).
[[nodiscard]] bool IsFlash(const Member& member);
// Returns whether a hypervisor made it up: what it says of itself is not what it is made of.
[[nodiscard]] bool IsVirtualDisk(std::string_view device);

// Returns facts by member, of the metrics that are compared already.
[[nodiscard]] std::vector<GateFacts> FindGateFacts(const GroupSamples& group,
                                                   const GroupWindow& window,
                                                   const PresetSettings& preset);

}  // namespace limpet
