// delay_judge.h: a group's connections in one window: round-trip times compared, filtered and
// explained (detect/delay/round_trips.h).
//
// Threads: one at a time.
#pragma once

#include <cstddef>

#include "diagnoser/evidence/packets/cwnd_seconds.h"
#include "diagnoser/evidence/windows/server_window.h"

namespace limpet {

// Shorter windows say nothing: a queue may be full for some seconds.
inline constexpr std::size_t kMinDelaySeconds = 8;

// Without components where the preset's windows are shorter than kMinDelaySeconds.
[[nodiscard]] ServerWindow JudgeDelays(const ServerRound& round, const CwndSeconds& seconds,
                                       ComponentRecords& records);

}  // namespace limpet
