// api.h: the small JSON answers for people and scripts that look why.
//
//   /api/v1/targets   every target: up, last error, how long a scrape takes
//   /api/v1/verdicts  every node with a cause: since when, degree, evidence in plain units; storms
//                     beside them, and groups that are no peers
//   /api/v1/groups    every peer group under every preset: how many of its components take part
//
// Times are Unix seconds. Text that is not UTF-8 has its bad bytes replaced.
// Threads: pure.
#pragma once

#include <span>
#include <string>

#include "diagnoser/publish/api_json.h"
#include "diagnoser/sources/target_status.h"
#include "diagnoser/view/view_types.h"

namespace limpet {

[[nodiscard]] std::string TargetsJson(std::span<const TargetStatus> targets);
[[nodiscard]] std::string GroupsJson(const PipelineView& view);
[[nodiscard]] std::string VerdictsJson(const PipelineView& view);
// One of its verdicts.
[[nodiscard]] ApiJson VerdictToJson(const VerdictEvent& verdict);

}  // namespace limpet
