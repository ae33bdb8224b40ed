// metric.h: what a row of the table of metrics says (catalog.h).
//
// Threads: constants.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "diagnoser/metrics/kinds.h"

namespace limpet {

// The untrained gates that a metric has to pass before it counts (detect/gates.h).
enum class Gate : std::uint8_t {
  kNone,
  kLatency,     // enough requests, and a mean above the floor
  kThroughput,  // a mean more than the floor away from the peers'
  kNetwork,     // the larger of the two mean differences of the network gate above the floor
  kBalance,     // more than the floor away from the peers' and from 0, on the same side
};

// The meaning of a flag on a metric for the root-cause checklist ([Kasick10 §10.2]).
enum class Symptom : std::uint8_t {
  kNone,
  kThroughput,
  kLatency,
  kReceived,
  kSent,
  kWindow,
  kRetransmitted,
  kUnreceived,  // what the disks write and the network did not bring; low: the other way round
  kUnsent,      // what the disks read and the network does not take
  kDelay,       // round trips
};

struct ChecklistPlace {
  std::uint8_t place = 0;  // evidence is listed in this order; 0: not on the checklist
  Symptom symptom = Symptom::kNone;
};

// The divisor of the increases of a step.
enum class Per : std::uint8_t {
  kSecond,
  kRequest,    // 0 when the step's requests are under kMinRequests
  kBusyShare,  // of the step, in %, at most 100
  kReading,    // a gauge: its latest reading
  kNothing,    // made elsewhere, of single connections (cwnd_seconds.h)
};

// A sample is (counters[0] + counters[1]) * factor, divided by `per`; in that order of operations,
// so that every implementation gives the same bits.
struct Formula {
  static constexpr std::uint8_t kAbsent = 255;
  EntityKind of = EntityKind::kDisk;  // whose readings; summed when there are several
  std::array<std::uint8_t, 2> counters = {kAbsent, kAbsent};  // by number of the kind's enumerator
  double factor = 1;
  Per per = Per::kSecond;
  // A byte balance: what this counter of the node's disks rises by, less the counters above.
  std::uint8_t disk = kAbsent;

  [[nodiscard]] constexpr bool IsBalance() const { return disk != kAbsent; }
};

// The form in which people read a value: value * factor, then the unit.
struct Display {
  double factor = 1;
  std::string_view unit = {};
};

struct MetricRow {
  std::string_view name = {};   // the papers': in events, thresholds, state and model files
  std::string_view label = {};  // snake_case: in labels of /metrics and in the API
  std::string_view text = {};   // "time per request"
  std::string_view unit = {};   // of samples; empty: a plain number
  Display display = {};
  // Used where the label promises another unit than `unit`: the API gives value * factor in it.
  Display api = {};
  EntityKind entity = EntityKind::kDisk;  // what has it
  Formula formula = {};
  double noise_floor = 0;  // of the untrained default preset, in `unit`
  bool only_high = false;  // with hog_direction a low value is no fault
  Gate gate = Gate::kNone;
  // Number within the kind of the metric that must be anomalous, too, before this one counts, and
  // of the one that in turn rests on this one.
  std::optional<std::uint8_t> judged_with = {};
  std::optional<std::uint8_t> judges = {};
  ChecklistPlace checklist = {};
};

}  // namespace limpet
