#include "diagnoser/detect/kernels/all_pairs.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <utility>

#include "diagnoser/detect/histogram/cdf_pairs.h"
#include "diagnoser/detect/histogram/distance.h"
#include "diagnoser/detect/kernels/plain_pairs.h"
#include "diagnoser/detect/wasserstein/wasserstein_pairs.h"
#include "tests/support/each_target.h"
#include "tests/support/slow_peers.h"

namespace limpet::all_pairs_test {
namespace {

using ::limpet::testing::ForEachTarget;
using ::limpet::testing::SlowCdf;
using ::limpet::testing::SlowDegrees;
using ::limpet::testing::SlowKl;
using ::limpet::testing::SlowSamples;
using ::limpet::testing::SlowWasserstein;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

SampleSet Set(const SlowSamples& components, bool sorted = false) {
  SampleSet set;
  for (auto samples : components) {
    if (sorted) {
      std::sort(samples.begin(), samples.end());
    }
    set.Add(samples);
  }
  return set;
}

// Whole numbers from 0 to 40 over four; `counts` are used in turn. Ties are wanted.
SlowSamples RandomSamples(std::mt19937& random, std::size_t n, std::vector<std::size_t> counts) {
  SlowSamples all(n);
  std::uniform_int_distribution<int> coarse(0, 160);
  for (std::size_t i = 0; i < n; ++i) {
    all[i].resize(counts[i % counts.size()]);
    std::generate(all[i].begin(), all[i].end(), [&] { return coarse(random) / 4.0; });
  }
  return all;
}

constexpr double kHi = 40;

// The rows of `kind` for PlainPairs.
PlainPairs Plain(const SlowSamples& samples, PlainPairs::Kind kind, std::size_t bins) {
  std::vector<double> rows;
  for (const auto& own : samples) {
    const auto counts = CountInBins(own, {.lo = 0, .hi = kHi, .count = bins});
    const auto row =
        kind == PlainPairs::Kind::kAbsolute ? Cumulate(counts) : KlRow(KlHistogram(counts));
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return {kind, std::move(rows), kind == PlainPairs::Kind::kAbsolute ? bins : 2 * bins};
}

// One pair of two components.
double Between(Pairs& pairs) { return pairs.AllDegrees().front(); }

TEST(AllPairs, TheMajorityOfFewByHand) {
  // n = 4, m = 2: the second largest of three. 9 is 7, 8 and 9 away from the others.
  const auto four = Set({{0}, {1}, {2}, {9}});
  EXPECT_THAT(WassersteinPairs(four).AllDegrees(), ElementsAre(2, 1, 2, 8));
  // n = 3, m = 2: the smaller of two.
  const auto three = Set({{0}, {1}, {9}});
  EXPECT_THAT(WassersteinPairs(three).AllDegrees(), ElementsAre(1, 1, 8));
}

TEST(AllPairs, DistancesByHand) {
  // m = 3, B = 2: P = (3.5/4, 0.5/4) and (0.5/4, 3.5/4).
  auto kl = Plain({{0, 0, 0}, {40, 40, 40}}, PlainPairs::Kind::kDivergence, 2);
  EXPECT_DOUBLE_EQ(Between(kl), 0.75 * std::log(7.0));
  // Four samples move over three bins: all of them, then half of them over one.
  EXPECT_EQ(CdfPairs(Set({{0, 0}, {40, 40}}), {.lo = 0, .hi = 40, .count = 4}).AllDegrees(),
            std::vector<double>(2, 3));
  EXPECT_EQ(CdfPairs(Set({{0, 0}, {0, 10}}), {.lo = 0, .hi = 40, .count = 4}).AllDegrees(),
            std::vector<double>(2, 0.5));
  // Counts are normalised: two samples against four in the same places.
  EXPECT_EQ(CdfPairs(Set({{0, 40}, {0, 0, 40, 40}}), {.lo = 0, .hi = 40, .count = 4}).AllDegrees(),
            std::vector<double>(2, 0));
  // F of {0, 3} against {1}: 1/2 on [0,1) and 1/2 on [1,3).
  const auto set = Set({{0, 3}, {1}});
  EXPECT_EQ(WassersteinPairs(set).AllDegrees(), std::vector<double>(2, 1.5));
}

TEST(AllPairs, AllSamplesApartIsTheLargestDivergence) {
  // (2m/(2m+B)) ln(2m+1), here m = 64, B = 7.
  auto pairs = Plain({std::vector<double>(64, 0.0), std::vector<double>(64, kHi)},
                     PlainPairs::Kind::kDivergence, 7);
  EXPECT_NEAR(Between(pairs), 128.0 / 135 * std::log(129.0), 1e-12);
}

TEST(AllPairs, AgreeWithTheFormulasOnEveryInstructionSet) {
  std::mt19937 random(2);
  std::size_t many_bins = 1000;  // once: the formulas take long
  for (const auto& counts : std::vector<std::vector<std::size_t>>{{60},
                                                                  {60, 60, 60, 59},
                                                                  {1, 7, 13, 60},
                                                                  {255},
                                                                  {52, 53, 54, 55, 56, 57, 58},
                                                                  {300, 60}}) {
    for (const std::size_t n : {3U, 20U, 70U}) {
      const auto samples = RandomSamples(random, n, counts);
      const auto sorted = Set(samples, true);
      const std::size_t bins = n == 20 ? std::exchange(many_bins, 100) : 9;
      const auto w1 =
          SlowDegrees(n, [&](auto i, auto j) { return SlowWasserstein(samples[i], samples[j]); });
      const auto kl = SlowDegrees(
          n, [&](auto i, auto j) { return SlowKl(samples[i], samples[j], 0, kHi, bins); });
      const auto cdf = SlowDegrees(
          n, [&](auto i, auto j) { return SlowCdf(samples[i], samples[j], 0, kHi, bins); });
      ForEachTarget([&](const char* target) {
        ASSERT_THAT(WassersteinPairs(sorted).AllDegrees(), Pointwise(DoubleNear(1e-10), w1))
            << target;
        ASSERT_THAT(Plain(samples, PlainPairs::Kind::kDivergence, bins).AllDegrees(),
                    Pointwise(DoubleNear(1e-10), kl))
            << target;
        ASSERT_THAT(Plain(samples, PlainPairs::Kind::kAbsolute, bins).AllDegrees(),
                    Pointwise(DoubleNear(1e-10), cdf))
            << target;
        if (counts.front() <= CdfPairs::kMaxSamples) {
          CdfPairs pairs(Set(samples), {.lo = 0, .hi = kHi, .count = bins});
          ASSERT_THAT(pairs.AllDegrees(), Pointwise(DoubleNear(1e-10), cdf)) << target;
        }
      });
    }
  }
}

TEST(AllPairs, EveryInstructionSetGivesTheSameBits) {
  std::mt19937 random(3);
  const auto samples = RandomSamples(random, 150, {60, 60, 60, 60, 58});
  const auto sorted = Set(samples, true);
  std::vector<double> first[3];
  ForEachTarget([&](const char* target) {
    const std::vector<double> now[3] = {
        WassersteinPairs(sorted).AllDegrees(),
        Plain(samples, PlainPairs::Kind::kDivergence, 7).AllDegrees(),
        CdfPairs(Set(samples), {.lo = 0, .hi = kHi, .count = 333}).AllDegrees()};
    for (std::size_t kind = 0; kind < 3; ++kind) {
      first[kind] = first[kind].empty() ? now[kind] : first[kind];
      EXPECT_EQ(now[kind], first[kind]) << target;
    }
  });
}

TEST(AllPairs, SomeHaveTheDegreesTheyHaveAmongAll) {
  std::mt19937 random(4);
  for (const auto& counts : std::vector<std::vector<std::size_t>>{{20}, {20, 19, 7}}) {
    const auto samples = RandomSamples(random, 90, counts);
    const auto sorted = Set(samples, true);
    const std::vector<std::size_t> who = {0, 1, 7, 40, 41, 42, 88, 89};
    std::unique_ptr<Pairs> kinds[] = {
        std::make_unique<WassersteinPairs>(sorted),
        std::make_unique<CdfPairs>(Set(samples), BinRange{.lo = 0, .hi = kHi, .count = 11})};
    for (const auto& pairs : kinds) {
      const auto all = pairs->AllDegrees();
      const auto some = SomeDegrees(*pairs, who);
      for (std::size_t i = 0; i < who.size(); ++i) {
        EXPECT_EQ(some[i], all[who[i]]);
      }
    }
  }
}

TEST(AllPairs, ALargeSumOfBytesDoesNotFitTheMatrixAndIsRightAllTheSame) {
  // 1,000 bins of 255: up to 254,745, over 16 bits.
  SlowSamples samples(5, std::vector<double>(255, 0.0));
  samples[4].assign(255, kHi);
  CdfPairs pairs(Set(samples), {.lo = 0, .hi = kHi, .count = 1000});
  EXPECT_THAT(pairs.AllDegrees(), ElementsAre(0, 0, 0, 0, 999));
}

TEST(AllPairs, AreSymmetricAndObeyTheTriangleInequality) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    const auto samples = RandomSamples(random, 3, {20, 13, 20, 7});
    const auto sorted = Set(samples, true);
    std::unique_ptr<Pairs> kinds[] = {
        std::make_unique<WassersteinPairs>(sorted),
        std::make_unique<CdfPairs>(Set(samples), BinRange{.lo = 0, .hi = kHi, .count = 8})};
    for (const auto& pairs : kinds) {
      std::vector<double> d(3 * pairs->Stride());
      for (std::size_t number = 0; number < pairs->Classes().size(); ++number) {
        for (const std::size_t i : pairs->Classes()[number]) {
          std::vector<double> row(pairs->Stride());
          pairs->Distances(number, std::vector<std::size_t>{i}, row);
          std::copy_n(row.begin(), 3, d.begin() + static_cast<std::ptrdiff_t>(i * 3));
        }
      }
      for (std::size_t i = 0; i < 3; ++i) {
        ASSERT_EQ(d[i * 3 + i], 0);
        for (std::size_t j = 0; j < 3; ++j) {
          ASSERT_NEAR(d[i * 3 + j], d[j * 3 + i], 1e-12);
          for (std::size_t k = 0; k < 3; ++k) {
            ASSERT_LE(d[i * 3 + j], d[i * 3 + k] + d[k * 3 + j] + 1e-10);
          }
        }
      }
    }
  }
}

TEST(AllPairs, ADegreeExceedsAThresholdExactlyWhenMoreThanHalfOfTheDistancesDo) {
  std::mt19937 random(6);
  for (int round = 0; round < 300; ++round) {
    const auto n = std::uniform_int_distribution<std::size_t>(2, 12)(random);
    const auto places = RandomSamples(random, n, {1});
    const double threshold = std::uniform_int_distribution<int>(0, 160)(random) / 4.0;
    const auto set = Set(places);
    const auto degrees = WassersteinPairs(set).AllDegrees();
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t over = 0;
      for (std::size_t j = 0; j < n; ++j) {
        over += j != i && std::abs(places[i][0] - places[j][0]) > threshold ? 1U : 0U;
      }
      ASSERT_EQ(degrees[i] > threshold, 2 * over > n - 1) << "round " << round;
    }
  }
}

TEST(AllPairs, TheOrderOfPeersDoesNotMatter) {
  std::mt19937 random(7);
  auto samples = RandomSamples(random, 40, {20, 19});
  const auto sorted = Set(samples, true);
  const auto forward = WassersteinPairs(sorted).AllDegrees();
  std::vector<std::size_t> order(40);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  SlowSamples shuffled;
  for (const std::size_t i : order) {
    shuffled.push_back(samples[i]);
  }
  const auto other = Set(shuffled, true);
  const auto degrees = WassersteinPairs(other).AllDegrees();
  for (std::size_t i = 0; i < order.size(); ++i) {
    EXPECT_NEAR(degrees[i], forward[order[i]], 1e-12);
  }
}

}  // namespace
}  // namespace limpet::all_pairs_test
