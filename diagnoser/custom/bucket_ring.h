// bucket_ring.h: what the buckets of one histogram rose by, tick by tick, for windows of any
// length.
//
// Tick j is the time ((j - 1) tick, j tick] in Unix time, as bins are in series/increase.h; what
// rose between two readings belongs to the tick of the second one.
// Memory:  4 bytes a bucket and tick: exact up to 16 million requests a tick.
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace limpet {

class BucketRing {
 public:
  // `ticks` are kept.
  explicit BucketRing(std::size_t ticks) : ticks_(ticks) {}

  // The number of the bucket with this bound (infinity: all requests); added when it is new. What
  // is known of the ticks before is forgotten then: other buckets tell of other distributions.
  [[nodiscard]] std::size_t FindOrAdd(double bound);
  // `tick` must not be before the latest one by as much as is kept; older increases are left out.
  void Add(std::size_t bucket, std::int64_t tick, double increase);
  // Forgets all increases.
  void Clear();

  // A bucket with its increase.
  struct Bucket {
    double bound = 0;
    double increase = 0;
    std::int64_t last = 0;  // the tick of its last reading
  };
  // Returns the increases in the ticks (after, upto], sorted by bound; empty: not all of
  // them are kept any more.
  [[nodiscard]] std::vector<Bucket> Sum(std::int64_t after, std::int64_t upto) const;
  // A reading of the bucket that may have been the first.
  void Came(std::size_t bucket, std::int64_t tick);

  [[nodiscard]] std::size_t Buckets() const { return bounds_.size(); }
  [[nodiscard]] static std::size_t Bytes(std::size_t ticks) { return ticks * sizeof(float); }

 private:
  [[nodiscard]] std::size_t Place(std::int64_t tick) const {
    return static_cast<std::size_t>(tick) % ticks_;
  }
  void MoveTo(std::int64_t tick);

  std::size_t ticks_;
  std::vector<double> bounds_;       // by number
  std::vector<std::int64_t> last_;   // by number
  std::vector<std::size_t> sorted_;  // numbers by bound
  std::vector<float> rises_;         // by place and number
  std::int64_t latest_ = 0;
  std::optional<std::int64_t> since_;  // the first tick with a reading
};

}  // namespace limpet
