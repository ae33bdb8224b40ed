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

// The usual number, digits[.digits] with at most 15 digits in all, as ParseSampleValue would read
// it. It ends at the first other byte; `end` is null when it is of another form or longer.
struct PlainNumber {
  double value = 0;
  const char* end = nullptr;
};
// Bytes that must be readable from `at` on.
inline constexpr std::size_t kPlainNumberBytes = 32;
[[nodiscard]] PlainNumber ReadPlainNumber(const char* at);

// Whole milliseconds since 1970 with an optional sign. nullopt when they do not fit UnixTime.
[[nodiscard]] std::optional<UnixTime> ParseUnixMilliseconds(std::string_view text);

// Decimal seconds since 1970 ("1700000000.123", "1.7e9"), exactly, never through a double; digits
// past the ninth are dropped. nullopt unless the whole text is a number that fits UnixTime.
[[nodiscard]] std::optional<UnixTime> ParseUnixSeconds(std::string_view text);

}  // namespace limpet
