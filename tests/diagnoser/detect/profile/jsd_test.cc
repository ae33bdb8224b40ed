#include "diagnoser/detect/profile/jsd.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace limpet::jsd_test {
namespace {

// The definition, term by term.
double Slow(const std::vector<double>& p, const std::vector<double>& q) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double m = (p[i] + q[i]) / 2;
    sum += p[i] > 0 ? p[i] * std::log2(p[i] / m) : 0;
    sum += q[i] > 0 ? q[i] * std::log2(q[i] / m) : 0;
  }
  return std::sqrt(std::max(0.0, sum / 2));
}

std::vector<double> RandomHistogram(std::size_t bins, std::mt19937_64& random) {
  std::uniform_real_distribution<double> value(0, 1);
  std::vector<double> shares(bins);
  double sum = 0;
  for (double& share : shares) {
    share = value(random) < 0.3 ? 0.0 : value(random);
    sum += share;
  }
  if (sum == 0) {
    shares[0] = sum = 1;
  }
  for (double& share : shares) {
    share /= sum;
  }
  return shares;
}

HistogramTable TableOf(const std::vector<std::vector<double>>& hosts) {
  HistogramTable table{.bins = hosts.front().size(),
                       .hosts = hosts.size(),
                       .share = std::vector<double>(hosts.front().size() * hosts.size()),
                       .ready = std::vector<char>(hosts.size(), 1)};
  for (std::size_t host = 0; host < hosts.size(); ++host) {
    for (std::size_t bin = 0; bin < table.bins; ++bin) {
      table.share[bin * table.hosts + host] = hosts[host][bin];
    }
  }
  return table;
}

TEST(Jsd, IsOneWithoutAnythingInCommonAndNothingForEquals) {
  EXPECT_DOUBLE_EQ(JsdDistance(std::vector<double>{1, 0}, std::vector<double>{0, 1}), 1);
  EXPECT_EQ(JsdDistance(std::vector<double>{0.3, 0.7}, std::vector<double>{0.3, 0.7}), 0);
}

// p = (1, 0), q = (1/2, 1/2), m = (3/4, 1/4): JSD = (log2(4/3) + log2(2/3)/2 + 1/2) / 2 = 0.311278
TEST(Jsd, OfAHalf) {
  EXPECT_NEAR(JsdDistance(std::vector<double>{1, 0}, std::vector<double>{0.5, 0.5}),
              std::sqrt(0.31127812445913283), 1e-15);
}

TEST(Jsd, EqualsTheDefinitionAndIsAMetric) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const auto a = RandomHistogram(7, random);
    const auto b = RandomHistogram(7, random);
    const auto c = RandomHistogram(7, random);
    EXPECT_NEAR(JsdDistance(a, b), Slow(a, b), 1e-12);
    EXPECT_EQ(JsdDistance(a, b), JsdDistance(b, a));
    EXPECT_LE(JsdDistance(a, c), JsdDistance(a, b) + JsdDistance(b, c) + 1e-12);
  }
}

// Where the definition has no digits left: (e/2)^2 / (2 ln 2) for shares 1/2 -+ e/2.
TEST(Jsd, KeepsItsDigitsForHistogramsThatAreAlmostEqual) {
  const double e = 1e-9;
  const double distance = JsdDistance(std::vector<double>{0.5 + e / 2, 0.5 - e / 2},
                                      std::vector<double>{0.5 - e / 2, 0.5 + e / 2});
  EXPECT_NEAR(distance / (e / std::sqrt(2 * std::log(2.0))), 1, 1e-6);
}

TEST(Jsd, TheMajorityDistanceIsTheMthLargest) {
  std::mt19937_64 random(2);
  for (const std::size_t n : {2U, 3U, 4U, 5U, 16U, 61U}) {
    std::vector<std::vector<double>> hosts;
    for (std::size_t i = 0; i < n; ++i) {
      hosts.push_back(i % 4 == 3 ? hosts[i / 2] : RandomHistogram(7, random));
    }
    auto table = TableOf(hosts);
    table.ready[n / 2] = n > 4 ? 0 : 1;
    const auto found = MajorityDistances(table);
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<double> distances;
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i) {
          const bool compared = table.ready[i] != 0 && table.ready[j] != 0;
          distances.push_back(compared ? Slow(hosts[i], hosts[j]) : 0.0);
        }
      }
      std::sort(distances.rbegin(), distances.rend());
      EXPECT_NEAR(found[i], distances[(n - 1) / 2], 1e-7) << n << " " << i;
    }
  }
}

TEST(Jsd, OneHostAloneIsNotApart) {
  EXPECT_THAT(MajorityDistances(TableOf({{1, 0}})), ::testing::ElementsAre(0));
}

}  // namespace
}  // namespace limpet::jsd_test
