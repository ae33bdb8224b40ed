#include "diagnoser/series/readings.h"

#include <gtest/gtest.h>

namespace limpet::readings_test {
namespace {

using std::chrono::seconds;

UnixTime At(int second) { return UnixTime(seconds(second)); }

constexpr Field kReads{EntityKind::kDisk, FieldNumber(DiskCounter::kReads)};
constexpr Field kWindow{EntityKind::kSocket, FieldNumber(SocketField::kCwnd)};

Readings Make() { return Readings({GridSpec{}}); }

TEST(RecentReadings, KeepsTheLatestOfThem) {
  RecentReadings readings;
  for (int i = 0; i < 300; ++i) {
    EXPECT_TRUE(readings.Add(At(i), i));
  }
  EXPECT_EQ(readings.All().size(), RecentReadings::kMax);
  EXPECT_EQ(readings.Latest(At(299))->value, 299);
  EXPECT_FALSE(readings.Add(At(299), 1)) << "not after the last one";
}

TEST(RecentReadings, LatestIsAtOrBefore) {
  RecentReadings readings;
  EXPECT_EQ(readings.Latest(At(5)), nullptr);
  EXPECT_TRUE(readings.Add(At(5), 1));
  EXPECT_EQ(readings.Latest(At(4)), nullptr);
  EXPECT_EQ(readings.Latest(At(5))->value, 1);
  EXPECT_EQ(readings.NextAfter(At(4)), At(5));
  EXPECT_EQ(readings.NextAfter(At(5)), std::nullopt);
}

TEST(RecentReadings, PruneLeavesTheOneThatStillHolds) {
  RecentReadings readings;
  for (const int i : {1, 2, 3}) {
    EXPECT_TRUE(readings.Add(At(i), i));
  }
  readings.Prune(At(2));
  ASSERT_EQ(readings.All().size(), 2U);
  EXPECT_EQ(readings.All().front().at, At(2));
}

TEST(Readings, ADiskHasAllItsCountersFromTheFirstReadingOn) {
  auto readings = Make();
  EXPECT_TRUE(readings.Tracks(EntityKind::kDisk, 3).empty());
  EXPECT_EQ(readings.Add(kReads, 3, At(1), 10), ReadingKind::kFirst);
  EXPECT_EQ(readings.Tracks(EntityKind::kDisk, 3).size(), kDiskCounters);
  EXPECT_TRUE(readings.Tracks(EntityKind::kInterface, 3).empty()) << "numbers are per kind";
  EXPECT_EQ(readings.Add(kReads, 3, At(2), 12), ReadingKind::kTaken);
  EXPECT_EQ(readings.Tracks(EntityKind::kDisk, 3)[0].Column(0).At(2), 2);
}

TEST(Readings, ThereIsRoomForRareCountersOnlyWhenOneComes) {
  constexpr Field kAtDevice{EntityKind::kDisk, FieldNumber(DiskCounter::kDeviceWriteSeconds)};
  constexpr std::size_t kAll = kDiskCounters + kDeviceTimeCounters;
  auto readings = Make();
  (void)readings.Add(kReads, 0, At(1), 10);
  EXPECT_EQ(readings.Add(kAtDevice, 0, At(1), 0.5), ReadingKind::kFirst);
  (void)readings.Add(kReads, 0, At(2), 12);
  (void)readings.Add(kAtDevice, 0, At(2), 0.75);
  ASSERT_EQ(readings.Tracks(EntityKind::kDisk, 0).size(), kAll);
  EXPECT_EQ(readings.Tracks(EntityKind::kDisk, 0)[0].Column(0).At(2), 2);
  EXPECT_EQ(readings.Tracks(EntityKind::kDisk, 0)[kAll - 1].Column(0).At(2), 0.25);
  // Over a restart, too.
  auto next = Make();
  next.Resume(EntityKind::kDisk, 0,
              readings.Tails(EntityKind::kDisk, 0, std::vector<std::int64_t>{0}));
  EXPECT_EQ(next.Tracks(EntityKind::kDisk, 0).size(), kAll);
  EXPECT_EQ(next.Last(EntityKind::kDisk, 0), At(2));
}

TEST(Readings, AConnectionHasWindowsAndNoCounters) {
  auto readings = Make();
  EXPECT_EQ(readings.Add(kWindow, 0, At(1), 10), ReadingKind::kTaken);
  EXPECT_EQ(readings.Add(kWindow, 0, At(1), 10), ReadingKind::kLate);
  EXPECT_TRUE(readings.Tracks(EntityKind::kSocket, 0).empty());
  ASSERT_NE(readings.Socket(EntityKind::kSocket, 0), nullptr);
  EXPECT_EQ(readings.Socket(EntityKind::kPeer, 0), nullptr);
  EXPECT_EQ(readings.Last(EntityKind::kSocket, 0), At(1));
  EXPECT_EQ(readings.NextOfSockets(At(0)), At(1));
}

TEST(Readings, WhatIsForgottenBeginsAnew) {
  auto readings = Make();
  (void)readings.Add(kReads, 0, At(1), 10);
  (void)readings.Add(kWindow, 0, At(1), 10);
  readings.Forget(EntityKind::kDisk, 0);
  readings.Forget(EntityKind::kSocket, 0);
  EXPECT_EQ(readings.Last(EntityKind::kDisk, 0), std::nullopt);
  EXPECT_EQ(readings.Last(EntityKind::kSocket, 0), std::nullopt);
  EXPECT_EQ(readings.Add(kReads, 0, At(2), 10), ReadingKind::kFirst);
}

TEST(Readings, GoOnWhereTheTailsEnd) {
  auto before = Make();
  (void)before.Add(kReads, 0, At(1), 10);
  (void)before.Add(kReads, 0, At(2), 11);
  auto after = Make();
  const std::vector<std::int64_t> oldest = {0};
  after.Resume(EntityKind::kDisk, 0, before.Tails(EntityKind::kDisk, 0, oldest));
  EXPECT_EQ(after.Add(kReads, 0, At(3), 14), ReadingKind::kTaken);
  EXPECT_EQ(after.Tracks(EntityKind::kDisk, 0)[0].Column(0).At(3), 3);
}

TEST(Readings, AreSettledOnceEveryCounterIsPastTheEndOrGone) {
  auto readings = Make();
  (void)readings.Add(kReads, 0, At(1), 10);
  EXPECT_FALSE(readings.Settled(At(2), At(2), seconds(5)));
  EXPECT_TRUE(readings.Settled(At(1), At(1), seconds(5)));
  EXPECT_TRUE(readings.Settled(At(2), At(6), seconds(5)));
}

}  // namespace
}  // namespace limpet::readings_test
