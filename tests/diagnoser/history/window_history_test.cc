#include "diagnoser/history/window_history.h"

#include <gmock/gmock.h>

#include <cmath>

namespace limpet::window_history_test {
namespace {

using namespace std::chrono_literals;

WindowEvent Window(int second, std::vector<double> means, const std::string& metric = "await") {
  WindowEvent event{.end = UnixFromSeconds(second),
                    .preset = "default",
                    .group = "disks",
                    .metric = metric,
                    .n = means.size()};
  for (std::size_t i = 0; i < means.size(); ++i) {
    ComponentWindow component;
    component.component = "io0" + std::to_string(i) + "/sda";
    component.mean = means[i];
    component.threshold = 1;
    event.components.push_back(component);
  }
  return event;
}

TEST(WindowHistory, KeepsMeansAndWhereThePeersAre) {
  WindowHistory history(1h, 1U << 20U);
  auto event = Window(100, {10, 11, 12, 13, 60});
  event.components[4].window_anomalous = true;
  event.components[4].window_degree = 7;
  history.Add(event);
  const auto all = history.Snapshot();
  ASSERT_EQ(all.size(), 1U);
  const auto& point = *all.begin()->second.front();
  EXPECT_EQ(point.means[4], 60);
  EXPECT_EQ(point.median, 12);
  EXPECT_EQ(point.low, 10);
  ASSERT_EQ(point.odd.size(), 1U);
  EXPECT_EQ(point.odd[0].place, 4U);
  EXPECT_EQ(point.odd[0].degree, 7);
  EXPECT_TRUE(std::isnan(point.odd[0].effect));
  EXPECT_TRUE(point.odd[0].anomalous);
}

TEST(WindowHistory, MetricsOfAGroupShareTheirNames) {
  WindowHistory history(1h, 1U << 20U);
  history.Add(Window(100, {1, 2, 3}));
  history.Add(Window(100, {1, 2, 3}, "svctm"));
  const auto all = history.Snapshot();
  EXPECT_EQ(all.begin()->second.front()->names, all.rbegin()->second.front()->names);
}

TEST(WindowHistory, ForgetsWhatIsTooOldOrTooMuch) {
  WindowHistory history(1h, 10'000);
  for (int second = 0; second < 10'000; second += 10) {
    history.Add(Window(second, {1, 2, 3}));
    history.Trim();
  }
  EXPECT_LE(history.Bytes(), 10'000U);
  EXPECT_FALSE(history.Snapshot().begin()->second.empty());
  history.SetBounds(20s, 10'000);
  EXPECT_EQ(history.Snapshot().begin()->second.size(), 3U);
  history.SetBounds(20s, 0);
  EXPECT_TRUE(history.Snapshot().empty());
  EXPECT_EQ(history.Bytes(), 0U);
}

TEST(WindowHistory, AnUndeterminedWindowSaysNothing) {
  WindowHistory history(1h, 1U << 20U);
  auto event = Window(100, {1, 2});
  event.undetermined = true;
  history.Add(event);
  EXPECT_TRUE(history.Snapshot().empty());
}

}  // namespace
}  // namespace limpet::window_history_test
