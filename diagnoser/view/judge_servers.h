// judge_servers.h: whether each server is judged, and what comes of it: the one place that decides
// what may be shown as healthy.
//
// A server is like its peers only when every peer group that it has components in has compared it
// at a window end within the horizon, in as many windows in a row as a verdict takes. Groups of
// connections and of recent components count only for servers that are in no other. Everything else
// without a verdict is not judged, and says why.
// Threads: pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "diagnoser/view/view_types.h"

namespace limpet {

// Returns how old the last window end of a live preset may be: two window shifts, and the time that
// readings may take or be missing.
[[nodiscard]] Duration Horizon(const PresetSettings& preset, Duration lateness);

// The state of a target.
struct KnownServer {
  std::string node;
  std::optional<bool> up;  // absent: it has not been asked yet
  std::string error;       // why it is not up
};

struct JudgementInput {
  const PipelineView* view = nullptr;
  std::span<const PresetSettings> presets;
  Duration lateness{};
  UnixTime now;
  std::vector<KnownServer> known;                    // of recordings none
  std::optional<Duration> data_step = std::nullopt;  // between readings, where that is known
};
[[nodiscard]] Judgements JudgeServers(const JudgementInput& input);

}  // namespace limpet
