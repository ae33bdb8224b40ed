// ranking.h: which of several servers flagged at once is the culprit (000 §14).
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "diagnoser/verdict/events.h"

namespace limpet {

// The verdicts of one window end, worst first (then by name), with their ranks; one whose degree is
// under 1/rho of the worst is secondary. `marks` off: nobody is.
[[nodiscard]] std::vector<VerdictEvent> Ranked(std::vector<VerdictEvent> verdicts, double rho,
                                               bool marks);

// The same within each set of servers; `set_of` is asked once a verdict. All together in the order
// of degrees.
[[nodiscard]] std::vector<VerdictEvent> RankedWithin(
    std::vector<VerdictEvent> verdicts, double rho, bool marks,
    const std::function<std::size_t(const std::string&)>& set_of);

}  // namespace limpet
