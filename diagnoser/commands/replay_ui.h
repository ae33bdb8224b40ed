// replay_ui.h: the live page over a finished replay, until a signal.
//
// Threads: from main; it starts the web server's.
#pragma once

#include <string>

#include "diagnoser/runtime/replay_recorder.h"
#include "exporter/common/log.h"

namespace limpet {

// The exit code.
[[nodiscard]] int ServeReplay(ReplayRecorder& recorder, const PipelineView& view,
                              const std::string& listen_address, const LogSink& log);

}  // namespace limpet
