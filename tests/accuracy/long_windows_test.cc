#include "tests/accuracy/long_windows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace limpet::accuracy::long_windows_test {
namespace {

// Exponential with mean 0.1 above 0.2, without dice: its quantiles.
std::vector<double> Tail(std::size_t count) {
  std::vector<double> maxima;
  for (std::size_t i = 0; i < count; ++i) {
    const double part = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    maxima.push_back(0.2 - 0.1 * std::log(part));
  }
  return maxima;
}

TEST(ThresholdWithin, IsWhatTheBudgetAllows) {
  // 2,000 disks in 2,000 server-days: two of them may exceed it.
  const auto found = ThresholdWithin(Tail(2000), 2000);
  EXPECT_NEAR(found.plain, 0.2 + 0.1 * std::log(2000 / 2.5), 1e-9);
  EXPECT_NEAR(found.tail, 0.2 + 0.1 * std::log(1000), 0.03);
  EXPECT_GT(found.upper, found.tail);
}

TEST(ThresholdWithin, GoesBeyondWhatWasSeenByTheTail) {
  // 100 server-days cannot show one in a thousand.
  const auto found = ThresholdWithin(Tail(200), 100);
  EXPECT_NEAR(found.plain, 0.2 + 0.1 * std::log(200 / 0.5), 1e-9);
  EXPECT_NEAR(found.tail, 0.2 + 0.1 * std::log(2000), 0.08);
}

}  // namespace
}  // namespace limpet::accuracy::long_windows_test
