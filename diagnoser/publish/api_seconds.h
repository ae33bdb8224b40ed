// api_seconds.h: instants as the API prints them.
//
// Threads: pure.
#pragma once

#include <chrono>

#include "exporter/common/time.h"

namespace limpet {

// Unix seconds, rounded to the millisecond: nanoseconds since 1970 do not fit a double, and their
// last digits would be noise. Events are exact instead (json_lines.h).
[[nodiscard]] inline double ApiSeconds(UnixTime at) {
  const auto ms = std::chrono::round<std::chrono::milliseconds>(at.time_since_epoch());
  return static_cast<double>(ms.count()) / 1000.0;
}

}  // namespace limpet
