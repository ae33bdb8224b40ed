// line_times.h: when the lines of a recording were sampled, and where those after an instant begin.
//
// Texts are whole lines in order of time; comments and lines without a timestamp belong to the
// sample before them. Threads: pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "exporter/common/exposition/format.h"
#include "exporter/common/time.h"

namespace limpet {

// Returns what the last field of a line says; nullopt for what is no instant.
[[nodiscard]] std::optional<UnixTime> ParseStamp(std::string_view stamp, Format format);
// Returns the time of the first sample at or after the line that begins at `begin`, before `end`.
[[nodiscard]] std::optional<UnixTime> FindFirstTime(std::string_view text, std::size_t begin,
                                                    std::size_t end, Format format);
[[nodiscard]] std::optional<UnixTime> FindLastTime(std::string_view text, Format format);
// Returns where the lines later than `until` begin.
[[nodiscard]] std::size_t FindLater(std::string_view text, UnixTime until, Format format);

}  // namespace limpet
