#include "diagnoser/detect/wasserstein/wasserstein_pairs.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "diagnoser/detect/wasserstein/distance.h"

namespace limpet::wasserstein_pairs_test {
namespace {

using ::testing::ElementsAre;

// `shorter`: every third component lacks a sample.
SampleSet RandomSorted(std::size_t n, std::size_t count, bool shorter) {
  std::mt19937 random(5);
  SampleSet set;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> own(count - (shorter && i % 3 == 0 ? 1 : 0));
    for (double& x : own) {
      x = std::uniform_int_distribution<int>(0, 160)(random) / 4.0;
    }
    std::sort(own.begin(), own.end());
    set.Add(own);
  }
  return set;
}

std::vector<std::size_t> Everybody(std::size_t n) {
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

TEST(WassersteinPairs, ComponentsOfOneLengthMakeAClass) {
  const auto set = RandomSorted(5, 10, true);
  const WassersteinPairs pairs(set);
  EXPECT_THAT(pairs.Classes(), ElementsAre(ElementsAre(0, 3), ElementsAre(1, 2, 4)));
}

// Up to 256 components columns of distances are sorted, beyond that the m-th largest is chosen.
TEST(WassersteinPairs, AllDegreesAreThoseOfEveryRow) {
  for (const std::size_t n : {3U, 33U, 256U, 257U}) {
    const auto set = RandomSorted(n, 16, false);
    WassersteinPairs pairs(set);
    EXPECT_EQ(pairs.AllDegrees(), SomeDegrees(pairs, Everybody(n))) << n;
  }
}

TEST(WassersteinPairs, DistancesAreThoseOfThePair) {
  const auto set = RandomSorted(70, 16, true);
  WassersteinPairs pairs(set);
  std::vector<double> row(pairs.Stride());
  const std::vector<std::size_t> who = {1};
  pairs.Distances(1, who, row);
  for (std::size_t i = 0; i < set.size(); ++i) {
    EXPECT_NEAR(row[i] / pairs.Divisor(), WassersteinDistance(set.Of(1), set.Of(i)), 1e-12) << i;
  }
}

TEST(WassersteinPairs, ThePivotLiesInTheMiddle) {
  SampleSet set;
  for (const double x : {1, 2, 3, 4, 50}) {
    set.Add(std::vector<double>(8, x));
  }
  WassersteinPairs pairs(set);
  EXPECT_THAT(pairs.ToPivot(), ElementsAre(2, 1, 0, 1, 47));
}

}  // namespace
}  // namespace limpet::wasserstein_pairs_test
