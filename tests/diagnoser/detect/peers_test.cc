#include "diagnoser/detect/peers.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace limpet {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

SampleSet Set(const std::vector<std::vector<double>>& components) {
  SampleSet set;
  for (const auto& samples : components) {
    set.Add(samples);
  }
  return set;
}

std::vector<double> Constant(double value, std::size_t count = 64) {
  return std::vector<double>(count, value);
}

TEST(Peers, TwoCannotBeToldApart) {
  for (const auto& preset : {TestbenchPreset(), ProductionPreset(), DefaultPreset()}) {
    const auto result = ComparePeers(Set({Constant(1), Constant(9)}), "await", preset);
    EXPECT_TRUE(result.undetermined);
    EXPECT_TRUE(result.s.empty());
  }
}

TEST(Peers, EqualSamplesHaveNoDistance) {
  for (const auto& preset : {TestbenchPreset(), ProductionPreset(), DefaultPreset()}) {
    for (const double value : {0.0, 5.0, 1e300}) {
      const auto result =
          ComparePeers(Set({Constant(value), Constant(value), Constant(value)}), "await", preset);
      EXPECT_FALSE(result.undetermined);
      EXPECT_THAT(result.s, Each(0.0)) << preset.name << " " << value;
      EXPECT_THAT(result.direction, Each(Direction::kNone));
      EXPECT_EQ(result.bins, 0U);
    }
  }
}

TEST(Peers, TheOddOneOutHasTheLargestDegree) {
  for (const auto& preset : {TestbenchPreset(), ProductionPreset(), DefaultPreset()}) {
    const auto result = ComparePeers(
        Set({Constant(10), Constant(11), Constant(90), Constant(10.5)}), "tps", preset);
    EXPECT_GT(result.s[2], result.s[0]) << preset.name;
    EXPECT_GT(result.s[2], result.s[1]);
    EXPECT_EQ(result.direction[2], Direction::kHigh);
    EXPECT_EQ(result.direction[0], Direction::kLow);
    EXPECT_EQ(result.lo, 10);
    EXPECT_EQ(result.hi, 90);
  }
}

TEST(Peers, ExactDistancesAreInTheMetricsUnit) {
  const auto result =
      ComparePeers(Set({Constant(10), Constant(10), Constant(74)}), "await", DefaultPreset());
  EXPECT_THAT(result.s, ElementsAre(0, 0, 64));
  EXPECT_EQ(result.median_mean, 10);
  EXPECT_EQ(result.median_iqr, 0);
}

TEST(Peers, UnderTheNoiseFloorNobodyIsJudged) {
  auto preset = TestbenchPreset();
  const auto set = Set({Constant(10), Constant(10), Constant(12)});
  EXPECT_GT(ComparePeers(set, "await", preset).s[2], 0);
  preset.noise_floor["await"] = 2.5;
  EXPECT_THAT(ComparePeers(set, "await", preset).s, Each(0.0));
  EXPECT_GT(ComparePeers(set, "svctm", preset).s[2], 0);
  preset.noise_floor.clear();
  preset.noise_floor_relative = 0.21;
  EXPECT_THAT(ComparePeers(set, "await", preset).s, Each(0.0));
  preset.noise_floor_relative = 0.19;
  EXPECT_GT(ComparePeers(set, "await", preset).s[2], 0);
}

TEST(Peers, AShiftOfAllChangesNothing) {
  std::mt19937 random(4);
  std::normal_distribution<double> normal(50, 5);
  std::vector<std::vector<double>> components(5);
  auto moved = components;
  for (std::size_t i = 0; i < components.size(); ++i) {
    for (int sample = 0; sample < 64; ++sample) {
      const double x = std::round(normal(random) * 16) / 16;
      components[i].push_back(x);
      moved[i].push_back(x + 1024);
    }
  }
  for (const auto& preset : {TestbenchPreset(), ProductionPreset(), DefaultPreset()}) {
    const auto here = ComparePeers(Set(components), "tps", preset);
    const auto there = ComparePeers(Set(moved), "tps", preset);
    for (std::size_t i = 0; i < components.size(); ++i) {
      EXPECT_NEAR(here.s[i], there.s[i], 1e-9) << preset.name;
    }
  }
}

TEST(Peers, AnythingFiniteGivesFiniteDegrees) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::vector<double>> components(3 + static_cast<std::size_t>(round) % 4);
    for (auto& samples : components) {
      for (int i = 0; i < 60; ++i) {
        const int exponent = std::uniform_int_distribution<int>(-300, 300)(random);
        samples.push_back(round % 3 == 0 ? 0.0 : std::pow(10.0, exponent));
      }
    }
    for (const auto& preset : {TestbenchPreset(), ProductionPreset(), DefaultPreset()}) {
      for (const double s : ComparePeers(Set(components), "await", preset).s) {
        ASSERT_TRUE(std::isfinite(s)) << preset.name;
      }
    }
  }
}

}  // namespace
}  // namespace limpet
