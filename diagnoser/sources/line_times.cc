#include "diagnoser/sources/line_times.h"

#include <algorithm>
#include <cstdint>

#include "exporter/common/exposition/parser.h"
#include "exporter/common/instants.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

std::string_view LineAt(std::string_view text, std::size_t begin) {
  return text.substr(begin, text.find('\n', begin) - begin);
}

// The timestamp of a sample line; nullopt for comments and lines without one.
std::optional<UnixTime> ParseLineTime(std::string_view line, Format format) {
  if (line.empty() || line.front() == '#') {
    return std::nullopt;
  }
  // From the right: a label may hold braces and spaces.
  const auto brace = line.rfind('}');
  Fields fields(brace == std::string_view::npos ? line : line.substr(brace + 1));
  if (brace == std::string_view::npos) {
    fields.Next();  // the name
  }
  fields.Next();  // the value
  return ParseStamp(fields.Next(), format);
}

}  // namespace

std::optional<UnixTime> ParseStamp(std::string_view stamp, Format format) {
  const auto at =
      format == Format::kOpenMetrics ? ParseUnixSeconds(stamp) : ParseUnixMilliseconds(stamp);
  return at && IsInstant(*at) ? at : std::nullopt;
}

std::optional<UnixTime> FindFirstTime(std::string_view text, std::size_t begin, std::size_t end,
                                      Format format) {
  while (begin < end) {
    const auto line = LineAt(text, begin);
    if (const auto time = ParseLineTime(line, format)) {
      return time;
    }
    begin += line.size() + 1;
  }
  return std::nullopt;
}

std::optional<UnixTime> FindLastTime(std::string_view text, Format format) {
  while (!text.empty()) {
    const auto newline = text.rfind('\n', text.size() - 2);
    const auto begin = newline == std::string_view::npos || text.size() < 2 ? 0 : newline + 1;
    if (const auto time = ParseLineTime(LineAt(text, begin), format)) {
      return time;
    }
    text = text.substr(0, begin);
  }
  return std::nullopt;
}

std::size_t FindLater(std::string_view text, UnixTime until, Format format) {
  std::size_t low = 0;             // the line that begins here is not later
  std::size_t high = text.size();  // the one that begins here is, or there is none
  // By bisection: reading the time of every line would cost as much as parsing the page.
  while (true) {
    const auto begin =
        low + LineAt(text.substr(0, high), low + (high - low) / 2).size() + 1 + (high - low) / 2;
    if (begin >= high) {
      break;
    }
    const auto time = FindFirstTime(text, begin, high, format);
    (time && *time <= until ? low : high) = begin;
  }
  // Lines without a time stop the bisection early: what is left is walked.
  while (low < high) {
    const auto line = LineAt(text, low);
    const auto time = ParseLineTime(line, format);
    if (time && *time > until) {
      break;
    }
    low += line.size() + 1;
  }
  return std::min(low, text.size());
}

}  // namespace limpet
