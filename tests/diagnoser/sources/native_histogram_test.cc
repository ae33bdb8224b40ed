#include "diagnoser/sources/native_histogram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace limpet::native_histogram_test {
namespace {

NativePoint Point(std::vector<NativeBucket> buckets) {
  NativePoint point;
  for (const auto& bucket : buckets) {
    point.count += bucket.count;
  }
  point.buckets = std::move(buckets);
  return point;
}

TEST(NativeHistogramTest, CountsAreCumulative) {
  const auto point = Point({{-0.001, 0.001, 1}, {0.25, 0.5, 4}, {0.5, 1, 2}});
  EXPECT_EQ(CountUpTo(point, 0.125), 1);
  EXPECT_EQ(CountUpTo(point, 0.5), 5);
  EXPECT_EQ(CountUpTo(point, 1), 7);
}

TEST(NativeHistogramTest, BucketThatLiesOverABoundIsSharedOut) {
  EXPECT_DOUBLE_EQ(CountUpTo(Point({{1, 2, 10}}), 1.25), 2.5);
}

TEST(NativeHistogramTest, BoundsThatAreRoundedAreTheSame) {
  EXPECT_EQ(CountUpTo(Point({{1, std::sqrt(2.0) * (1 + 1e-15), 10}}), std::sqrt(2.0)), 10);
}

TEST(NativeHistogramTest, BucketsWithoutAnEndAreNotSharedOut) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(CountUpTo(Point({{-infinity, 2, 10}, {4, infinity, 3}}), 1), 0);
  EXPECT_EQ(CountUpTo(Point({{-infinity, 2, 10}, {4, infinity, 3}}), 8), 10);
}

TEST(NativeHistogramTest, BoundsHaveAMarginAndStay) {
  NativeBounds bounds;
  EXPECT_TRUE(bounds.Of("h").empty());
  bounds.Widen("h", std::vector{Point({{1, 2, 10}, {64, 128, 0}})});
  const auto first = bounds.Of("h");
  EXPECT_DOUBLE_EQ(first.front(), 1.0 / 16);
  EXPECT_DOUBLE_EQ(first.back(), 32);
  bounds.Widen("h", std::vector{Point({{16, 32, 1}})});
  EXPECT_EQ(bounds.Of("h"), first) << "what the margin holds changes nothing";
  bounds.Widen("h", std::vector{Point({{32, 64, 1}})});
  EXPECT_DOUBLE_EQ(bounds.Of("h").back(), 64 * 16);
  EXPECT_DOUBLE_EQ(bounds.Of("h").front(), first.front());
  EXPECT_TRUE(bounds.Of("other").empty());
}

TEST(NativeHistogramTest, AbsurdBucketsMakeNoMoreBoundsThanThereMayBe) {
  NativeBounds bounds;
  bounds.Widen("h", std::vector{Point({{1e-300, 1e300, 1}, {0, 5e-324, 1}})});
  EXPECT_EQ(bounds.Of("h").size(), static_cast<std::size_t>(NativeBounds::kMaxBounds));
  for (std::size_t i = 0; i < 2 * NativeBounds::kMaxNames; ++i) {
    bounds.Widen(std::to_string(i), std::vector{Point({{1, 2, 1}})});
  }
  EXPECT_TRUE(bounds.Of(std::to_string(2 * NativeBounds::kMaxNames - 1)).empty());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  bounds.Widen("nan", std::vector{Point({{nan, nan, nan}, {-2, -1, 5}})});
  EXPECT_TRUE(bounds.Of("nan").empty());
}

}  // namespace
}  // namespace limpet::native_histogram_test
