#include "exporter/common/exposition/print_numbers.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <random>

#include "exporter/common/exposition/numbers.h"

namespace limpet::print_numbers_test {
namespace {

std::string Printed(double value) {
  std::string text = "=";
  AppendSampleValue(text, value);
  return text.substr(1);
}

TEST(PrintSampleValue, IsTheShortestDecimal) {
  EXPECT_EQ(Printed(0), "0");
  EXPECT_EQ(Printed(-0.0), "-0");
  EXPECT_EQ(Printed(1e15), "1000000000000000");
  EXPECT_EQ(Printed(0.1), "0.1");
  EXPECT_EQ(Printed(-12.345), "-12.345");
  EXPECT_EQ(Printed(1e300), "1e+300");
  EXPECT_EQ(Printed(std::numeric_limits<double>::infinity()), "+Inf");
  EXPECT_EQ(Printed(std::numeric_limits<double>::quiet_NaN()), "NaN");
}

TEST(PrintSampleValue, ReadsBackAsTheSameDouble) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 10'000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (value == value) {
      ASSERT_EQ(ParseSampleValue(Printed(value)), value);
    }
  }
}

TEST(RenderUnixSeconds, HasThreeDecimalsOrNine) {
  EXPECT_EQ(RenderUnixSeconds(UnixFromMilliseconds(1'769'817'605'001)), "1769817605.001");
  EXPECT_EQ(RenderUnixSeconds(UnixFromNanoseconds(1'000'000'000'000'000'001)),
            "1000000000.000000001");
  EXPECT_EQ(RenderUnixSeconds(UnixFromNanoseconds(-1)), "-0.000000001");
  for (const auto ns : {INT64_MIN + 1, std::int64_t{-5}, INT64_MAX}) {
    const auto at = UnixFromNanoseconds(ns);
    EXPECT_EQ(ParseUnixSeconds(RenderUnixSeconds(at)), at) << ns;
  }
}

}  // namespace
}  // namespace limpet::print_numbers_test
