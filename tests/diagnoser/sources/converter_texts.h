// converter_texts.h: what converters of other programs' files make of a text, however it is cut.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/sources/converter.h"
#include "diagnoser/sources/input_notes.h"

namespace limpet {

struct ConvertedText {
  std::string lines;
  std::string problem;  // of the error that ended it
  std::vector<std::string> warnings;
};

// The text is handed over in pieces of so many bytes.
template <class Made>
ConvertedText ConvertText(std::string_view text, std::size_t piece = 1000,
                          const std::string& path = "x.csv") {
  ConvertedText result;
  InputNotes notes(path,
                   [&](LogLevel, std::string_view said) { result.warnings.emplace_back(said); });
  Made converter(notes);
  const auto take = [&](Result<std::string> made) {
    result.problem = made ? result.problem : made.error().Text();
    result.lines += made.value_or("");
    return made.has_value();
  };
  bool good = true;
  for (std::size_t at = 0; at < text.size() && good; at += piece) {
    good = take(converter.Feed(text.substr(at, piece)));
  }
  if (good) {
    take(converter.Finish());
  }
  return result;
}

}  // namespace limpet
