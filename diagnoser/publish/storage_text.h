// storage_text.h: what the storage says of its own requests, in words.
//
// Threads: pure.
#pragma once

#include <string>
#include <string_view>

#include "diagnoser/metrics/metric.h"
#include "diagnoser/verdict/events.h"

namespace limpet {

// "time to commit a write of osd.7 on io04 (sdb): p99 120 ms, its peers' 14.0 to 18.0 ms".
// `evidence` has a StorageReading.
[[nodiscard]] std::string ExplainStorage(const Evidence& evidence);

// Returns factor and unit for people of values around `size`: seconds as ms or µs, bytes as MB.
[[nodiscard]] Display StorageDisplay(std::string_view unit, double size);

}  // namespace limpet
