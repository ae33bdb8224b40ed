// gauge_age.h: how old the latest reading of a gauge may be and still stand for a second.
//
// 2.5 s: two scrapes of 1 s may be missed or come late before a gauge has no value. The exporter
// reads congestion windows as rarely as every 5 s, but a page repeats the last reading, so only the
// page must be new. Threads: a constant.
#pragma once

#include <chrono>

#include "exporter/common/time.h"

namespace limpet {

inline constexpr Duration kMaxGaugeAge = std::chrono::milliseconds(2500);

}  // namespace limpet
