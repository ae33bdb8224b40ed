// explain.h: evidence in plain words and units: "await of io04/sdb 2.7× its peers, +64 ms".
//
// Threads: pure.
#pragma once

#include <string>

#include "diagnoser/verdict/events.h"

namespace limpet {

[[nodiscard]] std::string Explain(const Evidence& evidence);

// "io04: disk-busy (await of io04/sdb 2.7× its peers, +64 ms; …)".
[[nodiscard]] std::string Explain(const VerdictEvent& verdict);

// "45 s", "12 min", "3 h 5 min", "2 d 1 h".
[[nodiscard]] std::string ForPeople(Duration duration);

}  // namespace limpet
