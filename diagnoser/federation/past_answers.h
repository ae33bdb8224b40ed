// past_answers.h: /api/v1/past (docs/openapi.yaml) of a federation: the readings of all nodes at an
// instant, made of what each diagnoser has kept of then.
//
// Threads: pure.
#pragma once

#include <string>
#include <vector>

#include "diagnoser/federation/answers.h"
#include "diagnoser/federation/merged_view.h"

namespace limpet {

// Nodes of a diagnoser that has none of then, or does not answer, are unknown, and it is named as
// missing. From the earliest begin to the latest end of their steps, each by its own clock, as its
// verdicts are. Empty: none answers.
[[nodiscard]] std::string JoinPast(const MergedView& view,
                                   const std::vector<MemberAnswer>& answers);

}  // namespace limpet
