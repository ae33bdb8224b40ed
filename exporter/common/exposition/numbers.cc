#include "exporter/common/exposition/numbers.h"

#include <array>
#include <bit>
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

std::string_view TakeDigits(std::string_view& rest) {
  std::size_t length = 0;
  while (length < rest.size() && Is(rest[length], kDigitByte)) {
    ++length;
  }
  const auto digits = rest.substr(0, length);
  rest.remove_prefix(length);
  return digits;
}

bool TakeSign(std::string_view& rest) {
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) {
    rest.remove_prefix(1);
  }
  return negative;
}

std::optional<Decimal> SplitDecimal(std::string_view rest) {
  Decimal parts;
  parts.negative = TakeSign(rest);
  parts.whole = TakeDigits(rest);
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    parts.fraction = TakeDigits(rest);
  }
  if (parts.whole.empty() && parts.fraction.empty()) {
    return std::nullopt;
  }
  if (rest.starts_with('e') || rest.starts_with('E')) {
    rest.remove_prefix(1);
    const bool negative = TakeSign(rest);
    const auto digits = TakeDigits(rest);
    if (digits.empty()) {
      return std::nullopt;
    }
    for (const char c : digits) {
      parts.exponent = parts.exponent * 10 + (c - '0');
      parts.exponent = parts.exponent > kMaxExponent ? kMaxExponent : parts.exponent;
    }
    parts.exponent = negative ? -parts.exponent : parts.exponent;
  }
  if (!rest.empty()) {
    return std::nullopt;
  }
  return parts;
}

constexpr std::array<double, 23> kPowersOfTen = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Most values of real pages: at most 15 digits and a small power of ten, where one exact
// multiplication or division rounds correctly (Clinger 1990).
std::optional<double> ParseShort(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const bool negative = *at == '-';
  at += negative ? 1 : 0;
  std::uint64_t digits = 0;
  const char* const first = at;
  for (; at != end && Is(*at, kDigitByte); ++at) {
    digits = digits * 10 + static_cast<std::uint64_t>(*at - '0');
  }
  auto count = at - first;
  std::ptrdiff_t scale = 0;
  if (at != end && *at == '.') {
    const char* const point = ++at;
    for (; at != end && Is(*at, kDigitByte); ++at) {
      digits = digits * 10 + static_cast<std::uint64_t>(*at - '0');
    }
    scale = point - at;
    count -= scale;
  }
  if (count == 0 || count > 15) {
    return std::nullopt;
  }
  if (at != end && *at == 'e' && end - at >= 3 && (at[1] == '+' || at[1] == '-')) {
    int exponent = 0;
    const char* const sign = at + 1;
    const auto [stop, error] = std::from_chars(at + 2, end, exponent);
    if (error != std::errc() || at[2] == '-') {
      return std::nullopt;
    }
    scale += *sign == '-' ? -exponent : exponent;
    at = stop;
  }
  if (at != end || scale < -22 || scale > 22) {
    return std::nullopt;
  }
  auto value = static_cast<double>(digits);
  value = scale < 0 ? value / kPowersOfTen[static_cast<std::size_t>(-scale)]
                    : value * kPowersOfTen[static_cast<std::size_t>(scale)];
  return negative ? -value : value;
}

// Up to eight digits from the front of eight bytes.
struct DigitRun {
  std::uint64_t value = 0;
  unsigned count = 0;
};

DigitRun ReadDigits(const char* at) {
  const auto word = numbers_detail::FirstByteLowest(at);
  // A high bit in each byte that is no digit; bits above the first may be wrong.
  const auto others =
      ((word + 0x4646464646464646U) | (word - 0x3030303030303030U)) & 0x8080808080808080U;
  const auto count = others == 0 ? 8U : static_cast<unsigned>(std::countr_zero(others)) / 8;
  if (count == 0) {
    return {};
  }
  // Missing digits become zeros in front.
  const auto digits = (word << (64 - 8 * count)) & 0x0F0F0F0F0F0F0F0FU;
  return {.value = numbers_detail::JoinDigits(digits), .count = count};
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
  const bool negative = TakeSign(text);
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

}  // namespace

PlainNumber ReadPlainNumber(const char* at) {
  using numbers_detail::kWholePowersOfTen;
  auto run = ReadDigits(at);
  auto digits = run.value;
  auto count = run.count;
  const char* end = at + run.count;
  const auto more = [&] {
    run = ReadDigits(end);
    digits = digits * kWholePowersOfTen[run.count] + run.value;
    count += run.count;
    end += run.count;
  };
  if (run.count == 8) {
    more();
  }
  unsigned scale = 0;
  if (*end == '.') {
    const char* const point = ++end;
    more();
    scale = static_cast<unsigned>(end - point);
  }
  if (count == 0 || count > 15 || (*end != ' ' && *end != '\n')) {
    return {};
  }
  const auto value = static_cast<double>(digits);
  return {.value = scale == 0 ? value : value / kPowersOfTen[scale],
          .end = end,
          .shape = {count - scale, scale}};
}

std::optional<double> ParseSampleValue(std::string_view text) {
  if (text.empty()) {
    return std::nullopt;
  }
  if (const auto value = ParseShort(text)) {
    return value;
  }
  auto digits = text;
  TakeSign(digits);
  if (digits.empty() || !(Is(digits[0], kDigitByte) || digits[0] == '.')) {
    return ParseWord(text);
  }
  const auto number = text[0] == '+' ? digits : text;
  double value = 0;
  const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (stop != number.data() + number.size()) {
    return std::nullopt;
  }
  if (error == std::errc::result_out_of_range) {
    return OutOfRange(text);
  }
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

std::optional<UnixTime> ParseUnixMilliseconds(std::string_view text) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max() / 1'000'000;
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) {
      return std::nullopt;
    }
  }
  std::int64_t milliseconds = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, milliseconds);
  if (error != std::errc() || stop != end || milliseconds > kMost || milliseconds < -kMost) {
    return std::nullopt;
  }
  return UnixFromMilliseconds(milliseconds);
}

std::optional<UnixTime> ParseUnixSeconds(std::string_view text) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
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
    if (nanoseconds > (kMost - digit) / 10) {
      return std::nullopt;
    }
    nanoseconds = nanoseconds * 10 + digit;
  }
  return UnixFromNanoseconds(negative ? -nanoseconds : nanoseconds);
}

}  // namespace limpet
