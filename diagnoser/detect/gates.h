// gates.h: the untrained default: what a Wasserstein degree means, and when it means nothing.
//
// effect e = s / max(median of means, floor): how much more than its peers (1: twice as much).
// z = s / max(median IQR, 2 % of the median mean, floor/100): how unusual among them.
// Window degree = min(e / 0.25, z / 3), 0 when a gate fails; over 1 is anomalous.
// Gates:
//   direction   rd_sec, wr_sec, rxbyt, txbyt, await count only when high (if hog_direction is on)
//   latency     await, svctm: at least 30 requests in the window, and a mean above the floor
//   throughput  rd_sec, wr_sec: a mean more than the floor away from the peers'
//   network     rxbyt, txbyt: the larger of the two mean differences above the floor (1 MiB/s); e
//               and z then use 1 KiB/s, so that a hog's small ACK stream counts too
//   svctm       await also needs e_svctm / 0.25, high: in a striped closed loop requests queue at
//               the slowest disk, whoever that is, so a long queue alone proves nothing
// Why these, with measurements: docs/how-it-decides.md.
// Threads: pure.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "diagnoser/detect/peers.h"
#include "diagnoser/detect/preset.h"

namespace limpet {

struct GatedDegree {
  double effect = 0;
  double z = 0;
  double degree = 0;
};

// What the gates ask beyond the metric's own samples.
struct GateFacts {
  double requests = 0;         // of the component in the window (latency gate)
  bool flash = false;          // known not to rotate: a lower latency floor
  double mean_difference = 0;  // network: larger |mean - median| of rxbyt and txbyt
  // await: the same component's service time in the same window. Absent: the source has no busy
  // time, or fewer than three peers have; the gate is off then.
  std::optional<double> svctm_effect;  // 0 unless its direction is high
  std::optional<double> mean_util;     // %
};

// `component` counts as in `comparison`, which must be determined and made with w1.
[[nodiscard]] GatedDegree GateDegree(const PeerComparison& comparison, std::size_t component,
                                     std::string_view metric, const PresetSettings& preset,
                                     const GateFacts& facts);

// Whether an upper bound of s says that the component is not anomalous: its exact s would not be
// over the threshold either, whatever the gates that `facts` leaves out. Of svctm, that it could
// not open the gate of await: `threshold` must then be the smaller of the two.
[[nodiscard]] bool BoundSuffices(const PeerComparison& comparison, std::size_t component,
                                 std::string_view metric, const PresetSettings& preset,
                                 const GateFacts& facts, double threshold);

}  // namespace limpet
