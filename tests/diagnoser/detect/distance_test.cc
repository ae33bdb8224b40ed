#include "diagnoser/detect/distance.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace limpet {
namespace {

using Values = std::vector<double>;

Values Sorted(Values values) {
  std::sort(values.begin(), values.end());
  return values;
}

Values RandomValues(std::mt19937& random, std::size_t count) {
  Values values;
  std::uniform_int_distribution<int> coarse(0, 20);  // ties are wanted
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(coarse(random) / 4.0);
  }
  return Sorted(std::move(values));
}

TEST(Kl, OfTwoBinsByHand) {
  // m = 3, B = 2: P = (3.5/4, 0.5/4) and (0.5/4, 3.5/4).
  const KlHistogram a(Values{3, 0});
  const KlHistogram b(Values{0, 3});
  EXPECT_DOUBLE_EQ(KlDistance(a, b), 0.75 * std::log(7.0));
  EXPECT_EQ(KlDistance(a, a), 0);
}

TEST(Kl, AllSamplesApartIsTheLargestDistance) {
  // (2m/(2m+B)) ln(2m+1), here m = 64, B = 7.
  Values first(7);
  Values last(7);
  first.front() = 64;
  last.back() = 64;
  EXPECT_NEAR(KlDistance(KlHistogram(first), KlHistogram(last)), 128.0 / 135 * std::log(129.0),
              1e-12);
}

TEST(Cdf, CountsTheBinsThatMassMoves) {
  const auto a = CumulativeOf(Values{4, 0, 0, 0});
  EXPECT_EQ(CdfDistance(a, CumulativeOf(Values{0, 0, 0, 4})), 3);
  EXPECT_EQ(CdfDistance(a, CumulativeOf(Values{2, 2, 0, 0})), 0.5);
  EXPECT_EQ(CdfDistance(a, CumulativeOf(Values{8, 0, 0, 0})), 0) << "counts are normalised";
}

TEST(Wasserstein, ByHand) {
  EXPECT_EQ(WassersteinOfSorted(Values{1, 2, 3}, Values{2, 3, 4}), 1);
  EXPECT_EQ(WassersteinOfSorted(Values{0, 10}, Values{0, 0}), 5);
  // F of {0, 3} against {1}: 1/2 on [0,1) and 1/2 on [1,3).
  EXPECT_EQ(WassersteinOfSorted(Values{0, 3}, Values{1}), 1.5);
  EXPECT_DOUBLE_EQ(WassersteinOfSorted(Values{0, 0, 3}, Values{0, 3}), 0.5);
}

TEST(Wasserstein, DoublingEverySampleChangesNothing) {
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    const auto a = RandomValues(random, 13);
    const auto b = RandomValues(random, 13);
    auto twice = a;
    twice.insert(twice.end(), a.begin(), a.end());
    EXPECT_NEAR(WassersteinOfSorted(Sorted(twice), b), WassersteinOfSorted(a, b), 1e-12);
  }
}

TEST(Wasserstein, MovesWithAShiftOfOneSideOnly) {
  const Values a = {1, 4, 4, 9};
  Values b = {2, 3, 7, 8};
  Values moved_a = a;
  for (double& x : moved_a) {
    x += 100;
  }
  Values moved_b = b;
  for (double& x : moved_b) {
    x += 100;
  }
  EXPECT_DOUBLE_EQ(WassersteinOfSorted(moved_a, moved_b), WassersteinOfSorted(a, b));
  EXPECT_DOUBLE_EQ(WassersteinOfSorted(moved_a, a), 100);
}

// The definition: the integral of |F - G|, by a sum over all places where either steps.
double SlowWasserstein(const Values& a, const Values& b) {
  Values places = a;
  places.insert(places.end(), b.begin(), b.end());
  std::sort(places.begin(), places.end());
  double sum = 0;
  for (std::size_t i = 1; i < places.size(); ++i) {
    const auto below = [&](const Values& values) {
      return static_cast<double>(std::count_if(values.begin(), values.end(),
                                               [&](double x) { return x <= places[i - 1]; })) /
             static_cast<double>(values.size());
    };
    sum += std::abs(below(a) - below(b)) * (places[i] - places[i - 1]);
  }
  return sum;
}

TEST(Distances, AgreeWithSlowVersionsAndAreMetrics) {
  std::mt19937 random(2);
  std::uniform_int_distribution<std::size_t> count(1, 40);
  for (int round = 0; round < 500; ++round) {
    const auto a = RandomValues(random, count(random));
    const auto b = RandomValues(random, count(random));
    const auto c = RandomValues(random, count(random));
    const double ab = WassersteinOfSorted(a, b);
    ASSERT_NEAR(ab, SlowWasserstein(a, b), 1e-10);
    ASSERT_NEAR(ab, WassersteinOfSorted(b, a), 1e-12);
    ASSERT_LE(ab, WassersteinOfSorted(a, c) + WassersteinOfSorted(c, b) + 1e-10);
    ASSERT_EQ(WassersteinOfSorted(a, a), 0);

    Values counts[3];
    for (auto& one : counts) {
      for (int bin = 0; bin < 8; ++bin) {
        one.push_back(static_cast<double>(std::uniform_int_distribution<int>(0, 9)(random)));
      }
      one[0] += 1;
    }
    const auto f = CumulativeOf(counts[0]);
    const auto g = CumulativeOf(counts[1]);
    const auto h = CumulativeOf(counts[2]);
    ASSERT_DOUBLE_EQ(CdfDistance(f, g), CdfDistance(g, f));
    ASSERT_LE(CdfDistance(f, g), CdfDistance(f, h) + CdfDistance(h, g) + 1e-12);

    double slow = 0;
    const double total_a = std::accumulate(counts[0].begin(), counts[0].end(), 0.0);
    const double total_b = std::accumulate(counts[1].begin(), counts[1].end(), 0.0);
    for (std::size_t bin = 0; bin < 8; ++bin) {
      const double p = (counts[0][bin] + 0.5) / (total_a + 4);
      const double q = (counts[1][bin] + 0.5) / (total_b + 4);
      slow += (p * std::log(p / q) + q * std::log(q / p)) / 2;
    }
    const KlHistogram p(counts[0]);
    const KlHistogram q(counts[1]);
    ASSERT_NEAR(KlDistance(p, q), slow, 1e-12);
    ASSERT_DOUBLE_EQ(KlDistance(p, q), KlDistance(q, p));
    ASSERT_GE(KlDistance(p, q), 0);
  }
}

}  // namespace
}  // namespace limpet
