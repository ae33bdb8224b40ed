#include "diagnoser/detect/training.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/detect/detectors.h"

namespace limpet::training_test {
namespace {

TrainingRule FindRule(const PresetSettings& preset) { return MakeDetector(preset)->Training(); }

using ::testing::DoubleEq;
using ::testing::Optional;
using Seen = std::map<std::string, std::optional<double>, std::less<>>;

// v with k = 3; a negative degree: the component is absent.
std::optional<double> DegreeOf(const std::vector<double>& degrees, std::size_t k = 3) {
  TrainingRun run;
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    if (degrees[i] >= 0) {
      run.Add(static_cast<std::int64_t>(i), degrees[i], k);
    }
  }
  return run.Degree(k);
}

TEST(TrainingRun, TakesTheMostThatThreeOfFiveReach) {
  EXPECT_EQ(DegreeOf({1, 2, 3, 4, 5}), 3);
  // 9 and 8 stand alone; of 0 9 8 0 4 the third largest is 4.
  EXPECT_EQ(DegreeOf({0, 9, 8, 0, 4, 0, 0, 1}), 4);
  // Three of 7 within five, but never four.
  EXPECT_EQ(DegreeOf({7, 0, 7, 0, 7, 0, 0}), 7);
  EXPECT_EQ(DegreeOf({7, 0, 0, 7, 0, 0, 7, 0, 0}), 0);
  EXPECT_EQ(DegreeOf({3, 1, 2}, 1), 3);  // k = 1: the largest of all
}

TEST(TrainingRun, AnAbsentWindowCountsAsZero) {
  EXPECT_EQ(DegreeOf({5, -1, 5, -1, 5, 1, 1}), 5);
  EXPECT_EQ(DegreeOf({5, -1, -1, 5, -1, 5, 1, 1, 1, 1}), 1);
}

TEST(TrainingRun, FewWindowsHaveTheirThirdLargestOrTheLargest) {
  EXPECT_EQ(DegreeOf({}), std::nullopt);
  EXPECT_EQ(DegreeOf({2}), 2);
  EXPECT_EQ(DegreeOf({2, 4}), 4);
  EXPECT_EQ(DegreeOf({2, 4, 1}), 1);
  EXPECT_EQ(DegreeOf({2, 4, 1, 3}), 2);
  // Four windows far apart: what there is, not the zeros between them.
  EXPECT_EQ(DegreeOf({4, -1, -1, -1, -1, 3, -1, -1, -1, -1, 2, -1, -1, -1, -1, 1}), 2);
  EXPECT_EQ(DegreeOf({4, -1, -1, -1, -1, -1, -1, -1, -1, -1}), 4);
}

TEST(Training, HistogramThresholdsAreTenthsTimesTheScale) {
  const auto rule = FindRule(TestbenchPreset());
  const auto of = [&](double v) { return TrainThresholds(Seen{{"a", v}}, rule).at("a").threshold; };
  EXPECT_DOUBLE_EQ(of(0), 0.2);  // q is at least 1
  EXPECT_DOUBLE_EQ(of(0.04), 0.2);
  EXPECT_DOUBLE_EQ(of(0.1), 0.2);
  EXPECT_DOUBLE_EQ(of(0.11), 0.4);
  EXPECT_DOUBLE_EQ(of(0.3), 0.6);
  EXPECT_DOUBLE_EQ(of(0.1 + 0.2), 0.6);  // 0.30000000000000004 is not the next tenth
  EXPECT_DOUBLE_EQ(of(1.25), 2.6);
}

TEST(Training, TheExactDistanceIsCappedAndSaysSo) {
  const auto rule = FindRule(BarePreset());
  const auto trained = TrainThresholds(
      Seen{{"calm", 0.3}, {"edge", 0.8}, {"odd", 2.0}, {"limit", 2.4}, {"sick", 40.0}}, rule);
  EXPECT_EQ(trained.at("calm").threshold, 1);
  EXPECT_EQ(trained.at("edge").threshold, 1);
  EXPECT_EQ(trained.at("odd").threshold, 2.5);
  EXPECT_FALSE(trained.at("odd").capped);
  EXPECT_EQ(trained.at("limit").threshold, 3);
  EXPECT_TRUE(trained.at("limit").capped);
  EXPECT_EQ(trained.at("sick").threshold, 3);
  EXPECT_TRUE(trained.at("sick").capped);
  EXPECT_FALSE(trained.at("sick").blind);
}

TEST(Training, WhoIsDeviantMayHaveItsGroupsThreshold) {
  const TrainingRule exact{
      .in_tenths = false, .scale = 1.25, .cap = 3, .deviant_as_group = true, .settings = {}};
  const auto w1 =
      TrainThresholds({{"a", 0.1}, {"b", 0.9}, {"c", 0.4}, {"d", 1.3}, {"e", 9.0}}, exact);
  EXPECT_DOUBLE_EQ(w1.at("b").threshold, 1.125);
  EXPECT_FALSE(w1.at("b").deviant);
  for (const auto* sick : {"d", "e"}) {
    EXPECT_TRUE(w1.at(sick).deviant);
    EXPECT_FALSE(w1.at(sick).capped);
    EXPECT_DOUBLE_EQ(w1.at(sick).threshold, 1.125);
  }
  const TrainingRule tenths{.scale = 2, .deviant_as_group = true, .settings = {}};
  const auto kl = TrainThresholds({{"a", 0.3}, {"b", 0.4}, {"c", 0.5}, {"d", 2.0}}, tenths);
  EXPECT_TRUE(kl.at("d").deviant);
  EXPECT_DOUBLE_EQ(kl.at("d").threshold, 0.9);
  EXPECT_DOUBLE_EQ(kl.at("c").threshold, 1.0);
}

TEST(Training, WithoutATrainingWindowItIsTheGroupsMedian) {
  const auto rule = FindRule(TestbenchPreset());
  const auto odd =
      TrainThresholds(Seen{{"a", 0.1}, {"b", 0.2}, {"c", 0.9}, {"new", std::nullopt}}, rule);
  EXPECT_DOUBLE_EQ(odd.at("new").threshold, 0.4);
  EXPECT_TRUE(odd.at("new").median);
  EXPECT_FALSE(odd.at("a").median);
  const auto even = TrainThresholds(Seen{{"a", 0.1}, {"c", 0.3}, {"new", std::nullopt}}, rule);
  EXPECT_DOUBLE_EQ(even.at("new").threshold, 0.4);  // (0.2 + 0.6) / 2
  EXPECT_TRUE(TrainThresholds(Seen{{"a", std::nullopt}}, rule).empty());
}

TEST(Training, ACapIsAMultipleOfTheGroupsMedian) {
  auto rule = FindRule(TestbenchPreset());
  const Seen seen = {{"a", 0.1}, {"b", 0.2}, {"c", 0.6}, {"d", 0.2}, {"e", 2.0}};
  EXPECT_DOUBLE_EQ(TrainThresholds(seen, rule).at("e").threshold, 4);
  EXPECT_FALSE(TrainThresholds(seen, rule).at("e").capped);
  rule.cap = 3;
  const auto capped = TrainThresholds(seen, rule);
  EXPECT_DOUBLE_EQ(capped.at("e").threshold, 3 * 0.4);
  EXPECT_TRUE(capped.at("e").capped);
  EXPECT_DOUBLE_EQ(capped.at("c").threshold, 1.2);  // just there, as it asked for
  EXPECT_FALSE(capped.at("c").capped);
}

TEST(Training, LargestDistances) {
  auto preset = TestbenchPreset();
  // W = 64: B = 7; 128 / 135 ln 129.
  EXPECT_THAT(FindRule(preset).largest, Optional(DoubleEq(128.0 / 135 * std::log(129.0))));
  preset.distance = DistanceKind::kCdf;
  EXPECT_EQ(FindRule(preset).largest, 6);
  EXPECT_EQ(FindRule(ProductionPreset()).largest, 999);
  EXPECT_EQ(FindRule(BarePreset()).largest, std::nullopt);
}

TEST(Training, AThresholdThatNoDistanceExceedsIsBlind) {
  const auto rule = FindRule(TestbenchPreset());  // at most 4.6079
  const auto trained = TrainThresholds(Seen{{"a", 2.3}, {"b", 2.301}}, rule);
  EXPECT_DOUBLE_EQ(trained.at("a").threshold, 4.6);
  EXPECT_FALSE(trained.at("a").blind);
  EXPECT_DOUBLE_EQ(trained.at("b").threshold, 4.8);
  EXPECT_TRUE(trained.at("b").blind);
}

TEST(Training, CwndFactorsAreHundredthsWithinBounds) {
  EXPECT_DOUBLE_EQ(TrainCwndF(0.919), 0.91);
  EXPECT_DOUBLE_EQ(TrainCwndF(0.91), 0.91);
  EXPECT_DOUBLE_EQ(TrainCwndF(0.29), 0.29);  // 100 x 0.29 is 28.999999999999996
  EXPECT_DOUBLE_EQ(TrainCwndF(1.2), 0.95);
  EXPECT_DOUBLE_EQ(TrainCwndF(0.04), 0.05);
  EXPECT_DOUBLE_EQ(TrainCwndF(0), 0.05);
}

// The formula as it stands, over a whole table of windows.
std::optional<double> SlowDegree(const std::vector<double>& degrees, std::size_t k) {
  std::vector<double> present;
  for (const double degree : degrees) {
    if (degree >= 0) {
      present.push_back(degree);
    }
  }
  const auto kth = [&](std::vector<double> values, std::size_t place) {
    std::sort(values.rbegin(), values.rend());
    return values.at(place - 1);
  };
  if (present.empty()) {
    return std::nullopt;
  }
  if (present.size() < 2 * k - 1) {
    return kth(present, present.size() < k ? 1 : k);
  }
  double most = 0;
  for (std::size_t i = 0; i + 2 * k - 1 <= degrees.size(); ++i) {
    std::vector<double> run;
    for (std::size_t j = i; j < i + 2 * k - 1; ++j) {
      run.push_back(std::max(0.0, degrees[j]));
    }
    most = std::max(most, kth(run, k));
  }
  return most;
}

TEST(TrainingRun, IsTheFormulaOverTheWholeTable) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t k = 1 + random() % 4;
    std::vector<double> degrees(random() % 30);
    for (auto& degree : degrees) {
      degree = random() % 3 == 0 ? -1 : static_cast<double>(random() % 8);
    }
    EXPECT_EQ(DegreeOf(degrees, k), SlowDegree(degrees, k)) << "round " << round;
  }
}

