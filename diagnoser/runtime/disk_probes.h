// disk_probes.h: which disks are to be read to confirm a verdict, and what came of it, as a fact
// beside the verdict. No verdict waits for it.
//
// Chosen:  of a verdict that indicts, the first disk of its evidence, then disks whose servers wait
//          for it to return (incidents/acts.h); of the same peer group two
//          disks of other servers that no verdict names and nothing is flagged of (masked ones are
//          in no group). One round at a time, kPause between two, a disk once in `interval`.
// Told:    with the windows after the result, until it is two intervals old.
// Threads: one at a time.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diagnoser/incidents/acts.h"
#include "diagnoser/sources/disk_prober.h"
#include "diagnoser/verdict/events.h"
#include "diagnoser/view/view_types.h"
#include "exporter/common/time.h"

namespace limpet {

class DiskProbes {
 public:
  static constexpr std::size_t kPeers = 2;
  static constexpr Duration kPause = std::chrono::seconds(10);
  // The endpoint of a node that answers; nullptr: it cannot be asked.
  using FindEndpoint = std::function<const Endpoint*(const std::string& node)>;

  // The round to ask for now, if there is one; it counts as asked. `interval`: between two probes
  // of a disk. `wanted`: further disks, as "node/device".
  [[nodiscard]] std::optional<ProbeRound> Choose(const PipelineView& view, Duration interval,
                                                 const FindEndpoint& find, SteadyTime now,
                                                 const std::set<std::string>& wanted = {});
  // Returns what came of it: a line for the log.
  std::string Add(const ProbeReadings& readings, SteadyTime now);
  // Puts the fact first beside a verdict about a disk that was read.
  void Join(VerdictEvent& verdict, SteadyTime now) const;
  // Returns the results that hold, by "node/device"; `unix_now` is the time of `now`.
  [[nodiscard]] std::map<std::string, ProbedState> Probed(SteadyTime now, UnixTime unix_now) const;

 private:
  struct Kept {
    Fact fact;
    std::optional<bool> slow;
    SteadyTime at;
    SteadyTime until;
  };

  void Begin(const ProbeRound& round, SteadyTime now);

  std::map<std::string, SteadyTime> asked_;  // by "node/device"
  std::map<std::string, Kept> results_;      // the same, of suspects
  std::optional<SteadyTime> began_;          // the last round; once it is over, when it ended
  bool is_under_way_ = false;
  Duration interval_{};
};

}  // namespace limpet
