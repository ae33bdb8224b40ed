#include "diagnoser/verdict/false_alarms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace limpet::false_alarms_test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kLength = 5;
constexpr Duration kBlock = 160s;  // 540 a day

// Blocks whose maxima are exp(-Exponential(1 / beta)) below `most`, in whole windows.
FalseAlarmTail Draw(int blocks, double most, double beta, std::uint64_t seed = 7) {
  std::mt19937_64 random(seed);
  std::exponential_distribution<double> far(1 / beta);
  FalseAlarmTail tail;
  for (std::int64_t window = 0; window < blocks * static_cast<std::int64_t>(kLength); ++window) {
    const bool last = window % static_cast<std::int64_t>(kLength) == 0;
    tail.Record(window, last ? most * std::exp(-far(random)) : 0.001, kLength);
  }
  tail.Record(blocks * static_cast<std::int64_t>(kLength), 0, kLength);
  return tail;
}

TEST(FalseAlarms, NeedsEnoughBlocks) {
  EXPECT_FALSE(Draw(49, 0.5, 0.3).Estimate(kBlock));
  EXPECT_TRUE(Draw(50, 0.5, 0.3).Estimate(kBlock));
}

TEST(FalseAlarms, OfHealthyFarFromTheThresholdAreFew) {
  const auto near = *Draw(2000, 0.9, 0.2).Estimate(kBlock);
  const auto far = *Draw(2000, 0.2, 0.2).Estimate(kBlock);
  EXPECT_GT(near.per_day, 10 * far.per_day);
  EXPECT_LT(far.per_day, 0.5);
  EXPECT_GE(far.upper, far.per_day);
}

// An unbounded tail whose exceedances are known: maxima are Pareto from `u` on.
TEST(FalseAlarms, OfAParetoTailAreWhatTheTailSays) {
  constexpr double kBeta = 0.25;
  constexpr double kFrom = 0.2;
  const double expected = 540 * std::pow(kFrom, 1 / kBeta);  // P(max > 1) a block: 0.0016
  int covered = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    std::exponential_distribution<double> over(1 / kBeta);
    FalseAlarmTail tail;
    for (std::int64_t block = 0; block <= 3000; ++block) {
      const double maximum = kFrom * std::exp(over(random));
      tail.Record(block, maximum > 1 ? 0.001 : maximum, 1);  // who is flagged is left out
    }
    const auto rate = *tail.Estimate(kBlock);
    EXPECT_GT(rate.per_day, expected / 4);
    EXPECT_LT(rate.per_day, expected * 4);
    covered += rate.upper >= expected ? 1 : 0;
  }
  EXPECT_GE(covered, 16);
}

TEST(FalseAlarms, OfSilenceAreUnderTheRuleOfThree) {
  FalseAlarmTail tail;
  for (std::int64_t window = 0; window <= 1000; ++window) {
    tail.Record(window, 0, 1);
  }
  const auto rate = *tail.Estimate(kBlock);
  EXPECT_EQ(rate.per_day, 0);
  EXPECT_EQ(rate.upper, 0);
  EXPECT_NEAR(rate.Bound(), 540 * 3 / 1000.0, 1e-9);
}

}  // namespace
}  // namespace limpet::false_alarms_test
