// event_text.h: events for people, a line each, as `replay --format text` prints them.
//
// Threads: pure.
#pragma once

#include <string>

#include "diagnoser/verdict/events.h"

namespace limpet {

// Lines with their newlines: a verdict with its evidence, a storm, what the bimodality check found,
// a summary with its hourly list. Empty for the other events, of which there are too many to read.
[[nodiscard]] std::string EventText(const Event& event);

}  // namespace limpet