TEST(TrainingRun, NeverFlagsItsOwnTraining) {
  std::mt19937_64 random(12);
  for (int round = 0; round < 500; ++round) {
    std::vector<double> degrees(1 + random() % 40);
    for (auto& degree : degrees) {
      degree = random() % 4 == 0 ? -1 : static_cast<double>(random() % 1000) / 300;
    }
    const auto v = DegreeOf(degrees);
    if (!v) {
      continue;
    }
    auto rule = FindRule(TestbenchPreset());
    rule.scale = 1.000001;  // not 1: a degree of 0.7000000000000001 trains the tenth 0.7
    const double threshold = TrainThresholds(Seen{{"a", v}}, rule).at("a").threshold;
    for (std::size_t end = 0; end < degrees.size(); ++end) {
      int anomalous = 0;
      for (std::size_t i = end < 4 ? 0 : end - 4; i <= end; ++i) {
        anomalous += degrees[i] > threshold ? 1 : 0;
      }
      EXPECT_LT(anomalous, 3) << "round " << round;
    }
  }
}

TEST(Training, TheOrderOfComponentsAndAUnitOfTimeDoNotMatter) {
  TrainingRun a;
  TrainingRun b;
  for (const std::int64_t window : {3, 4, 6, 7, 9}) {
    a.Add(window, static_cast<double>(window % 4), 3);
    b.Add(window + 1'000'000'000'000, static_cast<double>(window % 4), 3);
  }
  EXPECT_EQ(a.Degree(3), b.Degree(3));
}

}  // namespace
}  // namespace limpet::training_test
