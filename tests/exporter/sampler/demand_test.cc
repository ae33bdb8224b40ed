#include "exporter/sampler/demand.h"

#include <gmock/gmock.h>

#include <functional>
#include <set>
#include <vector>

namespace limpet::demand_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::Each;
using ::testing::Le;

constexpr auto kBegin = UnixTime(seconds(1'700'000'000));

// A day of a sampler in fast motion: who asks when, in milliseconds since the begin.
struct Day {
  std::vector<std::int64_t> samples;  // milliseconds since the begin
  std::vector<std::int64_t> ages;     // of the pages asked for in the second half, milliseconds

  [[nodiscard]] double SamplesASecond(std::int64_t from) const {
    double count = 0;
    for (const auto at : samples) {
      count += at >= from ? 1 : 0;
    }
    return 1000 * count / static_cast<double>(samples.back() - from);
  }
};

Day Live(Demand& demand, const std::set<std::int64_t>& asks, std::int64_t end) {
  Day day;
  auto next = demand.Next(kBegin);
  auto ask = asks.begin();
  while (true) {
    const auto at = std::chrono::duration_cast<milliseconds>(next - kBegin).count();
    for (; ask != asks.end() && *ask < at; ++ask) {
      const auto sampled = day.samples.empty() ? 0 : day.samples.back();
      demand.Asked(kBegin + milliseconds(*ask), kBegin + milliseconds(sampled));
      if (2 * *ask > end) {
        day.ages.push_back(*ask - sampled);
      }
    }
    if (at > end) {
      return day;
    }
    day.samples.push_back(at);
    next = demand.Next(next + milliseconds(1));
  }
}

std::set<std::int64_t> Every(std::int64_t period, std::int64_t first, std::int64_t end) {
  std::set<std::int64_t> asks;
  for (auto at = first; at < end; at += period) {
    asks.insert(at);
  }
  return asks;
}

TEST(Demand, AScrapeASecondHasASampleASecond) {
  Demand demand(seconds(1));
  const auto day = Live(demand, Every(1000, 730, 1'000'000), 1'000'000);
  EXPECT_EQ(day.samples.size(), 1000U);
  EXPECT_THAT(day.ages, Each(Le(1000)));
}

TEST(Demand, EveryFifteenSecondsCostsAThirdAndIsFresh) {
  for (const std::int64_t phase : {0, 1, 500, 7'999}) {
    Demand demand(seconds(1));
    const auto day = Live(demand, Every(15'000, phase, 1'000'000), 1'000'000);
    EXPECT_LT(day.SamplesASecond(500'000), 0.36) << phase;
    EXPECT_THAT(day.ages, Each(Le(1000))) << phase;
  }
}

// Half of the scrapes come a little before the second, half of them after it.
TEST(Demand, UnevenScrapesAreFreshToo) {
  std::set<std::int64_t> asks;
  for (std::int64_t i = 0; i < 60; ++i) {
    asks.insert(i * 15'000 + 5'000 + (i * i % 3 == 0 ? -40 : 40));
  }
  Demand demand(seconds(1));
  EXPECT_THAT(Live(demand, asks, 900'000).ages, Each(Le(2000)));
}

TEST(Demand, TwoThatAskAreBothExpected) {
  auto asks = Every(15'000, 3'300, 1'000'000);
  asks.merge(Every(60'000, 10'100, 1'000'000));
  Demand demand(seconds(1));
  const auto day = Live(demand, asks, 1'000'000);
  EXPECT_THAT(day.ages, Each(Le(1000)));
  EXPECT_LT(day.SamplesASecond(500'000), 0.5);
}

TEST(Demand, WithoutAnybodyASampleEveryFiveSeconds) {
  Demand demand(seconds(1));
  const auto day = Live(demand, {}, 1'000'000);
  EXPECT_NEAR(day.SamplesASecond(200'000), 0.2, 0.01);
  EXPECT_NEAR(1000 * 140 / static_cast<double>(day.samples[139]), 1, 0.01) << "at first";
}

TEST(Demand, WhoeverIsNewGetsOnePageThatIsALittleOld) {
  Demand demand(seconds(1));
  const auto day = Live(demand, Every(1000, 603'700, 700'000), 1'000'000);
  EXPECT_LE(day.ages.front(), 5000);
  // Until the next sample that was planned.
  EXPECT_THAT(std::vector(day.ages.begin() + 5, day.ages.end()), Each(Le(1000)));
}

TEST(Demand, AClockThatIsSetIsDoubted) {
  Demand demand(seconds(1));
  (void)Live(demand, {}, 1'000'000);
  const auto back = kBegin - std::chrono::hours(1);
  EXPECT_EQ(demand.Next(back), back + seconds(1));
  const auto ahead = kBegin + std::chrono::hours(5);
  demand.Asked(ahead, back);
  EXPECT_EQ(demand.Next(ahead), ahead + seconds(1));
}

TEST(Demand, IntervalsOfTheirOwn) {
  for (const auto interval : {Duration(milliseconds(100)), Duration(seconds(30))}) {
    Demand demand(seconds(1));
    demand.Restart(interval);
    auto at = demand.Next(kBegin);
    EXPECT_LE(at - kBegin, interval);
    for (int i = 0; i < 500; ++i) {
      const auto next = demand.Next(at);
      EXPECT_LE(next - at, std::max<Duration>(interval, seconds(5)));
      at = next;
    }
  }
}

}  // namespace
}  // namespace limpet::demand_test
