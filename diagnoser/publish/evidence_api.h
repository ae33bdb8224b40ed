// evidence_api.h: all that stands behind one verdict: the answer of /api/v1/evidence.
//
// Threads: pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "diagnoser/history/recorder.h"

namespace limpet {

[[nodiscard]] std::string EvidenceJson(const LiveView& live, const VerdictRecord& record);

// nullptr: it is not kept.
[[nodiscard]] const VerdictRecord* FindVerdict(const LiveView& live, std::string_view id);
// The latest on a node, of a cause (empty: any), that had begun by `at`.
[[nodiscard]] const VerdictRecord* FindLatestVerdict(const LiveView& live, std::string_view node,
                                                     std::string_view cause,
                                                     std::optional<UnixTime> at);

}  // namespace limpet
