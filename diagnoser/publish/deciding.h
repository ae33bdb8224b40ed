// deciding.h: verdicts with the numbers of the windows that decided.
//
// A flag outlives its fault by a few windows (k of 2k-1), and in those the component is like its
// peers: "network-hog (txbyt of io05 1.00× its peers)" contradicts itself. So the numbers that
// people read stay those of the newest window that was anomalous.
// Threads: a value with one owner.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "diagnoser/verdict/events.h"
#include "exporter/common/time.h"

namespace limpet {

class DecidingWindows {
 public:
  // Must be called after every window end, with all verdicts there are. Replaces mean, peer_median,
  // effect and s of evidence whose newest window is not anomalous. What was not seen anomalous, as
  // after a restart, stays as it is. Who is not among the verdicts is remembered for two hours of
  // `now`: where scrapes fail a verdict pauses, and comes back for the same windows as before.
  void Apply(std::vector<VerdictEvent>& verdicts, UnixTime now);

 private:
  // preset, node, component, group, metric, scale
  using Key =
      std::tuple<std::string, std::string, std::string, std::string, std::string, std::string>;
  struct Numbers {
    UnixTime window;  // the anomalous one that they are of
    std::optional<double> s;
    std::optional<double> effect;
    std::optional<double> mean;
    std::optional<double> peer_median;
  };
  std::map<Key, Numbers> of_;
};

}  // namespace limpet
