// who_asks.h: beside a verdict, who asks the sick component for most.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "diagnoser/custom/node_names.h"
#include "diagnoser/custom/readings.h"
#include "diagnoser/custom/window.h"
#include "diagnoser/verdict/events.h"

namespace limpet {

inline constexpr const char* kWhoAsksFact = "who-asks";
// The most that are told beside a verdict.
inline constexpr std::size_t kMaxWhoAsks = 3;

struct AskedMember {
  const CustomMetric* metric = nullptr;
  CustomMember member;
};
// Components that metrics with `asks` tell of, by node. Good as long as the readings.
using AskedMembers = std::map<std::string, std::vector<AskedMember>>;
[[nodiscard]] AskedMembers FindAsked(const CustomReadings& readings, const NodeNames& nodes,
                                     UnixTime now);

// "jobid 4711 writes 2.1 GB/s of OST0003, 70 % of it", the largest share first. Of the components
// or disks that the verdict's evidence names; where it names none of them, of all of the node.
// Rates below the metric's noise floor are not told.
[[nodiscard]] std::vector<Fact> FindWhoAsks(const AskedMembers& asked, const VerdictEvent& verdict,
                                            UnixTime now);

}  // namespace limpet
