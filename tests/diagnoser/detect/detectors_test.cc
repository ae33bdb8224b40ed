#include "diagnoser/detect/detectors.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/support/compare_peers.h"

namespace limpet::detectors_test {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Pointwise;

// A preset for every row of the table: built-in ones first, then any others.
std::vector<PresetSettings> EveryDetector() {
  std::vector<PresetSettings> presets = {TestbenchPreset(), ProductionPreset(), DefaultPreset()};
  const auto names = DetectorNames();
  for (auto number = presets.size(); number < names.size(); ++number) {
    auto preset = DefaultPreset();
    preset.name = names[number];
    preset.distance = static_cast<DistanceKind>(number);
    presets.push_back(std::move(preset));
  }
  return presets;
}

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

TEST(Detectors, AreNamedInTheOrderOfTheirNumbers) {
  const auto names = DetectorNames();
  ASSERT_GE(names.size(), 3U);
  EXPECT_EQ(names[0] + names[1] + names[2], "klcdfw1") << "state files hold the numbers";
  EXPECT_EQ(DetectorName(TestbenchPreset()), "kl");
  EXPECT_EQ(DetectorName(ProductionPreset()), "cdf");
  EXPECT_EQ(DetectorName(DefaultPreset()), "w1");
}

TEST(Detectors, TwoCannotBeToldApart) {
  for (const auto& preset : EveryDetector()) {
    const auto result = testing::ComparePeers(Set({Constant(1), Constant(9)}), "await", preset);
    EXPECT_TRUE(result.undetermined);
    EXPECT_TRUE(result.s.empty());
  }
}

TEST(Detectors, EqualSamplesHaveNoDistance) {
  for (const auto& preset : EveryDetector()) {
    for (const double value : {0.0, 5.0, 1e300}) {
      const auto result = testing::ComparePeers(
          Set({Constant(value), Constant(value), Constant(value)}), "await", preset);
      EXPECT_FALSE(result.undetermined);
      EXPECT_THAT(result.s, Each(0.0)) << preset.name << " " << value;
      EXPECT_THAT(result.direction, Each(Direction::kNone));
      EXPECT_EQ(result.bins, 0U);
    }
  }
}

TEST(Detectors, TheOddOneOutHasTheLargestDegree) {
  for (const auto& preset : EveryDetector()) {
    const auto result = testing::ComparePeers(
        Set({Constant(10), Constant(11), Constant(90), Constant(10.5)}), "tps", preset);
    EXPECT_GT(result.s[2], result.s[0]) << preset.name;
    EXPECT_GT(result.s[2], result.s[1]);
    EXPECT_EQ(result.direction[2], Direction::kHigh);
    EXPECT_EQ(result.direction[0], Direction::kLow);
    EXPECT_EQ(result.lo, 10);
    EXPECT_EQ(result.hi, 90);
  }
}

TEST(Detectors, ExactDistancesAreInTheMetricsUnit) {
  const auto result = testing::ComparePeers(Set({Constant(10), Constant(10), Constant(74)}),
                                            "await", DefaultPreset());
  EXPECT_THAT(result.s, ElementsAre(0, 0, 64));
  EXPECT_EQ(result.median_mean, 10);
  EXPECT_EQ(result.median_iqr, 0);
}

TEST(Detectors, UnderTheNoiseFloorNobodyIsJudged) {
  auto preset = TestbenchPreset();
  const auto set = Set({Constant(10), Constant(10), Constant(12)});
  EXPECT_GT(testing::ComparePeers(set, "await", preset).s[2], 0);
  preset.noise_floor["await"] = 2.5;
  EXPECT_THAT(testing::ComparePeers(set, "await", preset).s, Each(0.0));
  EXPECT_GT(testing::ComparePeers(set, "svctm", preset).s[2], 0);
  preset.noise_floor.clear();
  preset.noise_floor_relative = 0.21;
  EXPECT_THAT(testing::ComparePeers(set, "await", preset).s, Each(0.0));
  preset.noise_floor_relative = 0.19;
  EXPECT_GT(testing::ComparePeers(set, "await", preset).s[2], 0);
}

TEST(Detectors, AShiftOfAllChangesNothing) {
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
  for (const auto& preset : EveryDetector()) {
    const auto here = testing::ComparePeers(Set(components), "tps", preset);
    const auto there = testing::ComparePeers(Set(moved), "tps", preset);
    for (std::size_t i = 0; i < components.size(); ++i) {
      EXPECT_NEAR(here.s[i], there.s[i], 1e-9) << preset.name;
    }
  }
}

TEST(Detectors, TheOrderOfPeersDoesNotMatter) {
  std::mt19937 random(6);
  std::normal_distribution<double> normal(50, 5);
  std::vector<std::vector<double>> components(7);
  for (auto& samples : components) {
    for (int sample = 0; sample < 64; ++sample) {
      samples.push_back(std::round(normal(random) * 16) / 16);
    }
  }
  auto turned = components;
  std::reverse(turned.begin(), turned.end());
  for (const auto& preset : EveryDetector()) {
    auto there = testing::ComparePeers(Set(turned), "tps", preset).s;
    std::reverse(there.begin(), there.end());
    EXPECT_THAT(testing::ComparePeers(Set(components), "tps", preset).s,
                Pointwise(DoubleNear(1e-9), there))
        << preset.name;
  }
}

TEST(Detectors, ExplainWithTheDistancesThatTheyCompareBy) {
  const auto set = Set({Constant(10), Constant(11), Constant(90), Constant(12)});
  for (const auto& preset : EveryDetector()) {
    const auto detector = MakeDetector(preset);
    const WindowSamples window{.metric = &testing::Metric("tps"), .samples = &set};
    auto comparison = detector->Compare(window);
    comparison.effect.assign(4, 1.0);
    comparison.z.assign(4, 1.0);
    const auto distances = detector->Explain(window, comparison, 2, 1.0);
    ASSERT_EQ(distances.to.size(), 4U);
    EXPECT_EQ(distances.to[2], 0) << preset.name;
    for (const std::size_t peer : {0U, 1U, 3U}) {
      EXPECT_GE(distances.to[peer], comparison.s[2] * 0.95) << preset.name;
    }
  }
}

TEST(Detectors, SayWhatTrainingNeedsToKnow) {
  for (const auto& preset : EveryDetector()) {
    const auto rule = MakeDetector(preset)->Training();
    EXPECT_GE(rule.scale, 1) << preset.name;
    EXPECT_EQ(rule.cap, preset.training_cap);
    EXPECT_FALSE(rule.settings.contains("window")) << "the shape of windows is added for all";
  }
}

TEST(Detectors, AnythingFiniteGivesFiniteDegrees) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::vector<double>> components(3 + static_cast<std::size_t>(round) % 4);
    for (auto& samples : components) {
      for (int i = 0; i < 60; ++i) {
        const int exponent = std::uniform_int_distribution<int>(-300, 300)(random);
        samples.push_back(round % 3 == 0 ? 0.0 : std::pow(10.0, exponent));
      }
    }
    for (const auto& preset : EveryDetector()) {
      for (const double s : testing::ComparePeers(Set(components), "await", preset).s) {
        ASSERT_TRUE(std::isfinite(s)) << preset.name;
      }
    }
  }
}

