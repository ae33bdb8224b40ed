#include "diagnoser/series/increase.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "diagnoser/metrics/missing.h"

namespace limpet::increase_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

UnixTime At(std::int64_t ms) { return UnixFromMilliseconds(1'700'000'000'000 + ms); }
constexpr std::int64_t kBase = 1'700'000'000;  // bin of At(0) on a 1 s grid

const std::vector<GridSpec> kSeconds = {
    {.step = seconds(1), .max_gap = seconds(5), .capacity = 16}};
const std::vector<GridSpec> kToTheLetter = {
    {.step = seconds(1), .max_gap = seconds(5), .capacity = 16, .to_the_letter = true}};

struct Point {
  std::int64_t ms;
  double value;
};

CounterTrack Track(const std::vector<Point>& points,
                   const std::vector<GridSpec>& grids = kSeconds) {
  CounterTrack track(grids);
  Spreads spreads(grids);
  for (const auto& point : points) {
    track.Add(At(point.ms), point.value, spreads);
  }
  return track;
}

double Bin(const CounterTrack& track, std::int64_t bin) { return track.Column(0).At(kBase + bin); }

TEST(Increase, ReadingsOnTheGridGiveTheirDifference) {
  const auto track = Track({{0, 100}, {1000, 103}, {2000, 110}});
  EXPECT_EQ(Bin(track, 1), 3);
  EXPECT_EQ(Bin(track, 2), 7);
  EXPECT_TRUE(IsMissing(Bin(track, 0))) << "before the first reading";
  EXPECT_TRUE(IsMissing(Bin(track, 3))) << "after the last reading";
}

TEST(Increase, IsSharedOutByTimeBetweenBins) {
  // 10 over (0.4 s, 1.4 s]: 6 before 1 s and 4 after; then 20 over (1.4 s, 2.4 s]: 12 and 8.
  const auto track = Track({{-600, 0}, {400, 10}, {1400, 20}, {2400, 40}});
  EXPECT_DOUBLE_EQ(Bin(track, 1), 10 * 0.4 + 10 * 0.6);
  EXPECT_DOUBLE_EQ(Bin(track, 2), 10 * 0.4 + 20 * 0.6);
}

TEST(Increase, TheBinOfTheFirstReadingIsMissingUnlessItBeginsThere) {
  const auto track = Track({{100, 0}, {1000, 5}, {2000, 6}});
  EXPECT_TRUE(IsMissing(Bin(track, 1)));
  EXPECT_EQ(Bin(track, 2), 1);
}

TEST(Increase, SeveralReadingsInOneBinAddUp) {
  const auto track = Track({{0, 0}, {250, 1}, {500, 3}, {1000, 7}});
  EXPECT_EQ(Bin(track, 1), 7);
}

TEST(Increase, AfterAResetIsTheNewReadingToTheLetter) {
  const auto track = Track({{0, 100}, {1000, 7}, {2000, 9}}, kToTheLetter);
  EXPECT_EQ(Bin(track, 1), 7);
  EXPECT_EQ(Bin(track, 2), 2);
  CounterTrack counter(kToTheLetter);
  Spreads spreads(kToTheLetter);
  counter.Add(At(0), 100, spreads);
  EXPECT_EQ(counter.Add(At(1000), 7, spreads), ReadingKind::kReset);
}

TEST(Increase, WhatReturnsHasNotRestarted) {
  CounterTrack counter(kSeconds);
  Spreads spreads(kSeconds);
  const auto add = [&](int ms, double value) { return counter.Add(At(ms), value, spreads); };
  EXPECT_EQ(add(0, 1000), ReadingKind::kFirst);
  EXPECT_EQ(add(1000, 1010), ReadingKind::kTaken);
  EXPECT_EQ(add(2000, 5), ReadingKind::kReset);
  EXPECT_EQ(add(3000, 7), ReadingKind::kLate);
  EXPECT_EQ(add(2500, 1030), ReadingKind::kLate) << "not after the last page";
  EXPECT_EQ(add(4000, 1040), ReadingKind::kTaken);
  for (int bin = 1; bin <= 4; ++bin) {
    EXPECT_EQ(Bin(counter, bin), 10) << bin;
  }
}

