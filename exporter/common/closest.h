// closest.h: "did you mean": which of the words that exist somebody most likely meant.
//
// Threads: pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace limpet {

// Letters to insert, delete, replace or swap with their neighbour.
[[nodiscard]] std::size_t EditDistance(std::string_view a, std::string_view b);

// The choice with the fewest edits, if that is at most a third of its length and is not the text
// itself; the first one when there are several.
[[nodiscard]] std::optional<std::string> Closest(std::string_view text,
                                                 const std::vector<std::string>& choices);

// "; did you mean X?", or nothing.
[[nodiscard]] std::string DidYouMean(std::string_view text,
                                     const std::vector<std::string>& choices);

}  // namespace limpet
