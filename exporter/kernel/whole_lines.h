// whole_lines.h: the part of a file of /proc that can be trusted.
//
// The kernel ends every line with a newline. A last line without one was cut, and a cut number
// would look like a counter that fell.
// Threads: pure; the view points into the argument.
#pragma once

#include <string_view>

namespace limpet {

// Up to and including the last newline; empty when there is none.
[[nodiscard]] constexpr std::string_view WholeLines(std::string_view text) {
  const auto last = text.rfind('\n');
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

}  // namespace limpet
