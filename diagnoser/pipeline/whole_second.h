// whole_second.h: instants as whole seconds since 1970, for what is looked at second by second.
//
// Threads: pure.
#pragma once

#include <chrono>
#include <cstdint>

#include "exporter/common/time.h"

namespace limpet {

// The second that `t` lies in or begins.
[[nodiscard]] inline std::int64_t WholeSecond(UnixTime t) {
  return std::chrono::floor<std::chrono::seconds>(t.time_since_epoch()).count();
}

}  // namespace limpet
