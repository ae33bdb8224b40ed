// csv_cells.h: one line of comma-separated values, RFC 4180.
//
// Threads: pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace limpet {

// The cells without blanks around them; in quotes, "" is a quote. nullopt for a quote that does not
// end, or more cells than `max`.
[[nodiscard]] std::optional<std::vector<std::string>> SplitCsv(std::string_view line,
                                                               std::size_t max);

}  // namespace limpet
