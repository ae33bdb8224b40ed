// gates.h: the untrained default: what a Wasserstein degree means, and when it means nothing.
//
// effect e = s / max(median of means, floor): how much more than its peers (1: twice as much).
// z = s / max(median IQR, 2 % of the median mean, floor/100): how unusual among them.
// Window degree = min(e / 0.25, z / 3), 0 when a gate fails; over 1 is anomalous.
// Gates, as the metric's row (metrics/catalog.h) names them:
//   only_high    counts only when high (if hog_direction is on)
//   kLatency     at least 30 requests in the window, and a mean above the floor. Flash whose times
//                are known well may be under it, for a tenth of the peers' mean; its device must
//                then take three tenths longer
//   kThroughput  a mean more than the floor away from the peers'; with `balance`, where that cannot
//                be told the effect must also be 0.5, and await high: more load alone is no hog
//   kNetwork     the larger of the mean differences of both directions above the floor (1 MiB/s); e
//                and z then use 1 KiB/s, so that a hog's small ACK stream counts too
//   kBalance     more than the floor (1 MiB/s) away from the peers' and, on the same side, from 0;
//                e is relative to what the servers carry, for their balance itself is about 0. Both
//                are made of window means: what is buffered for a moment comes and goes, and says
//                nothing. A deficit alone may be a larger cache: half of it must be traffic above
//                the peers', and more of that than what more load would leave. Where not, or where
//                it may be copies, its degree is at most that traffic's. A surplus counts as far as
//                it is one beside 0, too, unless clients starve, and no doubtful one
//                (balance.h); what cannot be a stranger's counts for nothing (strangers.h)
//   judged_with  await also needs e_svctm / 0.25, high: in a striped closed loop requests queue at
//                the slowest disk, whoever that is, so a long queue alone proves nothing. With
//                service_time "device" the excess of the device's time for the same work
//                (device_time.h) stands in its place, and who serves the most needs a third. That
//                excess is enough by itself where it is three times what the peers' own differ by,
//                with an await a tenth above theirs: where chunks lie on single servers, queues
//                differ too much from moment to moment for a z of 3
// Why these, with measurements: docs/how-it-decides.md.
// Threads: pure.
#pragma once

#include <cstddef>
#include <optional>

#include "diagnoser/detect/comparison.h"
#include "diagnoser/detect/preset.h"
#include "diagnoser/metrics/catalog.h"
#include "diagnoser/series/balance.h"

namespace limpet {

struct GatedDegree {
  double effect = 0;
  double z = 0;
  double degree = 0;
};

// Facts that the gates ask beyond the metric's own samples (gate_facts.h).
struct GateFacts {
  double requests = 0;         // of the component in the window (latency gate)
  bool flash = false;          // known not to rotate: a lower latency floor
  bool timed_flash = false;    // timed so well that with service_time "device" it has nearly none
  double mean_difference = 0;  // network: larger |mean - median| of what is received and sent
  // await: the same component's service time in the same window. Absent: the source has no busy
  // time, or fewer than three peers have; the gate is off then.
  std::optional<double> svctm_effect;  // 0 unless its direction is high
  std::optional<double> slowdown;      // service_time "device": of which the effect was made
  double slowdown_scatter = 0;         // of the peers' slowdowns
  double await_effect = 0;             // throughput: of the same component, 0 unless it is high
  bool busiest = false;                // service_time "device": serves more than any of its peers
  std::optional<DeviceTime> device_time;  // the same, where the kernel's clock is known
  Carried carried;                        // balances
  double means_scatter = 0;               // balances: of the peers' means, B/s
  double received_degree = 0;             // balances: of the traffic itself, 0 unless it is high
  double sent_degree = 0;
  std::optional<double> mean_util;  // %
  double least_util = 0;            // %, mean; three quarters of the group are busier
  bool busy_within_limit = false;   // saturation.h; only where the gate is "uncapped"
  // Where servers have several devices: the median mean of the other servers' devices in the same
  // place (like_devices.h).
  std::optional<double> like;
  double like_scatter = 0;  // of these means
};

// `component` counts as in `comparison`, which must be determined and made with w1.
[[nodiscard]] GatedDegree GateDegree(const Comparison& comparison, std::size_t component,
                                     const MetricRow& metric, const PresetSettings& preset,
                                     const GateFacts& facts);

// Returns whether an upper bound of s says that the component is not anomalous: its exact s would
// not be over the threshold either, whatever the gates that `facts` leaves out. Of a metric that
// judges another one, that it could not open the other's gate: `threshold` must then be the smaller
// of the two.
[[nodiscard]] bool GatedBoundSuffices(const Comparison& comparison, std::size_t component,
                                      const MetricRow& metric, const PresetSettings& preset,
                                      const GateFacts& facts, double threshold);

// The s that would give a component's degree the value `threshold`: effect and z are proportional
// to s. Infinite when no s would. `comparison` is graded.
[[nodiscard]] double FarDistance(const Comparison& comparison, std::size_t component,
                                 double threshold);

}  // namespace limpet
