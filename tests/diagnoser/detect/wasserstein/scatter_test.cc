#include "diagnoser/detect/wasserstein/scatter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/series/stats.h"
#include "tests/support/compare_peers.h"

namespace limpet::scatter_test {
namespace {

SampleSet SetOf(const std::vector<std::vector<double>>& components) {
  SampleSet set;
  for (const auto& one : components) {
    set.Add(one);
  }
  return set;
}

TEST(ResidualIqr, OfPeersThatFallTogetherIsNothing) {
  const std::vector<double> falls = {90, 90, 90, 40, 40, 40};
  EXPECT_EQ(ResidualIqr(SetOf({falls, falls, falls}), 6), 0.0);
}

TEST(ResidualIqr, ByHand) {
  // Medians at each time: 10, 20, 30, 40. Residuals: 0 0 0 0; 1 2 3 4; -1 -3 -5 -7.
  // IQRs (type 7): 0; 3.25 - 1.75 = 1.5; -2.5 - -5.5 = 3. Their median is 1.5.
  const auto scatter = ResidualIqr(SetOf({{10, 20, 30, 40}, {11, 22, 33, 44}, {9, 17, 25, 33}}), 4);
  ASSERT_TRUE(scatter);
  EXPECT_DOUBLE_EQ(*scatter, 1.5);
}

TEST(ResidualIqr, LeavesOutComponentsWithHoles) {
  EXPECT_FALSE(ResidualIqr(SetOf({{1, 2}, {1, 2}, {1}}), 2));
  EXPECT_EQ(ResidualIqr(SetOf({{1, 2}, {1, 2}, {5}, {1, 2}}), 2), 0.0);
}

TEST(ResidualIqr, DoesNotDependOnTheOrderOfPeersNorOnWhatAllHaveInCommon) {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, 3);
  std::vector<std::vector<double>> peers(7, std::vector<double>(64));
  std::vector<double> common(64);
  for (std::size_t t = 0; t < 64; ++t) {
    common[t] = static_cast<double>(1 << (t % 8));
    for (auto& peer : peers) {
      peer[t] = noise(random);
    }
  }
  const auto plain = *ResidualIqr(SetOf(peers), 64);
  auto moved = peers;
  for (auto& peer : moved) {
    std::transform(peer.begin(), peer.end(), common.begin(), peer.begin(), std::plus<>());
  }
  EXPECT_NEAR(*ResidualIqr(SetOf(moved), 64), plain, 1e-9);
  std::reverse(moved.begin(), moved.end());
  EXPECT_NEAR(*ResidualIqr(SetOf(moved), 64), plain, 1e-9);
}

// As it is defined, value by value.
double PlainResidualIqr(const std::vector<std::vector<double>>& peers, std::size_t window) {
  std::vector<std::vector<double>> residuals = peers;
  for (std::size_t t = 0; t < window; ++t) {
    std::vector<double> at_once;
    for (const auto& peer : peers) {
      at_once.push_back(peer[t]);
    }
    const double median = Median(at_once);
    for (auto& one : residuals) {
      one[t] -= median;
    }
  }
  std::vector<double> iqrs;
  for (const auto& one : residuals) {
    iqrs.push_back(Iqr(one));
  }
  return Median(iqrs);
}

TEST(ResidualIqr, IsToTheBitAsDefinedHoweverManyPeers) {
  std::mt19937 random(11);
  std::lognormal_distribution<double> value(2, 1);
  for (const std::size_t count : {3U, 4U, 17U, 100U, 1024U, 1025U}) {
    std::vector<std::vector<double>> peers(count, std::vector<double>(32));
    for (auto& peer : peers) {
      std::generate(peer.begin(), peer.end(), [&] { return value(random); });
    }
    EXPECT_EQ(ResidualIqr(SetOf(peers), 32), PlainResidualIqr(peers, 32)) << count;
  }
}

// Over the onset of a hog: the peers fall by 50, the faulty one stays.
TEST(ComparePeers, ByResidualsSeesAHogInTheWindowInWhichItBegins) {
  std::vector<double> peer;
  std::vector<double> hog;
  for (int t = 0; t < 64; ++t) {
    peer.push_back((t < 32 ? 90 : 40) + t % 3);
    hog.push_back(90 + (t + 1) % 3);
  }
  const auto set = SetOf({peer, peer, hog, peer, peer});
  auto preset = BarePreset();
  EXPECT_GT(testing::ComparePeers(set, "rd_sec", preset).median_iqr, 40);
  preset.scatter = Scatter::kResiduals;
  EXPECT_LT(testing::ComparePeers(set, "rd_sec", preset).median_iqr, 3);
}

}  // namespace
}  // namespace limpet::scatter_test
