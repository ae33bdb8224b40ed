#include "diagnoser/verdict/storm.h"

#include <gmock/gmock.h>

namespace limpet::storm_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Components "a", "b", … by what they are: 'H' flagged high, 'L' flagged low, 'p' flagged by past
// windows alone, whatever side it is on now, '.' not flagged.
WindowEvent Window(const std::string& metric, const std::string& components) {
  WindowEvent window{.end = {},
                     .preset = "default",
                     .group = "io",
                     .metric = metric,
                     .n = components.size(),
                     .components = {}};
  for (std::size_t i = 0; i < components.size(); ++i) {
    const char kind = components[i];
    window.components.push_back({.component = std::string(1, static_cast<char>('a' + i)),
                                 .degree = kind == '.' ? 0.0 : 2.0,
                                 .window_anomalous = kind == 'H' || kind == 'L',
                                 .flagged = kind != '.',
                                 .direction = kind == 'H' || kind == 'p' ? Direction::kHigh
                                              : kind == 'L'              ? Direction::kLow
                                                                         : Direction::kNone,
                                 .mean = kind == 'L' ? 1.0 : 10.0 + static_cast<double>(i)});
  }
  return window;
}

TEST(Storm, OfALatencyNamesTheSlowSideWhenMostOfTheGroupIsSick) {
  const auto storm = FindStorm(Window("svctm", ".......LLLLL"));
  ASSERT_TRUE(storm);
  EXPECT_TRUE(storm->half);
  EXPECT_EQ(storm->flagged, 7U);
  EXPECT_THAT(storm->components, ElementsAre("g", "f", "e", "d", "c", "b", "a"));
}

TEST(Storm, OfALatencyNamesTheSlowHalf) {
  const auto storm = FindStorm(Window("await", "HHHHHHLLLLLL"));
  ASSERT_TRUE(storm);
  EXPECT_TRUE(storm->half);
  EXPECT_THAT(storm->components, ElementsAre("f", "e", "d", "c", "b", "a"));
  EXPECT_THAT(FindStorm(Window("await", "HHLL"))->components, ElementsAre("b", "a"));
}

TEST(Storm, OfALatencyDoesNotCountTheFast) {
  EXPECT_FALSE(FindStorm(Window("svctm", "LLL.............")));
  EXPECT_FALSE(FindStorm(Window("svctm", "L...")));
  const auto storm = FindStorm(Window("svctm", "LHHH........"));
  ASSERT_TRUE(storm);
  EXPECT_FALSE(storm->half);
  EXPECT_EQ(storm->flagged, 3U);
  EXPECT_THAT(storm->components, ElementsAre("b", "c", "d"));
}

TEST(Storm, NamesNobodyWhereTheMetricDoesNotTellWhichSideIsSick) {
  const auto storm = FindStorm(Window("txpck", ".......LLLLL"));
  ASSERT_TRUE(storm);
  EXPECT_TRUE(storm->either_side);
  EXPECT_EQ(storm->flagged, 5U);
  EXPECT_THAT(storm->components, IsEmpty());
}

// When many recover at once, those who had been fast are on either side by chance.
TEST(Storm, HoldsNobodysPastAgainstItsPresentSide) {
  EXPECT_FALSE(FindStorm(Window("svctm", ".......ppppp")));
  EXPECT_FALSE(FindStorm(Window("svctm", "......pppppp")));
  EXPECT_TRUE(FindStorm(Window("tps", ".......ppppp"))->either_side);
  EXPECT_TRUE(FindStorm(Window("tps", ".......LLLpp"))->either_side);
}

TEST(Storm, NamesAMinorityAndThoseWhoDifferInBothWays) {
  EXPECT_THAT(FindStorm(Window("txpck", ".........HHH"))->components, SizeIs(3));
  EXPECT_THAT(FindStorm(Window("tps", "HHLL..LLHHHH"))->components, SizeIs(10));
}

TEST(Storm, IsMoreThanATenthAndAtLeastThree) {
  EXPECT_FALSE(IsStorm(2, 10));
  EXPECT_TRUE(IsStorm(3, 10));
  EXPECT_TRUE(IsStorm(3, 29));
  EXPECT_FALSE(IsStorm(3, 30));
  EXPECT_TRUE(IsStorm(4, 30));
  EXPECT_FALSE(IsStorm(100, 1000));
  EXPECT_TRUE(IsStorm(101, 1000));
}

TEST(Storm, IsMoreThanHalfOfASmallGroup) {
  EXPECT_FALSE(IsStorm(1, 3));
  EXPECT_TRUE(IsStorm(2, 3));
  EXPECT_FALSE(IsStorm(2, 4));
  EXPECT_TRUE(IsStorm(3, 4));
}

TEST(Storm, NeedsAGroupThatCanBeJudged) {
  EXPECT_FALSE(IsStorm(0, 0));
  EXPECT_FALSE(IsStorm(1, 1));
  EXPECT_FALSE(IsStorm(2, 2));
  EXPECT_FALSE(IsStorm(0, 100));
}

}  // namespace
}  // namespace limpet::storm_test
