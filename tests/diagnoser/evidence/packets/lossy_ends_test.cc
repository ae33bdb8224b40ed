#include "diagnoser/evidence/packets/lossy_ends.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace limpet::lossy_ends_test {
namespace {

TEST(LossyEnds, AnEndIsWatchedFromItsFirstLossOn) {
  LossyEnds ends(64);
  for (std::int64_t second = 1; second <= 20; ++second) {
    ends.Add(second, "s1", 0, "c1", 100, second > 10 ? 5 : 0);
    ends.Add(second, "s1", 0, "c1", 50, 0);  // another connection
    ends.Add(second, "s1", 0, "c2", 100, second == 15 ? 1 : 0);
  }
  const auto worst = ends.Worst("s1", 0, 20, 16);
  ASSERT_TRUE(worst);
  EXPECT_EQ(worst->seconds, 10U);
  EXPECT_DOUBLE_EQ(worst->retransmitted, 50);
  // In its first second, what comes after the connection that lost.
  EXPECT_DOUBLE_EQ(worst->sent, 1500);
  EXPECT_EQ(ends.Worst("s1", 0, 14, 2)->seconds, 2U);
  EXPECT_FALSE(ends.Worst("s1", 1, 20, 16));
  EXPECT_FALSE(ends.Worst("s2", 0, 20, 16));
}

TEST(LossyEnds, OneThatLosesNoMoreIsForgotten) {
  LossyEnds ends(8);
  ends.Add(1, "s1", 0, "c1", 100, 5);
  ends.Add(2, "s1", 0, "c1", 100, 0);
  ends.Forget(8);
  EXPECT_TRUE(ends.Worst("s1", 0, 8, 8));
  ends.Forget(9);
  EXPECT_FALSE(ends.Worst("s1", 0, 9, 9));
  ends.Add(10, "s1", 0, "c1", 100, 5);
  ends.Forget("s1");
  EXPECT_FALSE(ends.Worst("s1", 0, 10, 8));
}

TEST(LossyEnds, WhereThousandsLoseNobodyElseIsWatched) {
  LossyEnds ends(8);
  for (int i = 0; i < 5000; ++i) {
    ends.Add(1, "s1", 1, "c" + std::to_string(i), 100, 1);
  }
  ends.Add(2, "s2", 1, "c1", 100, 50);
  EXPECT_FALSE(ends.Worst("s2", 1, 2, 8));
  ends.Forget("s1");
  ends.Add(3, "s2", 1, "c1", 100, 50);
  EXPECT_TRUE(ends.Worst("s2", 1, 3, 8));
}

}  // namespace
}  // namespace limpet::lossy_ends_test
