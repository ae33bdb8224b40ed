// text.h: the few ways this project takes text apart. No locale, no allocation.
//
// Threads: pure. Views point into the argument.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace limpet {

// Returns the text without spaces, tabs, CR and LF at both ends.
[[nodiscard]] std::string_view Trim(std::string_view text);

// Whole text must be a number: nullopt for an empty text, a sign, trailing bytes or overflow.
[[nodiscard]] std::optional<std::uint64_t> ParseU64(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> ParseI64(std::string_view text);
// Decimal or exponent form, and inf/nan in any case; nullopt unless the whole text is a number.
[[nodiscard]] std::optional<double> ParseDouble(std::string_view text);

// A cursor over fields parted by runs of spaces and tabs (the shape of most of /proc).
class Fields {
 public:
  explicit Fields(std::string_view line) : rest_(line) {}
  // The next field, or an empty view at the end of the line.
  std::string_view Next();

 private:
  std::string_view rest_;
};

// A cursor over lines; the last one may lack its newline.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  // The next line without its newline, or nullopt at the end.
  std::optional<std::string_view> Next();

 private:
  std::string_view rest_;
};

}  // namespace limpet
