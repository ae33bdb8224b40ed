// numbers.h: the values and timestamps of a metrics page.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "exporter/common/time.h"

namespace limpet {

// A sample's value as Prometheus reads it: decimal or exponent form, [+-]inf, [+-]infinity and nan
// in any case. Too large for a double is no number, too small is 0. nullopt unless the whole text
// is a number.
[[nodiscard]] std::optional<double> ParseSampleValue(std::string_view text);

// Whole milliseconds since 1970 with an optional sign. nullopt when they do not fit UnixTime.
[[nodiscard]] std::optional<UnixTime> ParseUnixMilliseconds(std::string_view text);

// Decimal seconds since 1970 ("1700000000.123", "1.7e9"), exactly, never through a double; digits
// past the ninth are dropped. nullopt unless the whole text is a number that fits UnixTime.
[[nodiscard]] std::optional<UnixTime> ParseUnixSeconds(std::string_view text);

}  // namespace limpet
