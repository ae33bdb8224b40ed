#include "diagnoser/verdict/storm.h"

#include <gtest/gtest.h>

namespace limpet {
namespace {

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
}  // namespace limpet
