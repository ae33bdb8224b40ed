#include "diagnoser/detect/syscalls/service_times.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "diagnoser/series/stats.h"

namespace limpet::service_times_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Values = std::vector<std::pair<std::string, double>>;

std::optional<ServiceWindow> Feed(ServiceTimes& times, std::int64_t second, const Values& values) {
  std::vector<ServiceSample> samples;
  for (const auto& [server, value] : values) {
    samples.push_back({.server = server, .value = value});
  }
  return times.Observe(second, samples);
}

ServiceThresholds Trained(double threshold) {
  return {.deviations = {{"a", threshold}, {"b", threshold}, {"c", threshold}}, .saturated = {}};
}

const Values kAlike = {{"a", 0.01}, {"b", 0.01}, {"c", 0.01}};
const Values kSlow = {{"a", 0.01}, {"b", 0.01}, {"c", 0.05}};

TEST(ServiceTimes, WindowsEndAtMultiplesOfFiveSeconds) {
  ServiceTimes times(Trained(0.005), 3);
  EXPECT_FALSE(Feed(times, 1'000'001, kAlike));
  EXPECT_FALSE(Feed(times, 1'000'004, kAlike));
  EXPECT_TRUE(Feed(times, 1'000'005, kAlike));
}

TEST(ServiceTimes, ThreeOfFiveWindowsMakeAFlag) {
  ServiceTimes times(Trained(0.005), 3);
  std::vector<bool> flagged;
  std::optional<ServiceWindow> last;
  for (std::int64_t second = 101; second <= 130; ++second) {
    if (auto window = Feed(times, second, second > 110 ? kSlow : kAlike)) {
      flagged.push_back(window->servers[2].flagged);
      last = std::move(window);
    }
  }
  EXPECT_THAT(flagged, ElementsAre(false, false, false, false, true, true));
  EXPECT_EQ(last->servers[2].direction, Direction::kHigh);
  EXPECT_DOUBLE_EQ(last->servers[2].mean, 0.05);
  EXPECT_NEAR(last->servers[2].degree, 0.04 / 0.005, 1e-9);
  EXPECT_THAT(last->servers[2].ends, ElementsAre(115, 120, 125, 130));
  EXPECT_FALSE(last->servers[0].flagged);
}

TEST(ServiceTimes, TheDegreeIsOverOneExactlyWhenFlagged) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> value(0, 0.02);
  for (int run = 0; run < 50; ++run) {
    ServiceTimes times(Trained(0.004), 3);
    for (std::int64_t second = 1; second <= 60; ++second) {
      const auto window =
          Feed(times, second, {{"a", value(random)}, {"b", value(random)}, {"c", value(random)}});
      for (const auto& server : window ? window->servers : std::vector<ServiceState>()) {
        EXPECT_EQ(server.degree > 1, server.flagged);
      }
    }
  }
}

TEST(ServiceTimes, WithoutTrainingNobodyIsAnomalous) {
  ServiceTimes times({}, 1);
  for (std::int64_t second = 1; second <= 30; ++second) {
    if (const auto window = Feed(times, second, {{"a", 0.001}, {"b", 0.001}, {"c", 9}})) {
      EXPECT_FALSE(window->servers[2].threshold);
      EXPECT_FALSE(window->servers[2].anomalous);
      EXPECT_EQ(window->servers[2].degree, 0);
    }
  }
}

TEST(ServiceTimes, AServerThatTrainingDidNotSeeHasTheLargestThresholdOfTheOthers) {
  const ServiceThresholds thresholds = {.deviations = {{"a", 0.002}, {"b", 0.01}}, .saturated = {}};
  EXPECT_DOUBLE_EQ(*thresholds.Find("new"), 0.01);
  EXPECT_DOUBLE_EQ(*thresholds.Find("a"), 0.002);
}

TEST(ServiceTimes, SaturatedServersAreJudgedButNotPartOfTheReference) {
  auto thresholds = Trained(0.005);
  thresholds.saturated = {"c"};
  ServiceTimes times(thresholds, 1);
  for (std::int64_t second = 1; second < 5; ++second) {
    (void)Feed(times, second, {{"a", 0.01}, {"b", 0.012}, {"c", 0.05}});
  }
  const auto window = Feed(times, 5, {{"a", 0.01}, {"b", 0.012}, {"c", 0.05}});
  ASSERT_TRUE(window);
  EXPECT_DOUBLE_EQ(window->reference, 0.011);
  EXPECT_TRUE(window->servers[2].flagged);
}

TEST(ServiceTimes, TwoServersAreNotCompared) {
  ServiceTimes times(Trained(0.005), 1);
  EXPECT_FALSE(Feed(times, 5, {{"a", 1}, {"b", 2}}));
}

// A slow version straight from docs/how-it-decides.md, on random input with holes.
TEST(ServiceTimes, AreWhatTheFormulasSay) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> value(0.001, 0.03);
  const std::vector<std::string> names = {"a", "b", "c", "d", "e"};
  ServiceThresholds thresholds;
  for (const auto& name : names) {
    thresholds.deviations[name] = 0.006;
  }
  ServiceTimes times(thresholds, 2);
  std::map<std::string, std::map<std::int64_t, double>> data;
  std::map<std::string, std::map<std::int64_t, bool>> anomalous;
  for (std::int64_t second = 1; second <= 400; ++second) {
    Values values;
    for (const auto& name : names) {
      if (random() % 4 != 0) {
        data[name][second] = value(random);
        values.emplace_back(name, data[name][second]);
      }
    }
    const auto window = Feed(times, second, values);
    if (second % 5 != 0) {
      EXPECT_FALSE(window);
      continue;
    }
    std::map<std::string, double> means;
    std::vector<double> all;
    for (const auto& name : names) {
      if (!data[name].contains(second)) {
        continue;
      }
      double sum = 0;
      int count = 0;
      for (auto s = second - 4; s <= second; ++s) {
        if (data[name].contains(s)) {
          sum += data[name][s];
          ++count;
        }
      }
      means[name] = sum / count;
      all.push_back(means[name]);
    }
    if (all.size() < 3) {
      EXPECT_FALSE(window);
      continue;
    }
    const double reference = Median(all);
    ASSERT_TRUE(window);
    EXPECT_NEAR(window->reference, reference, 1e-12);
    ASSERT_THAT(window->servers, SizeIs(means.size()));
    for (const auto& server : window->servers) {
      const double deviation = std::abs(means[server.server] - reference);
      EXPECT_NEAR(server.deviation, deviation, 1e-12);
      anomalous[server.server][second] = deviation > 0.006;
      int count = 0;
      for (auto end = second - 10; end <= second; end += 5) {
        const auto& its = anomalous[server.server];
        count += its.contains(end) && its.at(end) ? 1 : 0;
      }
      EXPECT_EQ(server.flagged, count >= 2);
    }
  }
}

}  // namespace
}  // namespace limpet::service_times_test
