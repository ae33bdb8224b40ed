// loss_judge.h: one side of a group's connections in one window: what had to be sent again,
// compared, filtered and explained (detect/loss/retransmissions.h).
//
// Threads: one at a time.
#pragma once

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
  std::size_t side = 0;  // of kCwndSides
};

struct LossSide {
  WindowEvent window;           // servers that sent enough; not for printing
  std::vector<Evidence> flags;  // by server; components are servers
  std::set<std::string> known;  // servers whose segments are counted, whether they sent any or not
  std::set<std::string> elevated;  // of these, servers with more sent again than their peers
};

[[nodiscard]] LossSide JudgeLossSide(const LossRound& round, const CwndSeconds& seconds,
                                     ComponentRecords& records);

}  // namespace limpet
