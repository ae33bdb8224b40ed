// report_pictures.h: the pictures of a report: incidents over time, and a component against its
// peers.
//
// Threads: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/history/window_history.h"
#include "diagnoser/publish/incidents.h"

namespace limpet {

// A row a server, a bar an incident; the kMaxServers servers with the longest incidents. Empty
// without incidents.
inline constexpr std::size_t kMaxServers = 40;
[[nodiscard]] std::string TimelinePicture(const std::vector<Incident>& incidents, UnixTime from,
                                          UnixTime to);

// The means of one component, window by window, over the band that holds the middle 80 % of the
// group, with the incident's windows marked; a longer history is shown from a while before the
// incident to a while after it. Empty when the windows were not kept or the component is in none.
[[nodiscard]] std::string EvidencePicture(const WindowHistory::Points& windows,
                                          const Evidence& evidence, const Incident& incident);

}  // namespace limpet
