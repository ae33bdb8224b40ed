// node_segments.h: the segments of all connections of each server of a group, where the exporter
// tells no more (node_exporter's netstat): what the server sent and sent again, what it received
// and had to put aside since segments before it were missing. The same of the packets of all its
// ports, where they are RDMA's.
//
// Threads: one at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/detect/loss/retransmissions.h"
#include "diagnoser/mapping/directory.h"
#include "diagnoser/series/readings.h"
#include "exporter/common/time.h"

namespace limpet {

class NodeSegments {
 public:
  // `group` is the number of a rule of kind cwnd; `keep`: seconds that Totals can reach;
  // `max_between`: readings further apart are not of the same time; `side`: kWholeNode or
  // kRdmaPort.
  NodeSegments(std::uint32_t group, std::size_t keep, Duration max_between,
               std::string_view side = kWholeNode)
      : group_(group), keep_(keep), max_between_(max_between), side_(side) {}

  // The directory or the masks have changed.
  void FindServers(const Directory& directory, const std::vector<std::string>& masked);
  // Second `t`, each once and in order.
  void Observe(UnixTime t, Readings& readings);

  // Returns the counts of the seconds (end - span, end], of a side as in LossTotals; nullopt where
  // nothing counts them.
  [[nodiscard]] std::optional<SegmentTotals> Totals(const std::string& server, std::size_t side,
                                                    UnixTime end, std::size_t seconds) const;
  // Adds those with totals to `names`, sorted and without twins.
  void AddNames(std::vector<std::string>& names) const;
  void Forget(std::string_view server);

 private:
  struct Rise {
    std::int64_t second = 0;
    std::array<double, 2> all{};      // by side
    std::array<double, 2> missing{};  // sent again; received out of order
  };
  struct Server {
    std::array<bool, 2> known{};  // by side
    std::deque<Rise> rises;       // oldest first; only seconds with any
  };

  std::uint32_t group_;
  std::size_t keep_;
  Duration max_between_;
  std::string_view side_;
  std::map<std::uint32_t, std::string> entities_;  // of kind kPeer: name of their server
  std::map<std::string, Server, std::less<>> servers_;
};

}  // namespace limpet
