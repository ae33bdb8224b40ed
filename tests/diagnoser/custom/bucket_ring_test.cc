#include "diagnoser/custom/bucket_ring.h"

#include <gtest/gtest.h>

#include <limits>

namespace limpet::bucket_ring_test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(BucketRingTest, SumsTheTicksOfAWindow) {
  BucketRing ring(10);
  const auto small = ring.FindOrAdd(1);
  for (std::int64_t tick = 100; tick < 106; ++tick) {
    ring.Add(small, tick, 2);
  }
  const auto sums = ring.Sum(101, 104);
  ASSERT_EQ(sums.size(), 1U);
  EXPECT_EQ(sums[0].increase, 6);
  EXPECT_EQ(sums[0].last, 105);
}

TEST(BucketRingTest, BucketsAreSortedByBound) {
  BucketRing ring(4);
  const auto all = ring.FindOrAdd(kInf);
  const auto small = ring.FindOrAdd(1);
  ring.Add(all, 7, 5);
  ring.Add(small, 7, 3);
  const auto sums = ring.Sum(6, 7);
  ASSERT_EQ(sums.size(), 2U);
  EXPECT_EQ(sums[0].bound, 1);
  EXPECT_EQ(sums[0].increase, 3);
  EXPECT_EQ(sums[1].increase, 5);
}

TEST(BucketRingTest, NewBucketBeginsAnew) {
  BucketRing ring(4);
  const auto all = ring.FindOrAdd(kInf);
  ring.Add(all, 7, 5);
  const auto small = ring.FindOrAdd(1);
  ring.Add(small, 8, 3);
  ring.Add(all, 8, 4);
  const auto sums = ring.Sum(6, 8);
  EXPECT_EQ(sums[0].increase, 3);
  EXPECT_EQ(sums[1].increase, 4);
}

TEST(BucketRingTest, WhatIsTooOldIsNotSummed) {
  BucketRing ring(4);
  const auto all = ring.FindOrAdd(kInf);
  ring.Add(all, 1, 5);
  ring.Add(all, 10, 1);
  EXPECT_TRUE(ring.Sum(4, 10).empty());
  EXPECT_EQ(ring.Sum(6, 10)[0].increase, 1);
  ring.Add(all, 3, 100);  // older than what is kept
  EXPECT_EQ(ring.Sum(6, 10)[0].increase, 1);
}

TEST(BucketRingTest, NothingWatchedIsNothing) {
  BucketRing ring(4);
  EXPECT_TRUE(ring.Sum(0, 3).empty());
  (void)ring.FindOrAdd(1);
  EXPECT_TRUE(ring.Sum(0, 3).empty());
}

}  // namespace
}  // namespace limpet::bucket_ring_test
