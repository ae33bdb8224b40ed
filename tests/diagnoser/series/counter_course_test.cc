#include "diagnoser/series/counter_course.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace limpet::counter_course_test {
namespace {

using Expected = std::optional<double>;

std::vector<Expected> Rises(const std::vector<std::pair<int, double>>& readings) {
  CounterCourse course;
  std::vector<Expected> rises;
  for (const auto& [second, value] : readings) {
    rises.push_back(course.Add(UnixFromSeconds(1'700'000'000 + second), value));
  }
  return rises;
}

TEST(CounterCourse, GoesOnFromTheHighestReading) {
  EXPECT_EQ(Rises({{0, 100}, {1, 110}, {2, 3}, {3, 108}, {4, 110}, {5, 112}}),
            (std::vector<Expected>{{}, 10, {}, {}, 0, 2}));
}

TEST(CounterCourse, WhatStaysLowBeginsAnew) {
  EXPECT_EQ(Rises({{0, 100}, {1, 3}, {5, 4}, {6, 5}, {7, 9}}),
            (std::vector<Expected>{{}, {}, {}, {}, 4}));
  EXPECT_EQ(Rises({{0, 100}, {60, 3}, {120, 4}, {180, 6}}), (std::vector<Expected>{{}, {}, {}, 2}))
      << "read once a minute";
}

}  // namespace
}  // namespace limpet::counter_course_test