PresetSettings Mad() {
  auto preset = EveryDetector().at(3);
  preset.noise_floor.clear();
  return preset;
}

TEST(Mad, ByHand) {
  // Medians 10, 12, 13, 14, 40: M = 13, deviations 3, 1, 0, 1, 27, so MAD = 1.
  const auto set = Set({{9, 10, 99}, {12, 12, 12}, {1, 13, 14}, {14}, {40, 40, 40, 40}});
  EXPECT_THAT(testing::ComparePeers(set, "await", Mad()).s,
              ElementsAre(DoubleNear(3 / 1.4826, 1e-12), DoubleNear(1 / 1.4826, 1e-12), 0,
                          DoubleNear(1 / 1.4826, 1e-12), DoubleNear(27 / 1.4826, 1e-12)));
}

TEST(Mad, TheNoiseFloorIsTheLeastDeviation) {
  const auto set = Set({Constant(10), Constant(10), Constant(10), Constant(12)});
  auto preset = Mad();
  EXPECT_EQ(testing::ComparePeers(set, "await", preset).s[3], 1e300) << "all others are equal";
  preset.noise_floor["await"] = 4;
  EXPECT_EQ(testing::ComparePeers(set, "await", preset).s[3], 0.5);
}

std::vector<std::vector<double>> RandomComponents(std::mt19937& random) {
  std::vector<std::vector<double>> components(
      std::uniform_int_distribution<std::size_t>(3, 12)(random));
  for (auto& samples : components) {
    samples.resize(std::uniform_int_distribution<std::size_t>(1, 40)(random));
    for (double& x : samples) {
      x = std::uniform_int_distribution<int>(0, 160)(random) / 4.0;
    }
  }
  return components;
}

TEST(Mad, DoesNotDependOnTheUnit) {
  std::mt19937 random(7);
  for (int round = 0; round < 100; ++round) {
    auto components = RandomComponents(random);
    const auto here = testing::ComparePeers(Set(components), "tps", Mad()).s;
    for (auto& samples : components) {
      for (double& x : samples) {
        x *= 1024;
      }
    }
    EXPECT_EQ(testing::ComparePeers(Set(components), "tps", Mad()).s, here);
  }
}

double SlowMedian(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

TEST(Mad, AgreesWithTheFormula) {
  std::mt19937 random(8);
  for (int round = 0; round < 500; ++round) {
    const auto components = RandomComponents(random);
    std::vector<double> medians;
    std::transform(components.begin(), components.end(), std::back_inserter(medians), SlowMedian);
    const double centre = SlowMedian(medians);
    std::vector<double> deviations;
    for (const double median : medians) {
      deviations.push_back(std::abs(median - centre));
    }
    const double mad = SlowMedian(deviations);
    const auto s = testing::ComparePeers(Set(components), "tps", Mad()).s;
    for (std::size_t i = 0; i < s.size(); ++i) {
      const double slow = deviations[i] == 0 ? 0 : deviations[i] / (1.4826 * mad);
      ASSERT_NEAR(s[i], std::min(slow, 1e300), 1e-9);
    }
  }
}

}  // namespace
}  // namespace limpet::detectors_test
