#include "diagnoser/detect/kernels/pruning.h"

#include <gmock/gmock.h>

#include <random>

#include "tests/support/compare_peers.h"

namespace limpet::pruning_test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(UpperBounds, ByHand) {
  // n = 4, m = 2: the third smallest distance to the pivot is 2.
  const auto bounds = UpperBounds({1, 0, 2, 9}, 1);
  EXPECT_NEAR(bounds[0], 3, 1e-12);
  EXPECT_NEAR(bounds[1], 2, 1e-12);
  EXPECT_NEAR(bounds[2], 4, 1e-12);
  EXPECT_NEAR(bounds[3], 11, 1e-12);
  EXPECT_GE(bounds[3], 11);
}

TEST(UpperBounds, MiddleOfIsTheMedianOfEveryElement) {
  const double rows[3][2] = {{1, 30}, {3, 10}, {2, 20}};
  const std::vector<std::size_t> who = {0, 1, 2};
  EXPECT_THAT(MiddleRow(2, who, [&](std::size_t i) { return rows[i]; }), ElementsAre(2, 20));
}

SampleSet Servers(std::size_t n, std::size_t odd, std::size_t window, bool holes) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal(100, 10);
  SampleSet set;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> samples(window - (holes && i % 5 == 0 ? 1 + i % 3 : 0));
    for (double& sample : samples) {
      sample = normal(random) * (i < odd ? 3 : 1);
    }
    set.Add(samples);
  }
  return set;
}

TEST(Pruning, WhereABoundWillNotDoTheDegreeIsExact) {
  for (const bool holes : {false, true}) {
    for (const auto& preset : {ProductionPreset(), DefaultPreset()}) {
      const auto set = Servers(300, 4, 60, holes);
      const auto exact = testing::ComparePeers(set, "await", preset);
      EXPECT_THAT(exact.is_bound, IsEmpty());
      const double limit = exact.s[0] / 4;
      std::size_t asked = 0;
      const auto pruned =
          testing::ComparePeers(set, "await", preset, [&](const Comparison& all, std::size_t i) {
            asked += all.s[i] > limit ? 1U : 0U;
            return all.s[i] <= limit;
          });
      EXPECT_LT(asked, 20U) << "the bounds are of use";
      ASSERT_EQ(pruned.is_bound.size(), 300U);
      for (std::size_t i = 0; i < 300; ++i) {
        if (pruned.is_bound[i]) {
          EXPECT_GE(pruned.s[i], exact.s[i]) << preset.name;
          EXPECT_LE(pruned.s[i], limit);
        } else {
          EXPECT_EQ(pruned.s[i], exact.s[i]) << preset.name;
        }
      }
      EXPECT_FALSE(pruned.is_bound[0]);
    }
  }
}

TEST(Pruning, WhenMostAreWantedAllAreExact) {
  const auto set = Servers(50, 1, 60, false);
  const auto never = [](const Comparison&, std::size_t) { return false; };
  for (const auto& preset : {TestbenchPreset(), ProductionPreset(), DefaultPreset()}) {
    const auto pruned = testing::ComparePeers(set, "await", preset, never);
    EXPECT_EQ(pruned.s, testing::ComparePeers(set, "await", preset).s);
    EXPECT_THAT(pruned.is_bound, IsEmpty());
  }
}

TEST(Pruning, DivergenceHasNoTriangleInequalityAndIsAlwaysExact) {
  const auto set = Servers(50, 1, 64, false);
  const auto always = [](const Comparison&, std::size_t) { return true; };
  const auto result = testing::ComparePeers(set, "await", TestbenchPreset(), always);
  EXPECT_THAT(result.is_bound, IsEmpty());
  EXPECT_EQ(result.s, testing::ComparePeers(set, "await", TestbenchPreset()).s);
}

}  // namespace
}  // namespace limpet::pruning_test