TEST(Increase, WhatStaysLowHasRestartedInAGap) {
  CounterTrack counter(kSeconds);
  Spreads spreads(kSeconds);
  counter.Add(At(0), 1000, spreads);
  EXPECT_EQ(counter.Add(At(1000), 3, spreads), ReadingKind::kReset);
  for (int second = 2; second <= 5; ++second) {
    EXPECT_EQ(counter.Add(At(1000 * second), second, spreads), ReadingKind::kLate);
  }
  EXPECT_EQ(counter.Add(At(6000), 6, spreads), ReadingKind::kGap);
  EXPECT_EQ(counter.Add(At(7000), 8, spreads), ReadingKind::kTaken);
  for (int bin = 1; bin <= 6; ++bin) {
    EXPECT_TRUE(IsMissing(Bin(counter, bin))) << bin;
  }
  EXPECT_EQ(Bin(counter, 7), 2);
}

// Presets of both kinds may run side by side, on the same counters.
TEST(Increase, GridsToTheLetterAreAsIfTheyWereAlone) {
  auto grids = kSeconds;
  grids.push_back(kToTheLetter.front());
  grids.front().capacity = grids.back().capacity = 100;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    std::vector<Point> points;
    std::int64_t ms = 0;
    double value = 1000;
    for (int i = 0; i < 60; ++i) {
      points.push_back({ms, value});
      const auto kind = std::uniform_int_distribution<int>(0, 9)(random);
      ms += kind == 0 ? 7000 : std::uniform_int_distribution<int>(200, 1500)(random);
      value += std::uniform_int_distribution<int>(0, 50)(random);
      value = kind == 1 ? value / 3 : kind == 2 ? value * 3 : value;
    }
    const auto both = Track(points, grids);
    const auto letter = Track(points, {grids.back()});
    const auto doubts = Track(points, {grids.front()});
    for (std::int64_t bin = kBase; bin < kBase + 90; ++bin) {
      EXPECT_THAT(both.Column(1).At(bin), ::testing::NanSensitiveDoubleEq(letter.Column(0).At(bin)))
          << seed << ' ' << bin;
      EXPECT_THAT(both.Column(0).At(bin), ::testing::NanSensitiveDoubleEq(doubts.Column(0).At(bin)))
          << seed << ' ' << bin;
    }
  }
}

TEST(Increase, AFallAfterARestartOfWhoCountsIsAGap) {
  CounterTrack counter(kSeconds);
  Spreads spreads(kSeconds);
  EXPECT_EQ(counter.Add(UnixFromSeconds(kBase), 9'000'000, spreads), ReadingKind::kFirst);
  EXPECT_EQ(counter.Add(UnixFromSeconds(kBase + 1), 4'705'033, spreads, true), ReadingKind::kGap);
  EXPECT_EQ(counter.Add(UnixFromSeconds(kBase + 2), 4'705'034, spreads), ReadingKind::kTaken);
  EXPECT_TRUE(IsMissing(Bin(counter, 1)));
  EXPECT_EQ(Bin(counter, 2), 1);
}

// One worked-out pair serves all counters that share it, whatever was asked in between.
TEST(Increase, CountersWithOtherInstantsDoNotDisturbEachOther) {
  Spreads spreads(kSeconds);
  CounterTrack even(kSeconds);
  CounterTrack odd(kSeconds);
  CounterTrack alone(kSeconds);
  Spreads own(kSeconds);
  for (int i = 0; i < 10; ++i) {
    even.Add(At(i * 900), 9 * i, spreads);
    odd.Add(At(i * 900 + (i % 2) * 100), 2 * i, spreads);
    alone.Add(At(i * 900), 9 * i, own);
  }
  for (std::int64_t bin = 0; bin <= 9; ++bin) {
    const double found = Bin(even, bin);
    ASSERT_EQ(IsMissing(found), IsMissing(Bin(alone, bin))) << bin;
    if (!IsMissing(found)) {
      EXPECT_EQ(found, Bin(alone, bin)) << bin;
    }
  }
}

TEST(Increase, ARestartWithoutAFallChangesNothing) {
  CounterTrack counter(kSeconds);
  Spreads spreads(kSeconds);
  EXPECT_EQ(counter.Add(UnixFromSeconds(kBase), 5, spreads), ReadingKind::kFirst);
  EXPECT_EQ(counter.Add(UnixFromSeconds(kBase + 1), 7, spreads, true), ReadingKind::kTaken);
  EXPECT_EQ(Bin(counter, 1), 2);
}

