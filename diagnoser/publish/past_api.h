// past_api.h: /api/v1/past (docs/openapi.yaml): the readings of all nodes at an instant.
//
// Threads: pure.
#pragma once

#include <string>

#include "diagnoser/history/frame_log.h"
#include "diagnoser/history/recorder.h"
#include "exporter/common/time.h"

namespace limpet {

// Means of the step of `at`; without a frame when none is kept of then.
[[nodiscard]] std::string PastJson(const LiveView& live, UnixTime at);
// Of a finished replay: the frame that it shows at `at`.
[[nodiscard]] std::string PastJson(const FrameLog& recorded, UnixTime at);

}  // namespace limpet
