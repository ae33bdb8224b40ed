// numbers.h: the values and timestamps of a metrics page.
//
// Threads: pure.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "exporter/common/time.h"

namespace limpet {

// A sample's value as Prometheus reads it: decimal or exponent form, [+-]inf, [+-]infinity and nan
// in any case. Too large for a double is no number, too small is 0. nullopt unless the whole text
// is a number.
[[nodiscard]] std::optional<double> ParseSampleValue(std::string_view text);

// The count of digits that a number of the usual form, digits[.digits], has before and behind the
// point. None before it: another form, or too long for ReadNumberOfShape.
class NumberShape {
 public:
  constexpr NumberShape() = default;
  constexpr NumberShape(std::size_t whole, std::size_t fraction)
      : digits_(static_cast<std::uint16_t>(whole | fraction << 8U)) {}
  [[nodiscard]] constexpr unsigned Whole() const { return digits_ & 0xFFU; }
  [[nodiscard]] constexpr unsigned Fraction() const { return digits_ >> 8U; }
  constexpr bool operator==(const NumberShape&) const = default;

 private:
  std::uint16_t digits_ = 0;
};

struct ReadNumber {
  double value = 0;
  const char* end = nullptr;  // the first byte behind the number; null: there is none
  NumberShape shape;
};

// Bytes that must be readable from `at` on; a longer number is not read.
inline constexpr std::size_t kNumberBytes = 32;

// The number that begins at `at` and ends before a blank or newline, as ParseSampleValue reads it.
[[nodiscard]] ReadNumber ReadAnyNumber(const char* at);

// The same number, provided that it has the shape of the one that stood there before: a guess that
// is mostly right, so that the processor need not wait for the digits to know where the number
// ends. `end` is null when the shape is another. A third of the time of reading a page that was
// predicted: with from_chars alone reading to the grid takes 1.3 times as long.
[[nodiscard]] ReadNumber ReadNumberOfShape(NumberShape shape, const char* at);

// Whole milliseconds since 1970 with an optional sign. nullopt when they do not fit UnixTime.
[[nodiscard]] std::optional<UnixTime> ParseUnixMilliseconds(std::string_view text);

// Decimal seconds since 1970 ("1700000000.123", "1.7e9"), exactly, never through a double; digits
// past the ninth are dropped. nullopt unless the whole text is a number that fits UnixTime.
[[nodiscard]] std::optional<UnixTime> ParseUnixSeconds(std::string_view text);

namespace numbers_detail {

inline constexpr std::array<std::uint64_t, 9> kWholePowersOfTen = {
    1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};

inline std::uint64_t FirstByteLowest(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof(word));
  if constexpr (std::endian::native == std::endian::big) {
    word = __builtin_bswap64(word);
  }
  return word;
}

// Eight digits, one a byte, the first lowest: pairs, fours, eight (Johnson, "Quickly parsing eight
// digits", 2018).
constexpr std::uint64_t JoinDigits(std::uint64_t word) {
  word = (word * 2561) >> 8U;
  word = ((word & 0x00FF00FF00FF00FFU) * 6553601) >> 16U;
  return ((word & 0x0000FFFF0000FFFFU) * 42949672960001U) >> 32U;
}

struct KnownDigits {
  std::uint64_t value = 0;
  std::uint64_t others = 0;  // not 0: some byte is no digit
};

// `count` digits, 1 to 8.
[[gnu::always_inline]] inline KnownDigits ReadKnownDigits(const char* at, unsigned count) {
  // Missing digits become zeros in front.
  const auto digits = (FirstByteLowest(at) ^ 0x3030303030303030U) << (64 - 8 * count);
  return {.value = JoinDigits(digits),
          .others = (digits | (digits + 0x7676767676767676U)) & 0x8080808080808080U};
}

}  // namespace numbers_detail

// GCC leaves calls of both where many sources compile as one, in every number of a page.
[[gnu::always_inline]] inline ReadNumber ReadNumberOfShape(NumberShape shape, const char* at) {
  using numbers_detail::kWholePowersOfTen;
  using numbers_detail::ReadKnownDigits;
  constexpr std::array<double, 9> kPowersOfTen = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
  const unsigned whole = shape.Whole();
  const unsigned fraction = shape.Fraction();
  if (whole == 0) {
    return {};
  }
  const char* end = at + whole;
  auto digits = ReadKnownDigits(at, whole <= 8 ? whole : 8U);
  if (whole > 8) {
    const auto rest = ReadKnownDigits(at + 8, whole - 8);
    digits = {.value = digits.value * kWholePowersOfTen[whole - 8] + rest.value,
              .others = digits.others | rest.others};
  }
  auto value = static_cast<double>(static_cast<std::int64_t>(digits.value));
  if (fraction != 0) {
    const auto rest = ReadKnownDigits(end + 1, fraction);
    digits.others |= rest.others | (*end == '.' ? 0U : 1U);
    digits.value = digits.value * kWholePowersOfTen[fraction] + rest.value;
    value = static_cast<double>(static_cast<std::int64_t>(digits.value)) / kPowersOfTen[fraction];
    end += 1 + fraction;
  }
  if (digits.others != 0 || (*end != ' ' && *end != '\n')) {
    return {};
  }
  return {.value = value, .end = end, .shape = shape};
}

}  // namespace limpet
