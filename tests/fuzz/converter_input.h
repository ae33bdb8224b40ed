// converter_input.h: what must hold of every converter of other programs' files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "diagnoser/sources/converter.h"
#include "diagnoser/sources/input_notes.h"

namespace limpet {

// All lines until the end or an error.
template <class Made>
std::string ConvertInPieces(std::string_view text, std::size_t piece, const std::string& path) {
  std::uint64_t said = 0;
  InputNotes notes(path, [&](LogLevel, std::string_view) { ++said; });
  Made converter(notes);
  std::string lines;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    const auto made = converter.Feed(text.substr(at, piece));
    if (!made) {
      return lines;
    }
    lines += *made;
  }
  lines += converter.Finish().value_or("");
  if (said > 2 * InputNotes::kMaxNamed) {
    std::abort();
  }
  return lines;
}

template <class Made>
void CheckConverter(const std::uint8_t* data, std::size_t size, const std::string& path) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto lines = ConvertInPieces<Made>(text, 64, path);
  if (!lines.empty() && lines.back() != '\n') {
    std::abort();
  }
  // An error may come before or after the last lines, depending on the cut.
  const auto other = ConvertInPieces<Made>(text, 7, path);
  if (!lines.starts_with(other) && !other.starts_with(lines)) {
    std::abort();
  }
}

}  // namespace limpet
