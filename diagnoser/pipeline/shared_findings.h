// shared_findings.h: the enclosure, controller, switch or host that explains several verdicts.
//
// Parts come from labels: those of targets, and those that disk_info has. Disks share their host
// too. Servers are members where a verdict's evidence is about a whole server.
// Cost:    nothing while fewer than two components are flagged; then all disks or servers are
//          looked at.
// Threads: pure.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "diagnoser/mapping/directory.h"
#include "diagnoser/verdict/events.h"
#include "diagnoser/verdict/shared_parts.h"

namespace limpet {

// Labels that name a part, the smallest first; "host" is the node.
inline constexpr auto kPartLabels = std::to_array<std::string_view>(
    {"controller", "expander", "host", "enclosure", "chassis", "switch", "rack", "row"});

[[nodiscard]] std::vector<SharedPart> FindShared(std::span<const VerdictEvent> verdicts,
                                                 const Directory& directory);

}  // namespace limpet
