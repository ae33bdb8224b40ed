// print_numbers.h: values and times as a metrics page shows them.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "exporter/common/exposition/format.h"
#include "exporter/common/time.h"

namespace limpet {

// The longest double has 24 bytes, the longest time too.
inline constexpr std::size_t kPrintedBytes = 32;

// Copies a text to `out`, which has room for it; where it ends.
[[nodiscard]] char* Copy(char* out, std::string_view text);
// The shortest decimal that reads back as the same double, NaN, +Inf or -Inf, to `out`, which has
// room for kPrintedBytes; where it ends.
[[nodiscard]] char* PrintSampleValue(char* out, double value);
// The same at the end of a text.
void AppendSampleValue(std::string& text, double value);

// Returns the instant as a timestamp: rounded down to milliseconds, in the unit of the format.
[[nodiscard]] std::string RenderTimestamp(UnixTime at, Format format);
// Exactly: Unix seconds with three decimals, or with nine when those do not suffice.
[[nodiscard]] std::string RenderUnixSeconds(UnixTime at);

}  // namespace limpet
