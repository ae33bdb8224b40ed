#include "exporter/collectors/disk_history.h"

#include <gtest/gtest.h>

#include <random>

namespace limpet::disk_history_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

SteadyTime At(int s) { return SteadyTime(seconds(s)); }

DiskstatsLine Line(const DiskCounters& counters) {
  return {.major = 8, .minor = 0, .name = "sda", .counters = counters};
}

TEST(DiskHistory, TheFirstReadingHasNoRates) {
  DiskHistory disk;
  disk.Update(Line({.reads = 1'000'000, .read_ms = 5000}), At(1), false);
  EXPECT_FALSE(disk.Rates());
  EXPECT_EQ(disk.Replugs(), 0U);
  EXPECT_EQ(disk.Counters().read_ms, 5000U);
  disk.Update(Line({.reads = 1'000'010, .read_ms = 5020}), At(2), true);
  ASSERT_TRUE(disk.Rates());
  EXPECT_DOUBLE_EQ(disk.Rates()->reads_per_second, 10);
  EXPECT_DOUBLE_EQ(disk.Rates()->await, 0.002);
}

TEST(DiskHistory, MillisecondsGoOnOverTheirWrap) {
  DiskHistory disk;
  disk.Update(Line({.reads = 1, .weighted_ms = 4294967000U}), At(1), false);
  disk.Update(Line({.reads = 2, .weighted_ms = 704}), At(2), true);
  EXPECT_EQ(disk.Counters().weighted_ms, 4294968000U);
  ASSERT_TRUE(disk.Rates());
  EXPECT_DOUBLE_EQ(disk.Rates()->queue_length, 1);
  EXPECT_EQ(disk.Resets(), 0U);
}

TEST(DiskHistory, FewerRequestsThanBeforeIsANewDevice) {
  DiskHistory disk;
  disk.Update(Line({.reads = 1000, .sectors_read = 8000, .read_ms = 90'000}), At(1), false);
  disk.Update(Line({.reads = 5, .sectors_read = 40, .read_ms = 3}), At(2), true);
  EXPECT_FALSE(disk.Rates());
  EXPECT_TRUE(disk.IsNewDevice());
  EXPECT_EQ(disk.Replugs(), 1U);
  EXPECT_EQ(disk.Resets(), 1U);
  EXPECT_EQ(disk.Counters().read_ms, 3U) << "no wrap: the milliseconds began again, too";
  disk.Update(Line({.reads = 6, .sectors_read = 48, .read_ms = 13}), At(3), true);
  ASSERT_TRUE(disk.Rates());
  EXPECT_DOUBLE_EQ(disk.Rates()->await, 0.010);
}

TEST(DiskHistory, ADeviceThatWasAwayIsANewOne) {
  DiskHistory disk;
  disk.Update(Line({.reads = 10, .read_ms = 100}), At(1), false);
  disk.Update(Line({.reads = 500, .read_ms = 9000}), At(3), false);
  EXPECT_FALSE(disk.Rates());
  EXPECT_EQ(disk.Replugs(), 1U);
  EXPECT_EQ(disk.Resets(), 0U) << "nothing fell";
}

TEST(DiskHistory, AnotherDeviceNumberIsANewDevice) {
  DiskHistory disk;
  disk.Update(Line({.reads = 10}), At(1), false);
  auto line = Line({.reads = 500});
  line.minor = 16;
  disk.Update(line, At(2), true);
  EXPECT_FALSE(disk.Rates());
  EXPECT_EQ(disk.Replugs(), 1U);
}

TEST(DiskHistory, AFallOfAnyOtherCounterCostsOneIntervalOnly) {
  DiskHistory disk;
  disk.Update(Line({.reads = 10, .reads_merged = 5, .read_ms = 100}), At(1), false);
  disk.Update(Line({.reads = 20, .reads_merged = 4, .read_ms = 200}), At(2), true);
  EXPECT_FALSE(disk.Rates());
  EXPECT_EQ(disk.Resets(), 1U);
  EXPECT_EQ(disk.Replugs(), 0U);
  disk.Update(Line({.reads = 30, .reads_merged = 4, .read_ms = 190}), At(3), true);
  EXPECT_FALSE(disk.Rates()) << "milliseconds stepped back";
  EXPECT_EQ(disk.Resets(), 2U);
  EXPECT_EQ(disk.Counters().read_ms, 200U) << "but the total does not";
  disk.Update(Line({.reads = 40, .reads_merged = 4, .read_ms = 240}), At(4), true);
  ASSERT_TRUE(disk.Rates());
  EXPECT_DOUBLE_EQ(disk.Rates()->await, 0.005);
}

TEST(DiskHistory, StuckIsRequestsInFlightAndNothingCompleting) {
  DiskHistory disk;
  disk.Update(Line({.reads = 10, .in_flight = 2}), At(1), false);
  EXPECT_EQ(disk.Stuck(), seconds(0));
  disk.Update(Line({.reads = 10, .in_flight = 2}), At(2), true);
  EXPECT_EQ(disk.Stuck(), seconds(1));
  disk.Update(Line({.reads = 10, .in_flight = 3}), At(31), true);
  EXPECT_EQ(disk.Stuck(), seconds(30));
  disk.Update(Line({.reads = 11, .in_flight = 2}), At(32), true);
  EXPECT_EQ(disk.Stuck(), seconds(0)) << "something completed";
  disk.Update(Line({.reads = 11, .in_flight = 2}), At(33), true);
  EXPECT_EQ(disk.Stuck(), seconds(1));
  disk.Update(Line({.reads = 11, .in_flight = 0}), At(34), true);
  EXPECT_EQ(disk.Stuck(), seconds(0));
  disk.Update(Line({.reads = 11, .in_flight = 1}), At(50), true);
  EXPECT_EQ(disk.Stuck(), seconds(0)) << "idle time does not count";
}

TEST(DiskHistory, CountsNegativeRequestsInFlight) {
  DiskHistory disk;
  auto line = Line({.reads = 1});
  line.in_flight_negative = true;
  disk.Update(line, At(1), false);
  disk.Update(line, At(2), true);
  EXPECT_EQ(disk.InFlightUnderflows(), 2U);
}

// The increase of what is exported equals what the disk did, over any number of wraps.
TEST(DiskHistory, IncreasesEqualTheTruth) {
  std::mt19937_64 random(42);
  DiskCounters truth{.reads = 100, .read_ms = 4'000'000'000U, .weighted_ms = 4'290'000'000U};
  const auto first = truth;
  DiskHistory disk;
  const auto printed = [&] {
    auto counters = truth;
    counters.read_ms &= UINT32_MAX;
    counters.weighted_ms &= UINT32_MAX;
    return Line(counters);
  };
  disk.Update(printed(), At(0), false);
  for (int s = 1; s < 2000; ++s) {
    const auto before = truth;
    truth.reads += random() % 10'000;
    truth.read_ms += random() % 500'000'000;
    truth.weighted_ms += random() % 2'000'000'000;
    disk.Update(printed(), At(s), true);
    ASSERT_EQ(disk.Counters().read_ms - first.read_ms, truth.read_ms - first.read_ms);
    ASSERT_EQ(disk.Counters().weighted_ms - first.weighted_ms,
              truth.weighted_ms - first.weighted_ms);
    ASSERT_TRUE(disk.Rates());
    ASSERT_DOUBLE_EQ(disk.Rates()->queue_length,
                     static_cast<double>(truth.weighted_ms - before.weighted_ms) / 1000);
  }
  EXPECT_EQ(disk.Resets(), 0U);
}

}  // namespace
}  // namespace limpet::disk_history_test
