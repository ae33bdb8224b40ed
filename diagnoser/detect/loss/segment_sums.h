// segment_sums.h: what one server's connections sent in single seconds, added up over a window.
//
// Units:   segments, seconds.
// Threads: pure.
#pragma once

#include <optional>
#include <vector>

#include "diagnoser/detect/loss/retransmissions.h"

namespace limpet {

// The mean round-trip time of what was sent counts as often as something was.
class MeanTrip {
 public:
  void Add(double sent, std::optional<double> round_trip) {
    if (round_trip) {
      sent_ += sent;
      waited_ += sent * *round_trip;
    }
  }
  [[nodiscard]] std::optional<double> Value() const {
    return sent_ > 0 ? std::optional(waited_ / sent_) : std::nullopt;
  }

 private:
  double sent_ = 0;
  double waited_ = 0;
};

// The totals of the seconds in which something was sent. What tells a queue that overflows from a
// lossy way (SegmentTotals::steady, ::least) is known from four seconds on: where connections are
// read every few seconds, one of them has all, and fewer cannot be told apart.
[[nodiscard]] SegmentTotals SumSeconds(std::vector<SegmentTotals> each);

}  // namespace limpet
