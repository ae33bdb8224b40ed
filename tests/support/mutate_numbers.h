// mutate_numbers.h: texts with one number in one line made another: what broken clocks, cut lines
// and hostile sources bring, and what fuzzers of bytes hardly find.
#pragma once

#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace limpet::testing {

// Numbers at the ends of ranges: of seconds, milliseconds and nanoseconds in 64 bits, of what is
// taken, of doubles.
inline constexpr std::array<std::string_view, 32> kOddNumbers = {"0",
                                                                 "-1",
                                                                 "1e308",
                                                                 "1e309",
                                                                 "4e-324",
                                                                 "nan",
                                                                 "+Inf",
                                                                 "4102444800",
                                                                 "4102444801",
                                                                 "4611686018",
                                                                 "4611686019",
                                                                 "4611686018.427387904",
                                                                 "6999999999",
                                                                 "7000000000",
                                                                 "7000000001",
                                                                 "9223372036",
                                                                 "9223372037",
                                                                 "9223372036.854775807",
                                                                 "253402300799",
                                                                 "1e18",
                                                                 "1e19",
                                                                 "18446744073709551615",
                                                                 "9223372036854775807",
                                                                 "-9223372036854775808",
                                                                 "4611686018427",
                                                                 "7000000000000",
                                                                 "9223372036854",
                                                                 "9223372036855",
                                                                 "1e-9",
                                                                 "0.0000000001",
                                                                 "-0",
                                                                 "99999999999999999999"};

// Where numbers begin and end, as (place, length).
inline std::vector<std::pair<std::size_t, std::size_t>> FindNumbers(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::vector<std::pair<std::size_t, std::size_t>> numbers;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto end = i;
    while (end < text.size() && (is_digit(text[end]) || (text[end] == '.' && end > i))) {
      ++end;
    }
    if (end > i) {
      numbers.emplace_back(i, end - i);
      i = end;
    }
  }
  return numbers;
}

inline std::string MutateNumber(std::string text, std::mt19937& random) {
  const auto numbers = FindNumbers(text);
  if (numbers.empty()) {
    return text;
  }
  const auto pick = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
  };
  const auto [place, length] = numbers[pick(numbers.size())];
  // An odd one, or one digit another.
  if (pick(4) > 0) {
    return text.replace(place, length, kOddNumbers[pick(kOddNumbers.size())]);
  }
  text[place + pick(length)] = static_cast<char>('0' + pick(10));
  return text;
}

}  // namespace limpet::testing
