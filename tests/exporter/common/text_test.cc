#include "exporter/common/text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace limpet::text_test {
namespace {

TEST(Trim, TakesBlanksOffBothEnds) {
  EXPECT_EQ(Trim("  a b\t\r\n"), "a b");
  EXPECT_EQ(Trim(" \n"), "");
}

TEST(ParseU64, WantsTheWholeText) {
  EXPECT_EQ(ParseU64("18446744073709551615"), 18446744073709551615ULL);
  EXPECT_EQ(ParseU64("18446744073709551616"), std::nullopt);
  EXPECT_EQ(ParseU64("-1"), std::nullopt);
  EXPECT_EQ(ParseU64("+1"), std::nullopt);
  EXPECT_EQ(ParseU64("12x"), std::nullopt);
  EXPECT_EQ(ParseU64(""), std::nullopt);
}

TEST(ParseDouble, KnowsTheFormsOfMetrics) {
  EXPECT_EQ(ParseDouble("+1.5e3"), 1500.0);
  EXPECT_EQ(ParseDouble("-0.25"), -0.25);
  EXPECT_TRUE(std::isinf(ParseDouble("+Inf").value_or(0)));
  EXPECT_TRUE(std::isnan(ParseDouble("NaN").value_or(0)));
  EXPECT_EQ(ParseDouble("+-1"), std::nullopt);
  EXPECT_EQ(ParseDouble("1 "), std::nullopt);
}

TEST(Fields, AreDividedByRunsOfBlanks) {
  Fields fields("  8   0 sda\t7 ");
  EXPECT_EQ(fields.Next(), "8");
  EXPECT_EQ(fields.Next(), "0");
  EXPECT_EQ(fields.Next(), "sda");
  EXPECT_EQ(fields.Next(), "7");
  EXPECT_EQ(fields.Next(), "");
  EXPECT_EQ(fields.Next(), "");
}

TEST(Lines, MayLackTheLastNewline) {
  Lines lines("one\n\nthree");
  EXPECT_EQ(lines.Next(), "one");
  EXPECT_EQ(lines.Next(), "");
  EXPECT_EQ(lines.Next(), "three");
  EXPECT_EQ(lines.Next(), std::nullopt);
}

}  // namespace
}  // namespace limpet::text_test
