// write_history.h: what a server received and wrote over minutes, and how much of what it writes
// now had come in before.
//
// Kernels, and storage that gathers writes, may hold back what came in for longer than any window;
// then they write it at once, and no peer does. That is a debt that is paid, and nobody's hog; as
// little is the next one, until it is much larger.
// Threads: pure.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "exporter/common/time.h"

namespace limpet {

// The means of one stretch, B/s.
struct WriteStretch {
  UnixTime end;
  double seconds = 0;
  double written = 0;
  double received = 0;

  friend bool operator==(const WriteStretch&, const WriteStretch&) = default;
};

struct WriteHistory {
  std::vector<WriteStretch> stretches;  // oldest first
  UnixTime window_begin;                // what ends later is the window's
};

// So long bytes may be held back.
inline constexpr Duration kHeldBack = std::chrono::minutes(8);

// Bytes that were written for a byte that came in; nullopt: less than `least` B/s did.
[[nodiscard]] std::optional<double> WrittenShare(std::span<const WriteStretch> stretches,
                                                 double least);

// Returns the part (0 to 1) of what the window writes beyond `share` of what it receives that came
// in before, unwritten. A stretch that lacks less than `least` B/s owes nothing.
[[nodiscard]] double PartHeldBack(const WriteHistory& history, double share, double least);

// Returns whether what came in and is not written yet is at most twice the largest debt of before
// that was paid, by three quarters at least.
[[nodiscard]] bool IsUsualDebt(const WriteHistory& history, double share, double least);

}  // namespace limpet