TEST(Increase, WhatNoMachineDoesIsRefusedAndSoIsThePairAfterIt) {
  CounterTrack counter(kToTheLetter, /*per_second=*/10);
  Spreads spreads(kToTheLetter);
  const auto add = [&](int ms, double value) { return counter.Add(At(ms), value, spreads); };
  EXPECT_EQ(add(0, 0), ReadingKind::kFirst);
  EXPECT_EQ(add(1000, 25), ReadingKind::kTaken) << "half as much again, and a second";
  EXPECT_EQ(add(2000, 51), ReadingKind::kRefused);
  EXPECT_EQ(spreads.Refused().increase, 26);
  EXPECT_EQ(spreads.Refused().most, 25);
  EXPECT_EQ(add(3000, 52), ReadingKind::kGap);
  EXPECT_EQ(add(4000, 54), ReadingKind::kTaken);
  EXPECT_EQ(add(5000, 40), ReadingKind::kRefused) << "what it would have done since a reset";
  EXPECT_EQ(Bin(counter, 1), 25);
  EXPECT_TRUE(IsMissing(Bin(counter, 2)));
  EXPECT_TRUE(IsMissing(Bin(counter, 3)));
  EXPECT_EQ(Bin(counter, 4), 2);
}

TEST(Increase, ACounterThatStartsAnewBeginsWithAGap) {
  CounterTrack counter(kSeconds);
  Spreads spreads(kSeconds);
  counter.Add(At(0), 5, spreads);
  counter.StartAnew();
  EXPECT_EQ(counter.Add(At(1000), 7, spreads), ReadingKind::kGap);
  EXPECT_EQ(counter.Add(At(2000), 8, spreads), ReadingKind::kTaken);
  EXPECT_TRUE(IsMissing(Bin(counter, 1)));
  EXPECT_EQ(Bin(counter, 2), 1);
}

TEST(Increase, WhatIsSpoiledIsAsIfItHadBeenAGap) {
  CounterTrack counter(kSeconds);
  Spreads spreads(kSeconds);
  for (int i = 0; i <= 4; ++i) {
    counter.Add(At(i * 900), i, spreads);
  }
  counter.Spoil(At(2700), At(3600), kSeconds);
  EXPECT_FALSE(IsMissing(Bin(counter, 2)));
  EXPECT_TRUE(IsMissing(Bin(counter, 3)));
  counter.Add(At(4500), 5, spreads);
  counter.Add(At(5400), 6, spreads);
  counter.Add(At(6300), 7, spreads);
  EXPECT_TRUE(IsMissing(Bin(counter, 4)));
  EXPECT_TRUE(IsMissing(Bin(counter, 5)));
  EXPECT_FALSE(IsMissing(Bin(counter, 6)));
}

TEST(Increase, AGapLeavesEveryBinItTouchesMissing) {
  const auto track = Track({{0, 0}, {1000, 1}, {1500, 2}, {7200, 50}, {8000, 58}, {9000, 59}});
  EXPECT_EQ(Bin(track, 1), 1);
  for (std::int64_t bin = 2; bin <= 8; ++bin) {
    EXPECT_TRUE(IsMissing(Bin(track, bin))) << bin;
  }
  EXPECT_EQ(Bin(track, 9), 1);
}

TEST(Increase, AGapThatEndsOnTheGridDoesNotTouchTheNextBin) {
  const auto track = Track({{0, 0}, {7000, 50}, {8000, 58}});
  EXPECT_TRUE(IsMissing(Bin(track, 7)));
  EXPECT_EQ(Bin(track, 8), 8);
}

TEST(Increase, APauseOfExactlyMaxGapIsNoGap) {
  const auto track = Track({{0, 0}, {5000, 50}});
  for (std::int64_t bin = 1; bin <= 5; ++bin) {
    EXPECT_DOUBLE_EQ(Bin(track, bin), 10) << bin;
  }
}

TEST(Increase, LateAndRepeatedReadingsAreLeftOut) {
  CounterTrack track(kSeconds);
  Spreads spreads(kSeconds);
  track.Add(At(0), 0, spreads);
  track.Add(At(1000), 10, spreads);
  EXPECT_EQ(track.Add(At(1000), 11, spreads), ReadingKind::kLate);
  EXPECT_EQ(track.Add(At(500), 5, spreads), ReadingKind::kLate);
  track.Add(At(2000), 12, spreads);
  EXPECT_EQ(Bin(track, 1), 10);
  EXPECT_EQ(Bin(track, 2), 2);
}

TEST(Increase, OldBinsLeaveTheRing) {
  CounterTrack track(kSeconds);
  Spreads spreads(kSeconds);
  for (int i = 0; i <= 40; ++i) {
    track.Add(At(i * 1000), i, spreads);
  }
  EXPECT_TRUE(IsMissing(Bin(track, 24)));
  EXPECT_EQ(Bin(track, 25), 1);
  EXPECT_EQ(Bin(track, 40), 1);
}

