// false_alarms.h: how often the healthy may be expected to be flagged, from how close they come.
//
// One metric of one peer group under one preset or time scale. Of every block of 2k-1 window times
// (what one flag looks at, so blocks are nearly independent) the largest filtered degree of anybody
// who was never flagged in it is kept, in units of the threshold: a flag is a degree over 1. Those
// who are flagged may be sick and are left out. The largest tenth of these maxima is taken for the
// tail of a distribution in which ln(maximum) falls off exponentially (peaks over a threshold, the
// Hill estimator):
//   P(maximum > 1) = p_u exp(-ln(1/u) / beta),  beta = mean of ln(maximum / u) over those above u
// The rate is that times the blocks of a day. The upper end of its 95 % confidence interval takes
// beta 1.96 / sqrt(n) larger, n the maxima above u.
// Method, limits and a comparison with simulated days: docs/decisions/0183.
// Threads: values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "exporter/common/time.h"

namespace limpet {

struct FalseAlarmRate {
  double per_day = 0;
  double upper = 0;  // of its 95 % confidence interval, of what came near at all
  double days = 0;   // it rests on

  // Adds the rate of independent metrics, groups and scales.
  void Add(const FalseAlarmRate& other);
  // Returns the rate with what never came near: no event in so many days is under 3 in as many.
  [[nodiscard]] double Bound() const;
};

class FalseAlarmTail {
 public:
  // The largest degree of one window of those not flagged, in units of the threshold. `window`
  // counts window times (end / shift); blocks are of `length` of them.
  void Record(std::int64_t window, double largest, std::size_t length);

  // nullopt with fewer than kMinBlocks whole blocks.
  [[nodiscard]] std::optional<FalseAlarmRate> Estimate(Duration block) const;

  static constexpr std::uint64_t kMinBlocks = 50;

 private:
  // Bins of ln(maximum), from kLeast to 0; the first holds what is less, and nothing at all.
  static constexpr std::size_t kBins = 120;
  std::array<std::uint32_t, kBins> counts_{};
  std::uint64_t blocks_ = 0;
  std::int64_t block_ = -1;
  double largest_ = 0;  // of the block so far
};

}  // namespace limpet
