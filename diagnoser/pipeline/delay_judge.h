// delay_judge.h: a group's connections in one window: round-trip times compared, filtered and
// explained (detect/delay/round_trips.h).
//
// Threads: one at a time.
#pragma once

#include <string>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "diagnoser/pipeline/component_records.h"
#include "diagnoser/pipeline/cwnd_seconds.h"
#include "diagnoser/verdict/events.h"

namespace limpet {

// Shorter windows say nothing: a queue may be full for some seconds.
inline constexpr std::size_t kMinDelaySeconds = 8;

struct DelayRound {
  UnixTime end;
  JudgeMode mode = JudgeMode::kJudge;
  const std::string* group = nullptr;
  const PresetSettings* preset = nullptr;
};

struct DelayFlags {
  WindowEvent window;           // servers that take part; not for printing
  std::vector<Evidence> flags;  // by server; components are servers
};

// Without components where the preset's windows are shorter than kMinDelaySeconds.
[[nodiscard]] DelayFlags JudgeDelays(const DelayRound& round, const CwndSeconds& seconds,
                                     ComponentRecords& records);

}  // namespace limpet
