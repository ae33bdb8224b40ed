#include "exporter/common/columns/decimal.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace limpet::columns::decimal_test {
namespace {

TEST(Decimal, IsTheNumberOfItsLastDigits) {
  EXPECT_EQ(ToDecimal(1.25, 2), 125);
  EXPECT_EQ(ToDecimal(-0.001, 3), -1);
  EXPECT_EQ(ToDecimal(1.25, 1), std::nullopt);
  EXPECT_EQ(FromDecimal(125, 2), 1.25);
}

TEST(Decimal, NumbersThatAreNotExactHaveNone) {
  using Limits = std::numeric_limits<double>;
  for (const double value : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), -0.0,
                             Limits::denorm_min(), Limits::max(), 9007199254740992.0, 1.0 / 3}) {
    for (unsigned decimals = 0; decimals <= kMaxDecimals; ++decimals) {
      EXPECT_FALSE(ToDecimal(value, decimals)) << value;
    }
  }
  EXPECT_EQ(ToDecimal(9007199254740991.0, 0), 9007199254740991);
}

TEST(Decimal, AllOfAColumnAgreeOnTheDecimals) {
  EXPECT_EQ(FindDecimals(std::vector<double>{1, 2, 3}), 0U);
  EXPECT_EQ(FindDecimals(std::vector<double>{1, 0.25, 0.5}), 2U);
  EXPECT_EQ(FindDecimals(std::vector<double>{0.001, 9e14}), std::nullopt)
      << "9e14 has no room for three more digits";
  EXPECT_EQ(FindDecimals(std::vector<double>{0.1, 1.0 / 3}), std::nullopt);
}

}  // namespace
}  // namespace limpet::columns::decimal_test
