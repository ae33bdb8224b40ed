// find_facts.h: what is known of the machine that a verdict names: the facts of the catalogue that
// hold now and concern the verdict.
//
// Peers:   "unlike" needs kMinKnown peers that tell, of whom 80 % say the same.
// Threads: pure.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/facts/fact_readings.h"
#include "diagnoser/verdict/events.h"

namespace limpet {

// Whom a node and its disks are compared with; a sample of them will do.
struct FactPeers {
  static constexpr std::size_t kMaxPeers = 32;  // each

  std::vector<std::string> nodes;
  // Device of the node → (node, device) of the peers' ones.
  std::map<std::string, std::vector<std::pair<std::string, std::string>>, std::less<>> disks;
};

// The most facts a verdict.
inline constexpr std::size_t kMaxFacts = 12;
inline constexpr std::size_t kMinKnown = 3;

// `now`: the end of the window that the verdict is of.
[[nodiscard]] std::vector<Fact> FindFacts(const FactReadings& readings, const VerdictEvent& verdict,
                                          const FactPeers& peers, UnixTime now);

}  // namespace limpet
