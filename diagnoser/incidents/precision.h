// precision.h: of the incidents that people have answered, how many were faults: how much a verdict
// is worth at this site.
//
// The latest answer to an incident counts. "false-alarm" and "scrub" say that it was no fault,
// "fixed" and "known" that it was one; "maintenance" says nothing about it.
// Threads: pure.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "diagnoser/incidents/store.h"

namespace limpet {

struct MeasuredPrecision {
  std::string cause;
  std::string metric;  // empty: of all metrics of the cause
  std::size_t right = 0;
  std::size_t wrong = 0;

  // 0 to 1.
  [[nodiscard]] double Value() const {
    return static_cast<double>(right) / static_cast<double>(right + wrong);
  }
};

// Answers count for so long.
inline constexpr Duration kPrecisionSpan = std::chrono::hours(24 * 90);

// Rows by cause, then metric; only those with at least one answer. `answers` by time.
[[nodiscard]] std::vector<MeasuredPrecision> MeasurePrecision(
    std::span<const IncidentStore::Answered> answers);

}  // namespace limpet
