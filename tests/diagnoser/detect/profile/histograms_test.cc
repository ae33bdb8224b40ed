#include "diagnoser/detect/profile/histograms.h"

#include <gmock/gmock.h>

#include <cmath>

namespace limpet::histograms_test {
namespace {

using Input = ProfileHistograms::Input;

std::vector<Input> Hosts(std::initializer_list<std::optional<std::size_t>> labels) {
  static constexpr std::string_view kNames[] = {"a", "b", "c", "d", "e"};
  std::vector<Input> hosts;
  for (const auto& label : labels) {
    hosts.push_back({.host = kNames[hosts.size()], .label = label});
  }
  return hosts;
}

TEST(Histograms, DecayByOnePercentASecond) {
  ProfileHistograms histograms(3, 0.5, AlarmRule::kConsecutive);
  (void)histograms.Observe(1, Hosts({1, 1, 1}));
  (void)histograms.Observe(2, Hosts({2, 1, 1}));
  EXPECT_THAT(histograms.Histories().at("a").counts, ::testing::ElementsAre(0.99, 1, 0));
}

TEST(Histograms, StandStillInAMissingSecond) {
  ProfileHistograms histograms(3, 0.5, AlarmRule::kConsecutive);
  (void)histograms.Observe(1, Hosts({1, 1, 1}));
  const auto result = histograms.Observe(2, Hosts({std::nullopt, 1, 1}));
  EXPECT_THAT(histograms.Histories().at("a").counts, ::testing::ElementsAre(1, 0, 0));
  EXPECT_TRUE(result.hosts[0].taking_part);
}

TEST(Histograms, AHostTakesPartForThirtySecondsAfterItsLastLabel) {
  ProfileHistograms histograms(3, 0.5, AlarmRule::kConsecutive);
  (void)histograms.Observe(1, Hosts({1, 1, 1}));
  EXPECT_TRUE(histograms.Observe(31, Hosts({std::nullopt, 1, 1})).hosts[0].taking_part);
  const auto later = histograms.Observe(32, Hosts({std::nullopt, 1, 1}));
  EXPECT_FALSE(later.hosts[0].taking_part);
  EXPECT_EQ(later.table.hosts, 2U);
}

// The total after n seconds is 100 (1 - 0.99^n): 49.7 after 68, 50.3 after 69... and so many alarms
// in a row after that make an indictment.
TEST(Histograms, AreComparedOnceTheyHoldFifty) {
  ProfileHistograms histograms(3, 0.5, AlarmRule::kConsecutive);
  std::int64_t first_alarm = 0;
  std::int64_t indicted = 0;
  for (std::int64_t second = 1; second <= 120; ++second) {
    const auto result = histograms.Observe(second, Hosts({2, 1, 1, 1}));
    EXPECT_FALSE(result.hosts[1].alarm);
    if (result.hosts[0].alarm && first_alarm == 0) {
      first_alarm = second;
    }
    if (result.hosts[0].indicted && indicted == 0) {
      indicted = second;
    }
  }
  EXPECT_EQ(first_alarm, 69);
  EXPECT_EQ(indicted, 88);
}

// Of four hosts more than 1.5 of the three distances must be over the threshold.
TEST(Histograms, TwoOddHostsOfFourAreBothAlarmed) {
  ProfileHistograms histograms(3, 0.5, AlarmRule::kConsecutive);
  ProfileHistograms::Result result;
  for (std::int64_t second = 1; second <= 80; ++second) {
    result = histograms.Observe(second, Hosts({2, 2, 1, 1}));
  }
  for (const auto& host : result.hosts) {
    EXPECT_TRUE(host.alarm);  // nobody can say which two are the odd ones
    EXPECT_DOUBLE_EQ(host.distance, 1);
  }
}

TEST(Histograms, OfTwoHostsNobodyIsTheOddOneOut) {
  ProfileHistograms histograms(3, 0.5, AlarmRule::kConsecutive);
  ProfileHistograms::Result result;
  for (std::int64_t second = 1; second <= 80; ++second) {
    result = histograms.Observe(second, Hosts({2, 1}));
  }
  EXPECT_FALSE(result.hosts[0].alarm);
  EXPECT_DOUBLE_EQ(result.Distance(0, 1), 1);
}

TEST(Histograms, GoOnFromWhatWasKept) {
  ProfileHistograms whole(3, 0.5, AlarmRule::kWeighted);
  ProfileHistograms first(3, 0.5, AlarmRule::kWeighted);
  ProfileHistograms second(3, 0.5, AlarmRule::kWeighted);
  for (std::int64_t t = 1; t <= 89; ++t) {
    (void)whole.Observe(t, Hosts({2, 1, 1}));
    (void)first.Observe(t, Hosts({2, 1, 1}));
  }
  const auto said = first.Observe(90, Hosts({2, 1, 1}));
  EXPECT_TRUE(said.hosts[0].indicted);
  for (const auto& [host, history] : first.Histories()) {
    EXPECT_TRUE(second.Restore(host, history));
  }
  const auto recalled = second.Recall(90, Hosts({2, 1, 1}));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(recalled.hosts[i].distance, said.hosts[i].distance);
    EXPECT_EQ(recalled.hosts[i].alarm, said.hosts[i].alarm);
    EXPECT_EQ(recalled.hosts[i].indicted, said.hosts[i].indicted);
  }
  (void)whole.Observe(90, Hosts({2, 1, 1}));
  for (std::int64_t t = 91; t <= 110; ++t) {
    EXPECT_EQ(whole.Observe(t, Hosts({2, 1, 1})).hosts[0].indicted,
              second.Observe(t, Hosts({2, 1, 1})).hosts[0].indicted);
  }
  EXPECT_EQ(whole.Histories(), second.Histories());
}

}  // namespace
}  // namespace limpet::histograms_test
