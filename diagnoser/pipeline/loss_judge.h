// loss_judge.h: a group's connections in one window: what had to be sent again, compared, filtered
// and explained (detect/loss/retransmissions.h).
//
// Threads: one at a time.
#pragma once

#include <array>
#include <set>
#include <string>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "diagnoser/pipeline/component_records.h"
#include "diagnoser/pipeline/cwnd_seconds.h"
#include "diagnoser/verdict/events.h"

namespace limpet {

struct LossRound {
  UnixTime end;
  JudgeMode mode = JudgeMode::kJudge;
  const std::string* group = nullptr;
  const PresetSettings* preset = nullptr;
};

struct LossSide {
  WindowEvent window;           // servers that sent enough; not for printing
  std::vector<Evidence> flags;  // by server; components are servers
  std::set<std::string> known;  // servers whose segments are counted, whether they sent any or not
  std::set<std::string> elevated;  // of these, servers with more sent again than their peers
};

// Unlike a congestion window, retransmissions and delays end with the fault, and two windows
// without any say so: the filter would keep the flag for as long as it took to raise.
[[nodiscard]] bool IsGoingOn(const MetricRecord& record);

// By side: what is sent to servers, and what they send.
[[nodiscard]] std::array<LossSide, kCwndSides> JudgeLoss(const LossRound& round,
                                                         const CwndSeconds& seconds,
                                                         ComponentRecords& records);

}  // namespace limpet
