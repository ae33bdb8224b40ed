// ranking.h: which of several servers flagged at once is the culprit [Kasick10 §14].
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "diagnoser/verdict/events.h"

namespace limpet {

// The verdicts of one window end, worst first (then by name), with their ranks; one whose degree is
// under 1/rho of the worst is secondary. `marks` off: nobody is. Where one has local evidence
// (VerdictEvent::local) degrees of different metrics are not compared: secondary is then who has
// none and is less deviant in all of its metrics' families than a server with local evidence.
[[nodiscard]] std::vector<VerdictEvent> Ranked(std::vector<VerdictEvent> verdicts, double rho,
                                               bool marks);

// The same within each set of servers; `set_of` is asked once a verdict. All together in the order
// of degrees.
[[nodiscard]] std::vector<VerdictEvent> RankedWithin(
    std::vector<VerdictEvent> verdicts, double rho, bool marks,
    const std::function<std::size_t(const std::string&)>& set_of);

// The nodes that behaviour profiles compare, and those that only they indict.
struct Behaviour {
  std::set<std::string, std::less<>> peers;
  std::vector<VerdictEvent> verdicts;
};
// The checklist's verdicts of one window end and after them those of behaviour: a node has one
// verdict, and the checklist knows better what an operator may do. While it indicts one of the
// peers, those that merely behave unlike them are secondary, for what is wrong with one node shows
// in others that wait for it ([Pan08 §5.1], travelling faults).
[[nodiscard]] std::vector<VerdictEvent> WithBehaviour(std::vector<VerdictEvent> checklist,
                                                      Behaviour behaviour, double rho, bool marks);

}  // namespace limpet
