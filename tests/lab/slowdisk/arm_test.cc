#include "tests/lab/slowdisk/arm.h"

#include <gtest/gtest.h>

namespace limpet::slowdisk::arm_test {
namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t kMegabyte = 1'000'000;
const Shape kShape{.size = 100 * kMegabyte, .overhead = Nanoseconds(0)};
const Instant kStart{};
const Nanoseconds kPatience = milliseconds(100);

TEST(ServiceTime, OfASequentialRequestIsItsTransfer) {
  EXPECT_EQ(ServiceTime(kShape, kMegabyte, kMegabyte, kMegabyte), milliseconds(50));
}

TEST(ServiceTime, OfAFullStrokeIsSeekRotationAndTransfer) {
  EXPECT_EQ(ServiceTime(kShape, 0, kShape.size, kMegabyte), milliseconds(10 + 3 + 50));
}

TEST(ServiceTime, GrowsWithTheSquareRootOfTheDistance) {
  EXPECT_EQ(ServiceTime(kShape, kShape.size / 4, 0, 0), milliseconds(2 + 4 + 3));
}

TEST(Patience, IsLongerOnASlowerDisk) {
  EXPECT_EQ(Patience({.bytes_per_second = 20e6}), milliseconds(100));
  EXPECT_EQ(Patience({.bytes_per_second = 5e6}), milliseconds(400));
}

TEST(Queue, IsEmptyAtFirst) {
  Queue queue(kPatience);
  EXPECT_FALSE(queue.Take(0, kStart));
}

TEST(Queue, TakesTheNearestAheadOfTheArmAndThenStartsOver) {
  Queue queue(kPatience);
  for (const std::uint64_t offset : {10U, 70U, 50U}) {
    queue.Add({.offset = offset, .arrived = kStart});
  }
  EXPECT_EQ(queue.Take(40, kStart)->offset, 50U);
  EXPECT_EQ(queue.Take(51, kStart)->offset, 70U);
  EXPECT_EQ(queue.Take(71, kStart)->offset, 10U);
}

TEST(Queue, LetsNothingWaitLongerThanItsPatience) {
  Queue queue(kPatience);
  queue.Add({.offset = 10, .arrived = kStart});
  queue.Add({.offset = 50, .arrived = kStart});
  EXPECT_EQ(queue.Take(40, kStart + kPatience)->offset, 10U);
}

TEST(Queue, LooksNoFurtherThanADisksQueueReaches) {
  Queue queue(kPatience);
  for (std::size_t i = 0; i < kWindow; ++i) {
    queue.Add({.offset = 100, .arrived = kStart});
  }
  queue.Add({.offset = 50, .arrived = kStart});
  EXPECT_EQ(queue.Take(40, kStart)->offset, 100U);
}

}  // namespace
}  // namespace limpet::slowdisk::arm_test
