// native_histogram.h: native histograms of a store as the classic ones that pages have.
//
// A native histogram has buckets only where there are requests, of widths that follow from its
// resolution. Classic ones have the same bounds at each reading and on each server, which is what
// can be compared: here powers of the root of two, from kMargin of them below what a store has
// shown of a name to kMargin above. A bucket that lies over a bound is shared out evenly.
//
// Units:   those of the histogram.
// Bounds:  kMaxBounds of a histogram, kMaxNames names.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "exporter/common/time.h"

namespace limpet {

struct NativeBucket {
  double lower = 0;  // may be negative, or -infinity
  double upper = 0;  // may be infinity
  double count = 0;  // requests in it alone
};

struct NativePoint {
  UnixTime at;
  double count = 0;  // all requests
  std::vector<NativeBucket> buckets;
};

// Returns how many requests took at most `bound`.
[[nodiscard]] double CountUpTo(const NativePoint& point, double bound);

// The bounds of the classic histogram that stands for a native one, by name.
class NativeBounds {
 public:
  static constexpr int kMargin = 8;  // four powers of two
  static constexpr int kMaxBounds = 120;
  static constexpr std::size_t kMaxNames = 1000;

  // Widens the bounds of `name` to hold the buckets of these points.
  void Widen(const std::string& name, std::span<const NativePoint> points);
  // Returns them, ascending; empty: no point had a bucket with requests over 0.
  [[nodiscard]] std::vector<double> Of(const std::string& name) const;

 private:
  struct Range {
    int lowest = 0;
    int highest = 0;
  };
  std::map<std::string, Range> ranges_;
};

}  // namespace limpet
