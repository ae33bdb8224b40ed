#include "exporter/probe/timed_reads.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/exporter/probe/fake_disk.h"
#include "tests/support/manual_clock.h"

namespace limpet::timed_reads_test {
namespace {

using namespace std::chrono_literals;
using testing::FakeDisk;
using testing::ManualClock;

constexpr auto kNothing = [] {};

TEST(TimedReads, TellTheMedianOfThirty) {
  ManualClock clock;
  int reads = 0;
  std::set<std::uint64_t> places;
  FakeDisk disk([&](std::uint64_t offset) -> Result<void> {
    EXPECT_EQ(offset % kProbeBlock, 0U);
    EXPECT_LE(offset + kProbeBlock, disk.Bytes());
    places.insert(offset);
    // Fourteen quick ones, fourteen slow ones, and 3 and 5 ms in the middle.
    clock.Advance(reads < 14 ? 1ms : reads == 14 ? 3ms : reads == 15 ? 5ms : 50ms);
    ++reads;
    return {};
  });
  int told = 0;
  const auto timed = TimeReads(disk, clock, 7, 10s, [&] { ++told; });
  ASSERT_TRUE(timed);
  EXPECT_EQ(timed->reads, kProbeReads);
  EXPECT_EQ(timed->median, 4ms);
  EXPECT_EQ(timed->longest, 50ms);
  EXPECT_EQ(told, 30);
  EXPECT_GT(places.size(), 20U) << "at random places";
}

TEST(TimedReads, StopWhenTheTimeIsOver) {
  ManualClock clock;
  FakeDisk disk([&](std::uint64_t) -> Result<void> {
    clock.Advance(2s);
    return {};
  });
  const auto timed = TimeReads(disk, clock, 7, 5s, kNothing);
  ASSERT_TRUE(timed);
  EXPECT_EQ(timed->reads, 3U);
  EXPECT_EQ(timed->median, 2s);
}

TEST(TimedReads, ReadADiskOfOneBlock) {
  ManualClock clock;
  FakeDisk disk(
      [](std::uint64_t offset) -> Result<void> {
        EXPECT_EQ(offset, 0U);
        return {};
      },
      1);
  EXPECT_EQ(TimeReads(disk, clock, 7, 5s, kNothing)->reads, kProbeReads);
}

TEST(TimedReads, EndWithTheFirstError) {
  ManualClock clock;
  int reads = 0;
  FakeDisk disk([&](std::uint64_t) -> Result<void> {
    return ++reads < 3 ? Result<void>() : Error{ErrorCode::kUnavailable, "broken", "sdb"};
  });
  const auto timed = TimeReads(disk, clock, 7, 5s, kNothing);
  ASSERT_FALSE(timed);
  EXPECT_EQ(timed.error().Text(), "sdb: broken");
  EXPECT_EQ(reads, 3);
}

}  // namespace
}  // namespace limpet::timed_reads_test
