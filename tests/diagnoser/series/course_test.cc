#include "diagnoser/series/course.h"

#include <gmock/gmock.h>

#include <vector>

#include "diagnoser/metrics/missing.h"

namespace limpet::course_test {
namespace {

// The load of a minute, in eighths: it varies by a tenth.
constexpr Course kLoad = {100, 92, 111, 104, 88, 97, 115, 93};

Course Times(const Course& course, double factor, double more = 0) {
  auto result = course;
  for (double& value : result) {
    value = factor * value + more;
  }
  return result;
}

// Some percent up and down, of nobody's doing.
Course Disturbed(const Course& course, double by) {
  auto result = course;
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] += by * ((i * 5 + 2) % 8 < 4 ? 1 : -1);
  }
  return result;
}

TEST(Course, IsMadeOfMeansWithoutHoles) {
  std::vector<double> values(16, 1);
  values[0] = kMissing;
  values[1] = 5;
  values[2] = 3;
  values[14] = kMissing;
  values[15] = kMissing;
  const auto course = MakeCourse(values);
  EXPECT_EQ(course[0], 5);
  EXPECT_EQ(course[1], 2);
  EXPECT_EQ(course[6], 1);
  EXPECT_TRUE(IsMissing(course[7]));
  EXPECT_TRUE(IsMissing(MakeCourse({})[3]));
}

TEST(Course, LooksBackForAMinuteHoweverShortTheWindow) {
  EXPECT_EQ(CourseSteps({.step = {}, .window = 16, .smoothing = 2}), 64U);
  EXPECT_EQ(CourseSteps({.step = {}, .window = 64, .smoothing = 5}), 69U);
}

TEST(Follows, AShareOfTheOwnLoadAndNotWhatAStrangerMoves) {
  for (const double share : {0.3, 0.5, 1.0, 2.0}) {
    EXPECT_TRUE(Follows(Disturbed(Times(kLoad, share), 1), kLoad)) << share;
  }
  for (const double stranger : {10.0, 30.0, 100.0}) {
    EXPECT_FALSE(Follows(Disturbed(Times(kLoad, 0, stranger), 1), kLoad)) << stranger;
    EXPECT_FALSE(Follows(Times(kLoad, -0.5, stranger + 50), kLoad))
        << "it takes what the file system leaves: " << stranger;
  }
}

// Whether it grows with the load or not: for that the load must vary.
TEST(IsSteadyShare, WhateverIsAlwaysThere) {
  EXPECT_TRUE(IsSteadyShare(Disturbed(Times(kLoad, 0.5), 1), kLoad));
  EXPECT_TRUE(IsSteadyShare(Disturbed(Times(kLoad, 0, 50), 1), kLoad));
  constexpr Course kBegan = {0, 0, 0, 0, 40, 40, 40, 40};
  EXPECT_FALSE(IsSteadyShare(kBegan, kLoad));
  EXPECT_FALSE(IsSteadyShare(Disturbed(Times(kLoad, 0, 50), 20), kLoad)) << "it comes and goes";
  EXPECT_FALSE(IsSteadyShare(Times(kLoad, -1), kLoad)) << "a deficit";
}

TEST(Follows, NotWhatHasJustBegunEvenIfTheLoadGrows) {
  constexpr Course kGrows = {80, 84, 88, 92, 96, 100, 104, 108};
  constexpr Course kBegan = {0, 0, 0, 0, 40, 40, 40, 40};
  EXPECT_FALSE(Follows(kBegan, kGrows));
}

TEST(Follows, NobodyWhereTheLoadIsSteadyOrUnknown) {
  EXPECT_FALSE(Follows(Disturbed(Times(kLoad, 0, 50), 1), Times(kLoad, 0, 100)));
  auto holes = kLoad;
  for (std::size_t i = 0; i < 4; ++i) {
    holes[i] = kMissing;
  }
  EXPECT_FALSE(Follows(kLoad, holes));
  EXPECT_FALSE(Follows(Times(kLoad, -1), kLoad)) << "a deficit";
  EXPECT_FALSE(Follows(Course{}, kLoad));
}

}  // namespace
}  // namespace limpet::course_test
