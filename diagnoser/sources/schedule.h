// schedule.h: when to ask which target.
//
// Every target has its own phase in the interval, from its name, so that a thousand targets are not
// asked in the same millisecond and a restart changes nothing. Exporters take their samples on the
// whole second, so with intervals of whole seconds the phases keep clear of it (from 0.15 s to
// 0.85 s into a second): each scrape then sees a new sample and never the same one twice.
//
// Threads: pure.
#pragma once

#include <string_view>

#include "exporter/common/time.h"

namespace limpet {

// Returns a phase in [0, interval).
[[nodiscard]] Duration FindPhase(std::string_view node, Duration interval);

// Returns how long from `now` to the next instant whose Unix time is `phase` into an interval; over
// 0, at most `interval`.
[[nodiscard]] Duration UntilNext(UnixTime now, Duration interval, Duration phase);

}  // namespace limpet
