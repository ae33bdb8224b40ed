#include "diagnoser/series/rates.h"

#include <gmock/gmock.h>

#include <random>
#include <vector>

#include "diagnoser/metrics/missing.h"
#include "tests/support/each_target.h"

namespace limpet {
namespace {

using ::limpet::testing::ForEachTarget;
using ::testing::ElementsAreArray;
using ::testing::NanSensitiveDoubleEq;

double Draw(std::mt19937& random) {
  return std::bernoulli_distribution(0.2)(random)
             ? kMissing
             : std::uniform_real_distribution<double>(0, 1e9)(random);
}

TEST(Rates, AreSummedStepByStepOnEveryInstructionSet) {
  std::mt19937 random(1);
  for (const std::size_t steps : {0U, 1U, 7U, 8U, 9U, 67U}) {
    std::vector<double> increases(steps);
    std::vector<double> before(steps);
    std::vector<double> expected(steps);
    for (std::size_t i = 0; i < steps; ++i) {
      increases[i] = Draw(random);
      before[i] = Draw(random);
      const double rate = increases[i] / 1.5;
      expected[i] = IsMissing(before[i]) ? rate : IsMissing(rate) ? before[i] : before[i] + rate;
    }
    std::vector<::testing::Matcher<double>> equal;
    for (const double value : expected) {
      equal.emplace_back(NanSensitiveDoubleEq(value));
    }
    ForEachTarget([&](const char* target) {
      auto sums = before;
      SumRates(increases, 1.5, sums.data());
      ASSERT_THAT(sums, ElementsAreArray(equal)) << target << " " << steps;
    });
  }
}

}  // namespace
}  // namespace limpet
