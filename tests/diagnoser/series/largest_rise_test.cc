#include "diagnoser/series/largest_rise.h"

#include <gmock/gmock.h>

#include <vector>

#include "diagnoser/metrics/missing.h"

namespace limpet::largest_rise_test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Le;
using ::testing::NanSensitiveDoubleEq;
using Steps = std::vector<double>;

Steps Level(Steps steps) {
  LevelLargestRise(steps);
  return steps;
}

TEST(LargestRise, BecomesTheMeanOfTheOthers) {
  EXPECT_THAT(Level({1, 2, 900, 1, 2, 1}), ElementsAre(1, 1.25, 1.25, 1, 2, 1));
}

TEST(LargestRise, OfAPairOnTwoStepsIsBoth) {
  EXPECT_THAT(Level({1, 1, 400, 600, 1, 1}), Each(1));
  EXPECT_THAT(Level({600, 400, 1, 1, 1, 1}), Each(1));
}

TEST(LargestRise, OfAPairOnSeveralStepsIsAllOfThem) {
  EXPECT_THAT(Level({1, 1, 30, 100, 100, 100, 100, 70, 1, 1}), Each(Le(1)));
}

TEST(LargestRise, OfARateThatStaysIsOneOfMany) {
  EXPECT_THAT(Level(Steps(16, 5)), Each(5));
  EXPECT_THAT(Level({5, 6, 5, 6, 5, 6}), Each(::testing::Ge(5)));
}

TEST(LargestRise, WhatIsMissingStaysSo) {
  EXPECT_THAT(Level({kMissing, 9, 1, kMissing, 1}),
              ElementsAre(NanSensitiveDoubleEq(kMissing), 1, 1, NanSensitiveDoubleEq(kMissing), 1));
  EXPECT_THAT(Level({kMissing}), ElementsAre(NanSensitiveDoubleEq(kMissing)));
  EXPECT_THAT(Level({7}), ElementsAre(7));
  EXPECT_THAT(Level({}), ElementsAre());
}

}  // namespace
}  // namespace limpet::largest_rise_test
