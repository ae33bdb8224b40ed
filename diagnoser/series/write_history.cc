#include "diagnoser/series/write_history.h"

#include <algorithm>

namespace limpet {

std::optional<double> WrittenShare(std::span<const WriteStretch> stretches, double least) {
  double seconds = 0;
  double written = 0;
  double received = 0;
  for (const auto& one : stretches) {
    seconds += one.seconds;
    written += one.seconds * one.written;
    received += one.seconds * one.received;
  }
  return received > least * seconds ? std::optional(written / received) : std::nullopt;
}

double PartHeldBack(const WriteHistory& history, double share, double least) {
  double owed = 0;
  double beyond = 0;
  double paid = 0;
  for (const auto& one : history.stretches) {
    const double rate = one.written - share * one.received;
    if (rate < 0) {
      owed += -rate > least ? -rate * one.seconds : 0;
      continue;
    }
    const double back = std::min(owed, rate * one.seconds);
    owed -= back;
    if (one.end > history.window_begin) {
      beyond += rate * one.seconds;
      paid += back;
    }
  }
  return beyond > 0 ? paid / beyond : 0;
}

}  // namespace limpet
