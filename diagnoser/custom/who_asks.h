// who_asks.h: beside a verdict, who asks the sick component for most, and who waits for it.
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
inline constexpr const char* kWaitingClientsFact = "waiting-clients";
// The most of each that are told beside a verdict.
inline constexpr std::size_t kMaxWhoAsks = 3;
// The clients that one fact names, and the requests that it takes to say how long one waits.
inline constexpr std::size_t kMaxWaiting = 5;
inline constexpr double kMinWaits = 10;

struct AskedMember {
  const CustomMetric* metric = nullptr;
  const NodeNames* nodes = nullptr;
  CustomMember member;
};
// Components that metrics with `asks` tell of, and means that clients' targets add up, by node.
// Good as long as readings and names.
using AskedMembers = std::map<std::string, std::vector<AskedMember>>;
[[nodiscard]] AskedMembers FindAsked(const CustomReadings& readings, const NodeNames& nodes,
                                     UnixTime now);

// "jobid 4711 writes 2.1 GB/s of OST0003, 70 % of it", the largest share first. Of the components
// or disks that the verdict's evidence names; where it names none of them, of all of the node.
// Rates below the metric's noise floor are not told. An asker that is an address of a node is
// called by that node's name. After them, "time of a read, as its clients see it: c03 24 ms, c07 23
// ms; all 14 5.1 ms; c11 sends 31 % of the requests".
[[nodiscard]] std::vector<Fact> FindWhoAsks(const AskedMembers& asked, const VerdictEvent& verdict,
                                            UnixTime now);

}  // namespace limpet
