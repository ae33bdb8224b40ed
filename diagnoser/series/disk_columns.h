// disk_columns.h: a window of one disk at once: from the increases of its counters to the smoothed
// samples of its metrics, with the widest vector instructions this processor has.
//
// The same numbers to the bit as ComputeSamples (metrics/samples.h) of each step and Smooth
// (smoothing.h) of each metric give. Threads: pure.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "diagnoser/metrics/samples.h"
#include "diagnoser/series/increase.h"

namespace limpet {

// The increases of a disk's counters in the same steps, one column a counter.
class DiskColumns {
 public:
  // `steps` zeros in each column.
  explicit DiskColumns(std::size_t steps);

  [[nodiscard]] std::size_t Steps() const { return steps_; }
  [[nodiscard]] std::span<double> Column(std::size_t number) {
    return std::span(values_).subspan(number * Stride(), steps_);
  }
  [[nodiscard]] std::span<const double> Column(std::size_t number) const {
    return std::span(values_).subspan(number * Stride(), steps_);
  }
  // `range` must have as many bins as there are steps.
  void Put(DiskCounter counter, const IncreaseRange& range);

  // Nothing is missing in any column.
  [[nodiscard]] bool IsWhole() const;

  // The trailing means of `w` samples, 1 <= w <= Steps(), of all metrics: Steps() - w + 1 each, one
  // metric after the other in the order of their rows. Of columns that are whole.
  [[nodiscard]] std::vector<double> SmoothedSamples(Duration step, std::size_t w) const;

 private:
  // Room for whole vectors, and for those that begin at the last step.
  [[nodiscard]] std::size_t Stride() const { return (steps_ + 7) / 8 * 8 + 8; }

  std::size_t steps_;
  std::vector<double> values_;
};

}  // namespace limpet
