// cwnd_judge.h: one side of a group's congestion windows in one window: samples, comparison, filter
// and evidence.
//
// Threads: one at a time.
#pragma once

#include <string>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "diagnoser/evidence/packets/cwnd_seconds.h"
#include "diagnoser/evidence/windows/component_records.h"
#include "diagnoser/verdict/events.h"

namespace limpet {

struct CwndRound {
  UnixTime end;
  JudgeMode mode = JudgeMode::kJudge;
  const std::string* group = nullptr;
  const PresetSettings* preset = nullptr;
  std::size_t side = 0;  // number of its row
  double f = 0.5;        // of this side
  bool trained = false;  // f
};

struct CwndSide {
  WindowEvent window;           // servers with a second to judge by; not for printing
  std::vector<Evidence> flags;  // by server; components are servers
};

[[nodiscard]] CwndSide JudgeCwndSide(const CwndRound& round, const CwndSeconds& seconds,
                                     ComponentRecords& records);

}  // namespace limpet