TEST(Increase, ARangeIsWhatItsBinsAre) {
  for (const int readings : {1, 2, 7, 16, 17, 40, 53}) {
    CounterTrack track(kSeconds);
    Spreads spreads(kSeconds);
    for (int i = 0; i < readings; ++i) {
      track.Add(At(i * 1000), i * i, spreads);
    }
    for (std::int64_t first = -3; first < 60; ++first) {
      for (const std::size_t count : {0U, 1U, 5U, 16U, 70U}) {
        const auto range = track.Column(0).Range(kBase + first, count);
        std::vector<double> all(range.missing_before, kMissing);
        all.insert(all.end(), range.older.begin(), range.older.end());
        all.insert(all.end(), range.newer.begin(), range.newer.end());
        all.insert(all.end(), range.missing_after, kMissing);
        ASSERT_EQ(all.size(), count);
        for (std::size_t i = 0; i < count; ++i) {
          const double wanted = Bin(track, first + static_cast<std::int64_t>(i));
          ASSERT_EQ(IsMissing(all[i]), IsMissing(wanted)) << readings << " " << first << " " << i;
          if (!IsMissing(wanted)) {
            ASSERT_EQ(all[i], wanted);
          }
        }
      }
    }
  }
}

TEST(Increase, AGapLongerThanTheRingIsSkippedAtOnce) {
  const auto track = Track({{0, 0}, {1000, 1}, {1'000'000'000'000, 5}, {1'000'000'001'000, 6}});
  EXPECT_EQ(Bin(track, 1'000'000'001), 1);
  EXPECT_TRUE(IsMissing(Bin(track, 1'000'000'000)));
  EXPECT_TRUE(IsMissing(Bin(track, 1)));
}

TEST(Increase, TheLargestReadingsStayFinite) {
  const auto track = Track({{0, 0}, {1500, 1e290}, {2000, 1e290}});
  EXPECT_TRUE(std::isfinite(Bin(track, 1)));
  EXPECT_TRUE(std::isfinite(Bin(track, 2)));
}

// The formula as written: every bin asks every pair of readings for its share.
double SlowBin(const std::vector<Point>& points, std::int64_t bin) {
  const double begin = static_cast<double>(bin - 1) * 1000;
  const double end = static_cast<double>(bin) * 1000;
  if (begin < static_cast<double>(points.front().ms) ||
      end > static_cast<double>(points.back().ms)) {
    return kMissing;
  }
  double sum = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const auto a = static_cast<double>(points[i - 1].ms);
    const auto b = static_cast<double>(points[i].ms);
    const double overlap = std::min(b, end) - std::max(a, begin);
    if (overlap <= 0) {
      continue;
    }
    if (b - a > 5000) {
      return kMissing;
    }
    const double rise = points[i].value < points[i - 1].value
                            ? points[i].value
                            : points[i].value - points[i - 1].value;
    sum += rise * (overlap / (b - a));
  }
  return sum;
}

TEST(Increase, AgreesWithTheFormulaOnRandomReadings) {
  const std::vector<GridSpec> grids = {
      {.step = seconds(1), .max_gap = seconds(5), .capacity = 400, .to_the_letter = true}};
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    std::vector<Point> points;
    std::int64_t ms = std::uniform_int_distribution<std::int64_t>(0, 3000)(random);
    double value = 1000;
    while (ms < 300'000) {
      points.push_back({ms, value});
      const int kind = std::uniform_int_distribution<int>(0, 20)(random);
      ms += kind == 0  ? std::uniform_int_distribution<int>(4500, 12'000)(random)
            : kind < 4 ? 1000 - ms % 1000
                       : std::uniform_int_distribution<int>(1, 2500)(random);
      value = kind == 1 ? 3 : value + std::uniform_int_distribution<int>(0, 500)(random);
    }
    const auto track = Track(points, grids);
    for (std::int64_t bin = 1; bin < 299; ++bin) {
      const double expected = SlowBin(points, bin);
      const double found = Bin(track, bin);
      ASSERT_EQ(IsMissing(expected), IsMissing(found)) << "seed " << seed << " bin " << bin;
      if (!IsMissing(expected)) {
        ASSERT_NEAR(found, expected, 1e-9 * (1 + expected)) << "seed " << seed << " bin " << bin;
      }
    }
  }
}

}  // namespace
}  // namespace limpet::increase_test
