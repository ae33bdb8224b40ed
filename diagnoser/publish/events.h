// events.h: events as JSON lines, the contract of `replay` (docs/formats/events.md).
//
// Numbers are printed so that reading them gives the same double again; times are Unix seconds.
// Threads: pure.
#pragma once

#include <string>

#include "diagnoser/verdict/events.h"

namespace limpet {

// One line with its newline.
[[nodiscard]] std::string ToJsonLine(const Event& event);

}  // namespace limpet
