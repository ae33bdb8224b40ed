#include "diagnoser/detect/profile/unknown_ratio.h"

#include <gtest/gtest.h>

namespace limpet::unknown_ratio_test {
namespace {

// `unknown` of 100 labels in every second of [from, to).
void Fill(UnknownRatio& ratio, std::int64_t from, std::int64_t to, std::size_t unknown) {
  for (auto second = from; second < to; ++second) {
    ratio.Record({.second = second, .labels = 100, .unknown = unknown});
  }
}

TEST(UnknownRatio, IsThatOfTenMinutes) {
  UnknownRatio ratio;
  EXPECT_EQ(ratio.Ratio(), 0);
  Fill(ratio, 1000, 1300, 10);
  EXPECT_DOUBLE_EQ(ratio.Ratio(), 0.1);
  Fill(ratio, 1300, 1600, 0);
  EXPECT_DOUBLE_EQ(ratio.Ratio(), 0.05);
  Fill(ratio, 1600, 1900, 0);
  EXPECT_EQ(ratio.Ratio(), 0);
}

TEST(UnknownRatio, IsStaleAfterTenMinutesOverFivePercent) {
  UnknownRatio ratio;
  Fill(ratio, 1000, 1600, 6);
  EXPECT_FALSE(ratio.Stale());
  Fill(ratio, 1600, 1601, 6);
  EXPECT_TRUE(ratio.Stale());
}

TEST(UnknownRatio, FivePercentAreNotTooMany) {
  UnknownRatio ratio;
  Fill(ratio, 1000, 2000, 5);
  EXPECT_FALSE(ratio.Stale());
}

TEST(UnknownRatio, AfterTenMinutesWithoutLabelsItBeginsAnew) {
  UnknownRatio ratio;
  Fill(ratio, 1000, 2000, 100);
  ratio.Record({.second = 2600, .labels = 0, .unknown = 0});
  EXPECT_EQ(ratio.Ratio(), 0);
  EXPECT_FALSE(ratio.Stale());
  Fill(ratio, 3000, 3100, 100);
  EXPECT_FALSE(ratio.Stale());
}

TEST(UnknownRatio, GoesOnFromWhatWasKept) {
  UnknownRatio before;
  Fill(before, 1000, 1700, 6);
  UnknownRatio after;
  after.Restore(before.Since(), before.Seconds());
  EXPECT_TRUE(after.Stale());
  EXPECT_EQ(after.Ratio(), before.Ratio());
}

}  // namespace
}  // namespace limpet::unknown_ratio_test
