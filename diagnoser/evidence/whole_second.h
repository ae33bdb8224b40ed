// whole_second.h: instants as whole seconds since 1970, for what is looked at second by second.
//
// Threads: pure.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "exporter/common/time.h"

namespace limpet {

// The second that `t` lies in or begins.
[[nodiscard]] inline std::int64_t WholeSecond(UnixTime t) {
  return std::chrono::floor<std::chrono::seconds>(t.time_since_epoch()).count();
}

// Returns how many seconds a window judges by what happens in single seconds: windows overlap, but
// each second is to count in one of them only. At least 1.
[[nodiscard]] inline std::size_t SecondsPerShift(Duration shift) {
  return static_cast<std::size_t>(
      std::max<std::int64_t>(1, std::chrono::floor<std::chrono::seconds>(shift).count()));
}

}  // namespace limpet
