#include "exporter/common/columns/decimal.h"

#include <array>
#include <cmath>

namespace limpet::columns {
namespace {

constexpr std::array<double, kMaxDecimals + 1> kPowersOfTen = {1e0, 1e1, 1e2, 1e3, 1e4,
                                                               1e5, 1e6, 1e7, 1e8, 1e9};

}  // namespace

std::optional<std::int64_t> ToDecimal(double value, unsigned decimals) {
  // Every whole number below 2^53 is a double; a decimal of at most 15 digits is the only one that
  // reads back as its double, so the product, which is rounded, cannot have hit a neighbour.
  constexpr double kExactIntegers = 9007199254740992.0;
  constexpr double kFifteenDigits = 1e15;
  const double number = std::nearbyint(value * kPowersOfTen[decimals]);
  if (!(std::fabs(number) < (decimals == 0 ? kExactIntegers : kFifteenDigits))) {
    return std::nullopt;  // a NaN too
  }
  const auto whole = static_cast<std::int64_t>(number);
  const bool is_minus_zero = whole == 0 && std::signbit(value);
  return FromDecimal(whole, decimals) == value && !is_minus_zero ? std::optional(whole)
                                                                 : std::nullopt;
}

double FromDecimal(std::int64_t number, unsigned decimals) {
  return static_cast<double>(number) / kPowersOfTen[decimals];
}

std::optional<unsigned> FindDecimals(std::span<const double> values) {
  // Most columns are counters: whole numbers, and nothing is tried twice.
  unsigned decimals = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    while (!ToDecimal(values[i], decimals)) {
      if (++decimals > kMaxDecimals) {
        return std::nullopt;
      }
      i = 0;  // a large number may have no room for another decimal
    }
  }
  return decimals;
}

}  // namespace limpet::columns
