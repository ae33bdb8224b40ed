#include "exporter/common/exposition/numbers.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

#include "exporter/common/exposition/characters.h"

namespace limpet {
namespace {

constexpr int kMaxExponent = 1 << 20;  // far beyond what any double or time needs

// The parts of [+-]digits[.digits][e[+-]digits]; every view points into the text.
struct Decimal {
  bool negative = false;
  std::string_view whole;
  std::string_view fraction;
  int exponent = 0;  // bounded to ±kMaxExponent
};

std::string_view SplitDigits(std::string_view& rest) {
  std::size_t length = 0;
  while (length < rest.size() && Is(rest[length], kDigitByte)) {
    ++length;
  }
  const auto digits = rest.substr(0, length);
  rest.remove_prefix(length);
  return digits;
}

bool SplitSign(std::string_view& rest) {
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) {
    rest.remove_prefix(1);
  }
  return negative;
}

std::optional<Decimal> SplitDecimal(std::string_view rest) {
  Decimal parts;
  parts.negative = SplitSign(rest);
  parts.whole = SplitDigits(rest);
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    parts.fraction = SplitDigits(rest);
  }
  if (parts.whole.empty() && parts.fraction.empty()) {
    return std::nullopt;
  }
  if (rest.starts_with('e') || rest.starts_with('E')) {
    rest.remove_prefix(1);
    const bool negative = SplitSign(rest);
    const auto digits = SplitDigits(rest);
    if (digits.empty()) {
      return std::nullopt;
    }
    for (const char c : digits) {
      parts.exponent = parts.exponent * 10 + (c - '0');
      // Clamped at every digit: "1e99999999999" must not overflow an int.
      parts.exponent = parts.exponent > kMaxExponent ? kMaxExponent : parts.exponent;
    }
    parts.exponent = negative ? -parts.exponent : parts.exponent;
  }
  if (!rest.empty()) {
    return std::nullopt;
  }
  return parts;
}

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) {
    return false;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != lower[i]) {
      return false;
    }
  }
  return true;
}

std::optional<double> ParseWord(std::string_view text) {
  if (EqualsIgnoringCase(text, "nan")) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const bool negative = SplitSign(text);
  if (EqualsIgnoringCase(text, "inf") || EqualsIgnoringCase(text, "infinity")) {
    const auto infinity = std::numeric_limits<double>::infinity();
    return negative ? -infinity : infinity;
  }
  return std::nullopt;
}

// from_chars says "out of range" for both ends: a first digit below 1 means too small.
std::optional<double> OutOfRange(std::string_view text) {
  const auto parts = SplitDecimal(text);
  if (!parts) {
    return std::nullopt;
  }
  const auto lead = parts->whole.find_first_not_of('0');
  const auto after = parts->fraction.find_first_not_of('0');
  const auto place = lead != std::string_view::npos
                         ? static_cast<std::ptrdiff_t>(parts->whole.size() - lead)
                         : -static_cast<std::ptrdiff_t>(after);
  if (place + parts->exponent > 0) {
    return std::nullopt;
  }
  return parts->negative ? -0.0 : 0.0;
}

// That of digits[.digits] as ReadNumberOfShape can read it; of other forms none.
NumberShape Measure(std::string_view token) {
  // Above 15 digits the whole is no longer exact in a double; one division by at most 10^8 then
  // rounds as from_chars does (Clinger 1990).
  constexpr std::size_t kMaxDigits = 15;
  constexpr std::size_t kMaxFraction = 8;
  const auto whole = SplitDigits(token);
  if (token.starts_with('.')) {
    token.remove_prefix(1);
    const auto fraction = SplitDigits(token);
    const bool fits = !whole.empty() && !fraction.empty() && fraction.size() <= kMaxFraction &&
                      whole.size() + fraction.size() <= kMaxDigits;
    return token.empty() && fits ? NumberShape(whole.size(), fraction.size()) : NumberShape();
  }
  return token.empty() && whole.size() <= kMaxDigits ? NumberShape(whole.size(), 0) : NumberShape();
}

}  // namespace

ReadNumber ReadAnyNumber(const char* at) {
  const char* const end =
      std::find_if(at, at + kNumberBytes, [](char c) { return Is(c, kTokenEndByte); });
  const std::string_view token(at, static_cast<std::size_t>(end - at));
  const auto value = ParseSampleValue(token);
  if (!value) {
    return {};
  }
  return {.value = *value, .end = end, .shape = Measure(token)};
}

std::optional<double> ParseSampleValue(std::string_view text) {
  if (text.empty()) {
    return std::nullopt;
  }
  auto digits = text;
  SplitSign(digits);
  if (digits.empty() || !(Is(digits[0], kDigitByte) || digits[0] == '.')) {
    return ParseWord(text);
  }
  const auto number = text[0] == '+' ? digits : text;
  double value = 0;
  const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (stop != number.data() + number.size()) {
    return std::nullopt;
  }
  // Prometheus reads both: too small as 0, too large as an error.
  if (error == std::errc::result_out_of_range) {
    return OutOfRange(text);
  }
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

std::optional<UnixTime> ParseUnixMilliseconds(std::string_view text) {
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max() / 1'000'000;
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) {
      return std::nullopt;
    }
  }
  std::int64_t milliseconds = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, milliseconds);
  if (error != std::errc() || stop != end || milliseconds > kMax || milliseconds < -kMax) {
    return std::nullopt;
  }
  return UnixFromMilliseconds(milliseconds);
}

std::optional<UnixTime> ParseUnixSeconds(std::string_view text) {
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  const auto parts = SplitDecimal(text);
  if (!parts) {
    return std::nullopt;
  }
  // Nanoseconds are the digits up to nine places behind the point, wherever the exponent puts it.
  const auto& [negative, whole, fraction, exponent] = *parts;
  const auto digits = static_cast<std::ptrdiff_t>(whole.size() + fraction.size());
  const auto wanted = static_cast<std::ptrdiff_t>(whole.size()) + exponent + 9;
  std::int64_t nanoseconds = 0;
  for (std::ptrdiff_t i = 0; i < wanted; ++i) {
    if (i >= digits && nanoseconds == 0) {
      break;  // zeros only
    }
    const auto place = static_cast<std::size_t>(i);
    const char c = i >= digits            ? '0'
                   : place < whole.size() ? whole[place]
                                          : fraction[place - whole.size()];
    const int digit = c - '0';
    if (nanoseconds > (kMax - digit) / 10) {
      return std::nullopt;
    }
    nanoseconds = nanoseconds * 10 + digit;
  }
  return UnixFromNanoseconds(negative ? -nanoseconds : nanoseconds);
}

}  // namespace limpet
