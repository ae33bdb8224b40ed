// syscall_verdicts.h: what system calls say [Kasick09] beside the verdicts of the checklist.
//
//   server-crash, server-hang, propagated-error   come first: they are facts, not comparisons, and
//       what a server's counters do while it is down says nothing more. A node's verdict of the
//       checklist becomes evidence of theirs.
//   slow-syscalls   comes after: where the checklist has a cause for the node, slow calls are
//       further evidence of it.
//
// Threads: pure.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "diagnoser/verdict/events.h"

namespace limpet {

// Verdicts without preset, end and rank; at most one a node in each list.
struct SyscallFindings {
  std::set<std::string, std::less<>> peers;  // the servers whose calls are known
  std::vector<VerdictEvent> facts;           // crashes, hangs, errors
  std::vector<VerdictEvent> slow;
};

struct SyscallRules {
  double rho = 3;             // as in ranking.h
  bool marks = true;          // whether anybody is secondary
  bool hog_direction = true;  // calls that are faster than the peers' are no fault
};

// The checklist's verdicts of one window end, ranked, and those of system calls, all with their
// ranks. While a server has crashed or hangs, what others show without local evidence is explained
// by it.
[[nodiscard]] std::vector<VerdictEvent> WithSyscalls(std::vector<VerdictEvent> checklist,
                                                     SyscallFindings findings,
                                                     const SyscallRules& rules);

}  // namespace limpet
