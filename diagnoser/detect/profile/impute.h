// impute.h: missing samples filled in by locally weighted linear regression [Pan08 Figure 3].
//
// Bandwidth: h, the third smallest |s-t| over the seconds s with a sample.
// Fit:       a line through all samples within 10 h of t, weights exp(-(s-t)^2 / (2 h^2)); its
//            value at t, clamped at 0.
// Stays missing: before the first sample and after the last; a gap over 30 s; h over 20 s (in the
//            neighbourhood of the gap hardly anything is known; so nobody waits for ever).
// Looks to both sides: a second is known for certain only up to 230 s later. A live diagnosis that
// must not wait does without (docs/decisions/0091).
// Threads: values, one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

namespace limpet {

inline constexpr std::size_t kLongestGap = 30;    // s
inline constexpr std::size_t kWidestBand = 20;    // s
inline constexpr std::size_t kReachInBands = 10;  // of h, to both sides
inline constexpr std::size_t kLongestReach = kWidestBand * kReachInBands;
inline constexpr std::size_t kImputeDelay = kLongestGap + kLongestReach;  // s, the most

// Second by second; what it gives does not depend on when it is asked.
class Imputer {
 public:
  // The next second.
  void Put(double sample);
  // No more will come.
  void Finish() { finished_ = true; }
  // The oldest second not given yet, filled in; nullopt: it may still change, or there is none.
  [[nodiscard]] std::optional<double> Next();

 private:
  [[nodiscard]] std::optional<double> Settle(std::int64_t t) const;
  [[nodiscard]] std::optional<bool> IsBridged(std::int64_t t) const;
  [[nodiscard]] std::optional<std::int64_t> FindBand(std::int64_t t) const;
  [[nodiscard]] double Regress(std::int64_t t, std::int64_t h) const;
  [[nodiscard]] double At(std::int64_t t) const;

  std::deque<double> samples_;  // of the seconds from first_ on
  std::int64_t first_ = 0;
  std::int64_t end_ = 0;   // seconds put
  std::int64_t next_ = 0;  // to be taken
  bool begun_ = false;     // a sample has been seen before next_
  bool finished_ = false;
};

}  // namespace limpet
