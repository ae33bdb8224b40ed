// server_window.h: one window of a metric whose components are servers: what its own rule of
// comparison found, filtered, recorded and explained. Losses (loss_judge.h) and delays
// (delay_judge.h) are such metrics.
//
// Threads: one at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/detect/comparison.h"
#include "diagnoser/detect/preset.h"
#include "diagnoser/evidence/windows/component_records.h"
#include "diagnoser/verdict/events.h"

namespace limpet {

// The window that is judged. What it points to must outlive the call.
struct ServerRound {
  UnixTime end;
  JudgeMode mode = JudgeMode::kJudge;
  const std::string* group = nullptr;
  const PresetSettings* preset = nullptr;
};

struct ServerWindow {
  WindowEvent window;           // servers that take part; not for printing
  std::vector<Evidence> flags;  // by server; components are servers
};

// Is told of each server's record, by its place in the comparison.
using OnRecord = std::function<void(std::size_t place, const MetricRecord& record)>;

// Passes the degrees of `comparison`, one a server, through the filter. They are held against the
// preset's threshold_factor: nothing trains these metrics. A flag ends with two windows that are
// not anomalous: what these metrics show ends with the fault, and the filter would keep the flag
// for as long as it took to raise.
[[nodiscard]] ServerWindow RecordServers(const ServerRound& round, std::string_view metric,
                                         std::span<const std::string> servers,
                                         const Comparison& comparison, ComponentRecords& records,
                                         const OnRecord& on_record = {});

}  // namespace limpet
