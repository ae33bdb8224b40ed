#include "diagnoser/detect/histogram/distance.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>
#include <random>

namespace limpet::distance_test {
namespace {

using Values = std::vector<double>;

Values RandomCounts(std::mt19937& random) {
  Values counts;
  for (int bin = 0; bin < 8; ++bin) {
    counts.push_back(static_cast<double>(std::uniform_int_distribution<int>(0, 9)(random)));
  }
  counts[0] += 1;
  return counts;
}

double SlowKl(const Values& a, const Values& b) {
  const auto half = static_cast<double>(a.size()) / 2;
  const double total_a = std::accumulate(a.begin(), a.end(), 0.0);
  const double total_b = std::accumulate(b.begin(), b.end(), 0.0);
  double slow = 0;
  for (std::size_t bin = 0; bin < a.size(); ++bin) {
    const double p = (a[bin] + 0.5) / (total_a + half);
    const double q = (b[bin] + 0.5) / (total_b + half);
    slow += (p * std::log(p / q) + q * std::log(q / p)) / 2;
  }
  return slow;
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
  const auto a = Cumulate(Values{4, 0, 0, 0});
  EXPECT_EQ(CdfDistance(a, Cumulate(Values{0, 0, 0, 4})), 3);
  EXPECT_EQ(CdfDistance(a, Cumulate(Values{2, 2, 0, 0})), 0.5);
  EXPECT_EQ(CdfDistance(a, Cumulate(Values{8, 0, 0, 0})), 0) << "counts are normalised";
}

TEST(Kl, AgreesWithASlowVersionAndIsSymmetric) {
  std::mt19937 random(2);
  for (int round = 0; round < 500; ++round) {
    const auto a = RandomCounts(random);
    const auto b = RandomCounts(random);
    const KlHistogram p(a);
    const KlHistogram q(b);
    ASSERT_NEAR(KlDistance(p, q), SlowKl(a, b), 1e-12);
    ASSERT_DOUBLE_EQ(KlDistance(p, q), KlDistance(q, p));
    ASSERT_GE(KlDistance(p, q), 0);
  }
}

TEST(Cdf, IsSymmetricAndObeysTheTriangleInequality) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    const auto f = Cumulate(RandomCounts(random));
    const auto g = Cumulate(RandomCounts(random));
    const auto h = Cumulate(RandomCounts(random));
    ASSERT_DOUBLE_EQ(CdfDistance(f, g), CdfDistance(g, f));
    ASSERT_LE(CdfDistance(f, g), CdfDistance(f, h) + CdfDistance(h, g) + 1e-12);
  }
}

}  // namespace
}  // namespace limpet::distance_test
