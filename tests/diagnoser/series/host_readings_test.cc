#include "diagnoser/series/host_readings.h"

#include <gtest/gtest.h>

namespace limpet::host_readings_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

UnixTime At(int second) { return UnixTime(seconds(second)); }

template <class Counter>
Field Of(Counter counter) {
  return {Whose(counter), FieldNumber(counter)};
}

// One host, number 0, with disks 0 and 1 and an interface.
HostReadings::Entities Entities() {
  HostReadings::Entities entities;
  entities[Index(EntityKind::kHost)] = {0};
  entities[Index(EntityKind::kDisk)] = {0, 1};
  entities[Index(EntityKind::kInterface)] = {0};
  return entities;
}

template <class Counter>
void Count(HostReadings& readings, Counter counter, std::uint32_t entity, double each) {
  for (int second = 0; second <= 3; ++second) {
    (void)readings.Add(Of(counter), entity, At(second), each * second);
  }
}

TEST(HostReadings, ProcessorsAreInPercentOfOne) {
  HostReadings readings{seconds(10)};
  Count(readings, HostCounter::kCpuUser, 0, 2.5);
  Count(readings, HostCounter::kContextSwitches, 0, 40);
  const auto sample = readings.SampleAt(Entities(), At(2));
  EXPECT_EQ(sample[Index(HostMetric::kUser)], 250);
  EXPECT_EQ(sample[Index(HostMetric::kContextSwitches)], 40);
  EXPECT_TRUE(IsMissing(sample[Index(HostMetric::kSystem)]));
}

TEST(HostReadings, BytesOfDisksAndInterfacesAreSummed) {
  HostReadings readings{seconds(10)};
  Count(readings, DiskCounter::kReadBytes, 0, 100);
  Count(readings, DiskCounter::kReadBytes, 1, 50);
  Count(readings, DiskCounter::kWrittenBytes, 1, 7);
  Count(readings, NetCounter::kTxBytes, 0, 3);
  const auto sample = readings.SampleAt(Entities(), At(2));
  EXPECT_EQ(sample[Index(HostMetric::kRead)], 150);
  EXPECT_EQ(sample[Index(HostMetric::kWritten)], 7) << "a disk without the counter is left out";
  EXPECT_EQ(sample[Index(HostMetric::kSent)], 3);
  EXPECT_TRUE(IsMissing(sample[Index(HostMetric::kReceived)]));
}

TEST(HostReadings, CountersThatNoMetricNeedsAreNotKept) {
  HostReadings readings{seconds(10)};
  EXPECT_EQ(readings.Add(Of(DiskCounter::kReads), 0, At(1), 5), ReadingKind::kTaken);
  EXPECT_EQ(readings.Add(Of(SocketField::kCwnd), 0, At(1), 5), ReadingKind::kTaken);
  EXPECT_EQ(readings.NextAfter(At(0)), std::nullopt);
}

TEST(HostReadings, AGaugeHoldsForTwoAndAHalfSeconds) {
  HostReadings readings{seconds(10)};
  (void)readings.Add(Of(HostGauge::kRunning), 0, At(1), 4);
  const auto running = [&](UnixTime t) {
    return readings.SampleAt(Entities(), t)[Index(HostMetric::kRunQueue)];
  };
  EXPECT_TRUE(IsMissing(running(At(0))));
  EXPECT_EQ(running(At(1)), 4);
  EXPECT_EQ(running(At(3)), 4);
  EXPECT_TRUE(IsMissing(running(At(3) + milliseconds(500))));
}

TEST(HostReadings, AHostIsKnownAfterItsFirstReading) {
  HostReadings readings{seconds(10)};
  Count(readings, DiskCounter::kReadBytes, 0, 100);
  EXPECT_FALSE(readings.Knows(Entities(), At(5))) << "a disk is no host";
  (void)readings.Add(Of(HostGauge::kLoad1), 0, At(4), 1);
  EXPECT_FALSE(readings.Knows(Entities(), At(4)));
  EXPECT_TRUE(readings.Knows(Entities(), At(5)));
  EXPECT_EQ(readings.Last(0), At(4));
}

TEST(HostReadings, GoOnWhereTheTailsEnd) {
  HostReadings before{seconds(10)};
  Count(before, HostCounter::kFaults, 0, 5);
  Count(before, DiskCounter::kReadBytes, 0, 100);
  (void)before.Add(Of(HostGauge::kThreads), 0, At(3), 200);
  HostReadings after{seconds(10)};
  for (const auto kind : {EntityKind::kHost, EntityKind::kDisk}) {
    const auto tail = before.TailAfter(kind, 0, At(2));
    EXPECT_FALSE(tail.counters.empty());
    after.Resume(kind, 0, tail);
  }
  const auto sample = after.SampleAt(Entities(), At(3));
  EXPECT_EQ(sample[Index(HostMetric::kFaults)], 5);
  EXPECT_EQ(sample[Index(HostMetric::kRead)], 100);
  EXPECT_EQ(sample[Index(HostMetric::kThreads)], 200);
}

TEST(HostReadings, WhatIsForgottenIsMissing) {
  HostReadings readings{seconds(10)};
  Count(readings, HostCounter::kFaults, 0, 5);
  (void)readings.Add(Of(HostGauge::kThreads), 0, At(2), 200);
  readings.Forget(EntityKind::kHost, 0);
  const auto sample = readings.SampleAt(Entities(), At(2));
  EXPECT_TRUE(IsMissing(sample[Index(HostMetric::kFaults)]));
  EXPECT_TRUE(IsMissing(sample[Index(HostMetric::kThreads)]));
  EXPECT_EQ(readings.Last(0), std::nullopt);
}

}  // namespace
}  // namespace limpet::host_readings_test
