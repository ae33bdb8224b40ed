#include "exporter/common/exposition/numbers.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <string_view>

namespace limpet::numbers_test {
namespace {

TEST(SampleValue, ReadsDecimalAndExponentForms) {
  EXPECT_EQ(ParseSampleValue("0"), 0.0);
  EXPECT_EQ(ParseSampleValue("-17"), -17.0);
  EXPECT_EQ(ParseSampleValue("+17"), 17.0);
  EXPECT_EQ(ParseSampleValue("9653.88"), 9653.88);
  EXPECT_EQ(ParseSampleValue(".5"), 0.5);
  EXPECT_EQ(ParseSampleValue("5."), 5.0);
  EXPECT_EQ(ParseSampleValue("1.234567e+06"), 1234567.0);
  EXPECT_EQ(ParseSampleValue("1E5"), 1e5);
  EXPECT_EQ(ParseSampleValue("18446744073709551615"), 18446744073709551615.0);
  EXPECT_EQ(ParseSampleValue("1.7976931348623157e+308"), std::numeric_limits<double>::max());
}

TEST(SampleValue, ReadsInfinityAndNaNInAnyCase) {
  const auto infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(ParseSampleValue("+Inf"), infinity);
  EXPECT_EQ(ParseSampleValue("inf"), infinity);
  EXPECT_EQ(ParseSampleValue("-Infinity"), -infinity);
  EXPECT_TRUE(std::isnan(ParseSampleValue("NaN").value_or(0)));
  EXPECT_TRUE(std::isnan(ParseSampleValue("nan").value_or(0)));
}

TEST(SampleValue, RefusesWhatIsNoNumber) {
  for (const auto* text : {"", "-", "+", ".", "e5", "1e", "1e+", "1e+-5", "--1", "+-1", "0x10",
                           "1_000", "nan(1)", "+NaN", "1.2.3", "1 ", "infinit", "1,5"}) {
    EXPECT_FALSE(ParseSampleValue(text)) << text;
  }
}

TEST(SampleValue, TooLargeIsNoNumberAndTooSmallIsZero) {
  EXPECT_FALSE(ParseSampleValue("1e309"));
  EXPECT_FALSE(ParseSampleValue("-1" + std::string(400, '0')));
  EXPECT_EQ(ParseSampleValue("1e-400"), 0.0);
  EXPECT_EQ(ParseSampleValue("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_EQ(ParseSampleValue("0e99999999999"), 0.0);
}

// Every double, printed the shortest way, comes back as itself.
TEST(SampleValue, ReadsBackWhatToCharsPrints) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200'000; ++i) {
    double value = 0;
    if (i % 2 == 0) {
      const auto bits = random();
      std::memcpy(&value, &bits, sizeof(value));
    } else {
      value = static_cast<double>(random() % 1'000'000'000) / std::pow(10.0, random() % 12);
    }
    if (!std::isfinite(value)) {
      continue;
    }
    char text[64];
    const auto* const stop = std::to_chars(text, text + sizeof(text), value).ptr;
    const std::string_view printed(text, static_cast<std::size_t>(stop - text));
    ASSERT_EQ(ParseSampleValue(printed), value) << printed;
  }
}

// Numbers of every small form.
TEST(SampleValue, AgreesWithFromChars) {
  std::mt19937_64 random(8);
  const std::string alphabet = "0123456789.e+-";
  for (int i = 0; i < 500'000; ++i) {
    std::string text;
    for (auto left = 1 + random() % 18; left != 0; --left) {
      text += alphabet[random() % (i % 2 == 0 ? 11 : alphabet.size())];
    }
    double expected = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, expected);
    const auto value = ParseSampleValue(text);
    if (error == std::errc() && stop == end) {
      ASSERT_EQ(value, expected) << text;
    } else if (error != std::errc::result_out_of_range && text[0] != '+') {
      ASSERT_FALSE(value) << text;
    }
  }
}

TEST(UnixSeconds, KeepsEveryNanosecond) {
  EXPECT_EQ(ParseUnixSeconds("1700000000"), UnixFromSeconds(1'700'000'000));
  EXPECT_EQ(ParseUnixSeconds("1700000000.123"), UnixFromMilliseconds(1'700'000'000'123));
  EXPECT_EQ(ParseUnixSeconds("1700000000.123456789"),
            UnixFromNanoseconds(1'700'000'000'123'456'789));
  EXPECT_EQ(ParseUnixSeconds("-0.5"), UnixFromMilliseconds(-500));
  EXPECT_EQ(ParseUnixSeconds("1.700000000123e9"), UnixFromMilliseconds(1'700'000'000'123));
  EXPECT_EQ(ParseUnixSeconds("1700000000123e-3"), UnixFromMilliseconds(1'700'000'000'123));
}

TEST(UnixSeconds, DropsDigitsPastTheNinth) {
  EXPECT_EQ(ParseUnixSeconds("0.1234567899"), UnixFromNanoseconds(123'456'789));
  EXPECT_EQ(ParseUnixSeconds("1e-10"), UnixFromNanoseconds(0));
}

TEST(UnixSeconds, RefusesWhatDoesNotFit) {
  EXPECT_TRUE(ParseUnixSeconds("9223372036.854775807"));
  EXPECT_FALSE(ParseUnixSeconds("9223372036.854775808"));
  EXPECT_FALSE(ParseUnixSeconds("1e99"));
  EXPECT_EQ(ParseUnixSeconds("0e99999"), UnixFromNanoseconds(0));
  for (const auto* text : {"", ".", "-", "NaN", "1s", "1e", "1700000000,1"}) {
    EXPECT_FALSE(ParseUnixSeconds(text)) << text;
  }
}

// What both ways of reading a number in a page give must be ParseSampleValue's to the bit.
void ExpectReadAsParsed(const std::string& text) {
  const auto padded = text + "\n" + std::string(kNumberBytes, '7');
  const auto value = ParseSampleValue(text);
  const auto number = ReadAnyNumber(padded.data());
  ASSERT_EQ(number.end != nullptr, value.has_value()) << text;
  if (!value) {
    return;
  }
  EXPECT_EQ(number.value, *value) << text;
  EXPECT_EQ(number.end, padded.data() + text.size()) << text;
  if (number.shape != NumberShape()) {
    const auto again = ReadNumberOfShape(number.shape, padded.data());
    EXPECT_EQ(again.value, *value) << text;
    EXPECT_EQ(again.end, number.end) << text;
  }
}

TEST(ReadNumber, EveryShapeIsReadAsFromCharsReadsIt) {
  std::mt19937_64 random(9);
  for (std::size_t whole = 0; whole <= 18; ++whole) {
    for (std::size_t fraction = 0; whole + fraction <= 18; ++fraction) {
      for (int i = 0; i < 50; ++i) {
        std::string digits;
        while (digits.size() < whole + fraction) {
          digits += static_cast<char>('0' + random() % 10);
        }
        ExpectReadAsParsed(digits.substr(0, whole));
        ExpectReadAsParsed(digits.substr(0, whole) + "." + digits.substr(whole));
      }
    }
  }
}

TEST(ReadNumber, TheUsualFormHasAShape) {
  const auto shape = [](std::string text) {
    text += " " + std::string(kNumberBytes, '7');
    return ReadAnyNumber(text.data()).shape;
  };
  EXPECT_EQ(shape("7"), NumberShape(1, 0));
  EXPECT_EQ(shape("1234567.12345678"), NumberShape(7, 8));
  EXPECT_EQ(shape("123456789012345"), NumberShape(15, 0));
  for (const auto* other :
       {"1234567890123456", "1.123456789", ".5", "5.", "-1", "+1", "1e5", "NaN"}) {
    EXPECT_EQ(shape(other), NumberShape()) << other;
  }
}

TEST(ReadNumber, AnotherShapeIsNotRead) {
  const auto read = [](NumberShape shape, std::string text) {
    text += " " + std::string(kNumberBytes, '7');
    return ReadNumberOfShape(shape, text.data()).end != nullptr;
  };
  EXPECT_TRUE(read({3, 1}, "123.4"));
  EXPECT_FALSE(read({3, 1}, "12.34"));
  EXPECT_FALSE(read({3, 1}, "1234.5"));
  EXPECT_FALSE(read({3, 1}, "123.45"));
  EXPECT_FALSE(read({3, 0}, "12a"));
  EXPECT_FALSE(read({}, "1"));
}

TEST(ReadNumber, WhatIsNoNumberIsNotRead) {
  for (const std::string text : {"", ".", "1,5", "1.5.5", "0x10", "\xFF"}) {
    const auto padded = text + " " + std::string(kNumberBytes, '7');
    EXPECT_EQ(ReadAnyNumber(padded.data()).end, nullptr) << text;
  }
  const std::string longer(2 * kNumberBytes, '7');  // goes on behind what may be read
  EXPECT_EQ(ReadAnyNumber(longer.data()).end, longer.data() + kNumberBytes);
}

TEST(UnixMilliseconds, AreWholeNumbersThatFit) {
  EXPECT_EQ(ParseUnixMilliseconds("1700000000123"), UnixFromMilliseconds(1'700'000'000'123));
  EXPECT_EQ(ParseUnixMilliseconds("-1"), UnixFromMilliseconds(-1));
  EXPECT_TRUE(ParseUnixMilliseconds("9223372036854"));
  for (const auto* text : {"", "1.5", "+-1", "1e3", "9223372036855", "99999999999999999999"}) {
    EXPECT_FALSE(ParseUnixMilliseconds(text)) << text;
  }
}

}  // namespace
}  // namespace limpet::numbers_test
