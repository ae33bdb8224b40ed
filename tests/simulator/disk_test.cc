#include "tests/simulator/disk.h"

#include <gtest/gtest.h>

namespace limpet::simulator::disk_test {
namespace {

// No dice: every seek and turn takes as long.
DiskSpec Exact() {
  return {.rate = 1e6,
          .seek_least = Seconds(0.01),
          .seek_most = Seconds(0.01),
          .rotation = Seconds(0),
          .request_bytes = 1e5,
          .jitter = 0,
          .retries = 0};
}

TEST(Disk, AJobTakesASeekAndItsBytes) {
  Disk disk(Exact(), 10, 1);
  const auto end = disk.Submit({.bytes = 2e5, .token = 7}, Seconds(1));
  ASSERT_TRUE(end);
  EXPECT_NEAR(end->count(), 1.21, 1e-9);
  EXPECT_FALSE(disk.Finish(*end));
  ASSERT_EQ(disk.Finished().size(), 1U);
  EXPECT_EQ(disk.Finished().front().token, 7U);
}

TEST(Disk, RequestsCountWhenTheyComplete) {
  Disk disk(Exact(), 10, 1);
  const auto end = disk.Submit({.bytes = 2e5}, Seconds(1.85));  // two requests, 1.955 and 2.06
  ASSERT_TRUE(end);
  EXPECT_EQ(disk.History().Of(1).reads, 1);
  EXPECT_EQ(disk.History().Of(2).reads, 1);
  EXPECT_NEAR(disk.History().Of(1).read_bytes, 1e5, 1e-6);
  EXPECT_NEAR(disk.History().Of(1).read_seconds, 0.105, 1e-9);
  EXPECT_NEAR(disk.History().Of(2).read_seconds, 0.21, 1e-9);
  EXPECT_NEAR(disk.History().Of(1).busy_seconds, 0.15, 1e-9);
  EXPECT_NEAR(disk.History().Of(2).busy_seconds, 0.06, 1e-9);
}

TEST(Disk, ASecondJobWaitsForTheFirst) {
  Disk disk(Exact(), 10, 1);
  const auto first = disk.Submit({.bytes = 1e5}, Seconds(0));
  EXPECT_FALSE(disk.Submit({.write = true, .bytes = 1e5}, Seconds(0)));
  EXPECT_EQ(disk.InFlight(), 2U);
  const auto second = disk.Finish(*first);
  ASSERT_TRUE(second);
  EXPECT_NEAR(second->count(), 0.22, 1e-9);
  EXPECT_NEAR(disk.History().Of(0).write_seconds, 0.22, 1e-9);
}

TEST(Disk, MetadataSharesACommit) {
  Disk disk(Exact(), 10, 1);
  auto end = disk.Submit({.write = true, .bytes = 1000, .coalesce = true}, Seconds(0));
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(disk.Submit({.write = true, .bytes = 1000, .coalesce = true}, Seconds(0)));
  }
  end = disk.Finish(*end);
  ASSERT_TRUE(end);
  end = disk.Finish(*end);
  EXPECT_EQ(disk.Finished().size(), 8U);
  EXPECT_EQ(disk.History().Of(0).writes, 3);  // 1, 8 and the 2 that are left
}

TEST(Disk, AHogTakesTurnsWithTheServer) {
  auto spec = Exact();
  spec.rate = 1e7;
  Disk disk(spec, 100, 1);
  auto end = disk.SetHog(true, Seconds(0));
  ASSERT_TRUE(end);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(disk.Submit({.write = true, .bytes = 1e5}, Seconds(0)));
  }
  while (*end < Seconds(10)) {
    end = disk.Finish(*end);
    ASSERT_TRUE(end);
  }
  double hog = 0;
  double own = 0;
  for (std::size_t i = 0; i < 10; ++i) {
    hog += disk.History().Of(i).read_bytes;
    own += disk.History().Of(i).written_bytes;
  }
  EXPECT_NEAR(hog / 1e5, 500, 60);  // half of the time, one seek for ten requests
  EXPECT_NEAR(own / 1e5, 250, 30);  // half of the time, a seek each
}

TEST(Disk, APacedHogTakesItsTurnsAndNoMore) {
  auto spec = Exact();
  spec.rate = 1e7;
  Disk disk(spec, 100, 1);
  for (std::size_t second = 0; second < 10; ++second) {
    const auto now = Seconds(static_cast<double>(second));
    for (auto end = disk.TakeTurn(now); end; end = disk.Finish(*end)) {
      EXPECT_LT(*end, now + Seconds(0.2));
    }
    EXPECT_NEAR(disk.History().Of(second).read_bytes, 1e6, 1e5);
  }
  EXPECT_FALSE(disk.SetHog(false, Seconds(10)));
  EXPECT_EQ(disk.InFlight(), 0U);
}

TEST(Disk, ASlowOneTakesLongerForAll) {
  Disk disk(Exact(), 10, 1);
  disk.SetSlowdown(1.5);
  const auto end = disk.Submit({.bytes = 1e5}, Seconds(0));
  ASSERT_TRUE(end);
  EXPECT_NEAR(end->count(), 0.165, 1e-9);
}

TEST(Disk, AForeignUserTakesTimeButIsNotCounted) {
  auto spec = Exact();
  spec.foreign_bytes = 1e5;
  Disk disk(spec, 10, 1);
  disk.SetForeign(true);
  const auto end = disk.Submit({.bytes = 1e5}, Seconds(0));
  ASSERT_TRUE(end);
  EXPECT_NEAR(end->count(), 0.11 + 0.12, 1e-9);
  EXPECT_EQ(disk.History().Of(0).reads, 1);
  EXPECT_NEAR(disk.History().Of(0).read_bytes, 1e5, 1e-6);
}

TEST(Disk, TheQueueCounterIsTheIntegralOfRequestsInFlight) {
  Disk disk(Exact(), 10, 1);
  const auto end = disk.Submit({.bytes = 1e5}, Seconds(0));
  disk.Accrue(Seconds(0.11));
  EXPECT_NEAR(disk.History().Of(0).weighted_seconds, 0.055, 1e-9);  // half done on average
  EXPECT_FALSE(disk.Finish(*end));
  disk.Accrue(Seconds(5));
  EXPECT_NEAR(disk.History().Of(0).weighted_seconds, 0.055, 1e-9);
}

TEST(BySecond, NothingIsLostOverSeveralSecondsOrPastTheEnd) {
  struct Row {
    double x = 0;
  };
  BySecond<Row> rows(3);
  rows.Spread(Seconds(0.5), Seconds(2.5), [](Row& row, double part) { row.x += 8 * part; });
  EXPECT_NEAR(rows.Of(0).x, 2, 1e-12);
  EXPECT_NEAR(rows.Of(1).x, 4, 1e-12);
  EXPECT_NEAR(rows.Of(2).x, 2, 1e-12);
  rows.Spread(Seconds(2), Seconds(6), [](Row& row, double part) { row.x += 4 * part; });
  EXPECT_NEAR(rows.Of(2).x, 3, 1e-12);
  EXPECT_NEAR(rows.Of(3).x, 3, 1e-12);
}

}  // namespace
}  // namespace limpet::simulator::disk_test
