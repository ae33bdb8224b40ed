// utf8.h: is this text UTF-8 (RFC 3629: no surrogates, no overlong forms, at most U+10FFFF), and
// what to show when it is not.
//
// Threads: pure.
#pragma once

#include <string>
#include <string_view>

namespace limpet {

[[nodiscard]] bool IsUtf8(std::string_view text);

// Valid UTF-8 without control characters, for names the kernel takes from anyone: any other byte
// becomes the four characters \xNN, so that two names stay two. One bad label value fails the
// whole scrape in Prometheus.
[[nodiscard]] std::string Printable(std::string_view text);

// The same for a text that people read, in a log or on a terminal, with whatever names are in it:
// newlines and tabs stay, and what would turn the direction of writing (U+202E and its like) or is
// a control character of eight bits goes as well.
[[nodiscard]] std::string PrintableLines(std::string_view text);

}  // namespace limpet
