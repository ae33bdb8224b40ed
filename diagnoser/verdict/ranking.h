// ranking.h: which of several servers flagged at once is the culprit (000 §14).
//
// Threads: pure.
#pragma once

#include <vector>

#include "diagnoser/verdict/events.h"

namespace limpet {

// The verdicts of one window end, worst first (then by name), with their ranks; one whose degree is
// under 1/rho of the worst is secondary. `marks` off: nobody is.
[[nodiscard]] std::vector<VerdictEvent> Ranked(std::vector<VerdictEvent> verdicts, double rho,
                                               bool marks);

}  // namespace limpet
