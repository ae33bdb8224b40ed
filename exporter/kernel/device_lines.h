// device_lines.h: a file of /proc with a line a device, taken apart line by line.
//
// Damage:  what is whole is read; a line that is not is counted, and the first one described. A
//          last line without its newline is cut, whatever it looks like (whole_lines.h).
// Threads: pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/text.h"
#include "exporter/kernel/whole_lines.h"

namespace limpet {

template <class Line>
struct DeviceLines {
  std::vector<Line> lines;  // in the order of the file
  std::size_t skipped = 0;
  std::string problem;  // of the first skipped line; empty when none was

  void Skip(std::size_t number, std::string_view why) {
    if (skipped++ == 0) {
      problem = "line " + std::to_string(number) + ": " + std::string(why);
    }
  }
};

// `parse` makes an optional Line of a line's text; `expected` says what it wants to see. Up to
// `headings` lines at the top may be headings, which have a bar in them.
template <class Line, class Parse>
[[nodiscard]] DeviceLines<Line> ParseDeviceLines(std::string_view text, std::size_t headings,
                                                 std::string_view expected, const Parse& parse) {
  constexpr std::size_t kUsualLine = 64;  // bytes; only sizes the vector
  DeviceLines<Line> result;
  const auto whole = WholeLines(text);
  result.lines.reserve(whole.size() / kUsualLine);
  Lines lines(whole);
  std::size_t number = 0;
  while (const auto line = lines.Next()) {
    ++number;
    if (number <= headings && line->find('|') != std::string_view::npos) {
      continue;
    }
    if (const std::optional<Line> device = parse(*line)) {
      result.lines.push_back(*device);
    } else if (!Trim(*line).empty()) {
      result.Skip(number, expected);
    }
  }
  if (whole.size() != text.size()) {
    result.Skip(number + 1, "cut before its end");
  }
  return result;
}

}  // namespace limpet
