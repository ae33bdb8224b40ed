// storage_verdicts.h: what the storage says of its own requests, joined to the verdicts of disks
// and network.
//
// A node with a verdict keeps its cause, and has the storage's evidence beside it: one fault, one
// verdict. A node without one has the cause of the metric with the largest degree.
// Threads: pure.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "diagnoser/verdict/events.h"

namespace limpet {

// One flag on a metric of the configuration.
struct StorageFlag {
  Evidence evidence;
  Cause cause = Cause::kNone;
  std::string beside;  // counts only where the node has a flag on this metric; empty: by itself
};

struct StorageFindings {
  std::map<std::string, std::vector<StorageFlag>> flags;  // by node
  std::set<std::string> peers;                            // all nodes that were compared
};

// `checklist` is ranked; what is added comes after it. A server whose requests are slow while a
// peer is indicted waits for that one: `marks` makes it secondary.
[[nodiscard]] std::vector<VerdictEvent> WithStorage(std::vector<VerdictEvent> checklist,
                                                    StorageFindings findings, double rho,
                                                    bool marks);

}  // namespace limpet
