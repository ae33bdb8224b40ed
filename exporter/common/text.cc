#include "exporter/common/text.h"

#include <system_error>

namespace limpet {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

template <class Number>
std::optional<Number> ParseWhole(std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) {
    return std::nullopt;
  }
  return value;
}

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

std::string_view Trim(std::string_view text) {
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::optional<std::uint64_t> ParseU64(std::string_view text) {
  return ParseWhole<std::uint64_t>(text);
}

std::optional<std::int64_t> ParseI64(std::string_view text) {
  return ParseWhole<std::int64_t>(text);
}

std::optional<double> ParseDouble(std::string_view text) {
  // from_chars refuses a plus, which Prometheus prints before Inf; "+-1" stays no number.
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) {
      return std::nullopt;
    }
  }
  return ParseWhole<double>(text);
}

// Byte loops: find_first_of with a set calls memchr for every byte, and this is the inner loop of
// reading /proc.
std::string_view Fields::Next() {
  std::size_t first = 0;
  while (first < rest_.size() && IsBlank(rest_[first])) {
    ++first;
  }
  std::size_t end = first;
  while (end < rest_.size() && !IsBlank(rest_[end])) {
    ++end;
  }
  const auto field = rest_.substr(first, end - first);
  rest_.remove_prefix(end);
  return field;
}

std::optional<std::string_view> Lines::Next() {
  if (rest_.empty()) {
    return std::nullopt;
  }
  const auto length = rest_.find('\n');
  const auto line = rest_.substr(0, length);
  rest_.remove_prefix(length == std::string_view::npos ? rest_.size() : length + 1);
  return line;
}

}  // namespace limpet
