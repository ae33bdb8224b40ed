#include "diagnoser/detect/histogram/cdf_pairs.h"

#include <gmock/gmock.h>

#include <numeric>
#include <random>

#include "tests/support/slow_peers.h"

namespace limpet::cdf_pairs_test {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

constexpr BinRange kBins{.lo = 0, .hi = 40, .count = 20};

testing::SlowSamples RandomSamples(std::size_t n, std::size_t most) {
  std::mt19937 random(3);
  testing::SlowSamples all(n);
  for (std::size_t i = 0; i < n; ++i) {
    all[i].resize(most - i % 3);
    for (double& x : all[i]) {
      x = std::uniform_int_distribution<int>(0, 160)(random) / 4.0;
    }
  }
  return all;
}

SampleSet Set(const testing::SlowSamples& all) {
  SampleSet set;
  for (const auto& own : all) {
    set.Add(own);
  }
  return set;
}

TEST(CdfPairs, HaveCumulativeCountsInBytes) {
  const CdfPairs pairs(Set({{0, 10, 10, 40}}), {.lo = 0, .hi = 40, .count = 4});
  EXPECT_THAT(pairs.Bytes(0), ElementsAre(1, 3, 3, 4));
}

TEST(CdfPairs, ComponentsOfOneLengthMakeAClass) {
  const CdfPairs pairs(Set(RandomSamples(7, 12)), kBins);
  EXPECT_THAT(pairs.Classes(),
              ElementsAre(ElementsAre(2, 5), ElementsAre(1, 4), ElementsAre(0, 3, 6)));
  EXPECT_EQ(pairs.Divisor(), 1) << "distances of different counts are divided one by one";
}

// The matrix of all pairs and the rows of some are made in different ways.
TEST(CdfPairs, AllDegreesAreThoseOfEveryRow) {
  std::vector<double> values(80 * 12);
  std::mt19937 random(4);
  for (double& x : values) {
    x = std::uniform_int_distribution<int>(0, 160)(random) / 4.0;
  }
  CdfPairs pairs(SampleSet(values, 80, 12), kBins);
  std::vector<std::size_t> all(80);
  std::iota(all.begin(), all.end(), std::size_t{0});
  EXPECT_EQ(pairs.AllDegrees(), SomeDegrees(pairs, all));
}

TEST(CdfPairs, DifferentCountsAgreeWithTheFormula) {
  const auto samples = RandomSamples(40, 30);
  CdfPairs pairs(Set(samples), kBins);
  const auto slow = testing::SlowDegrees(40, [&](auto i, auto j) {
    return testing::SlowCdf(samples[i], samples[j], kBins.lo, kBins.hi, kBins.count);
  });
  EXPECT_THAT(pairs.AllDegrees(), Pointwise(DoubleNear(1e-9), slow));
}

}  // namespace
}  // namespace limpet::cdf_pairs_test
