#include "exporter/collectors/rates.h"

#include <gtest/gtest.h>

namespace limpet::rates_test {
namespace {

using std::chrono::milliseconds;

DiskCounters Before() {
  return {.reads = 1000,
          .sectors_read = 80000,
          .read_ms = 5000,
          .writes = 500,
          .sectors_written = 40000,
          .write_ms = 9000,
          .io_ms = 4000,
          .weighted_ms = 14000,
          .discards = 7,
          .sectors_discarded = 70,
          .discard_ms = 1};
}

// 100 reads of 40 KiB in 2.5 ms, 50 writes of 16 KiB in 7 ms, 10 discards of 40 KiB in 0.4 ms.
DiskCounters After() {
  auto after = Before();
  after.reads += 100;
  after.sectors_read += 8000;
  after.read_ms += 250;
  after.writes += 50;
  after.sectors_written += 1600;
  after.write_ms += 350;
  after.discards += 10;
  after.sectors_discarded += 800;
  after.discard_ms += 4;
  after.io_ms += 480;
  after.weighted_ms += 604;
  return after;
}

// What `iostat -dxy` prints for these counters, worked out by hand.
TEST(DiskRates, AreIostatsNumbers) {
  const auto rates = RatesBetween(Before(), After(), milliseconds(1250));
  ASSERT_TRUE(rates);
  EXPECT_DOUBLE_EQ(rates->reads_per_second, 80);
  EXPECT_DOUBLE_EQ(rates->writes_per_second, 40);
  EXPECT_DOUBLE_EQ(rates->requests_per_second, 128);
  EXPECT_DOUBLE_EQ(rates->read_bytes_per_second, 3276800);
  EXPECT_DOUBLE_EQ(rates->written_bytes_per_second, 655360);
  EXPECT_DOUBLE_EQ(rates->request_size, 33280);
  EXPECT_DOUBLE_EQ(rates->queue_length, 0.4832);
  EXPECT_DOUBLE_EQ(rates->await, 0.003775);
  EXPECT_DOUBLE_EQ(rates->read_await, 0.0025);
  EXPECT_DOUBLE_EQ(rates->write_await, 0.007);
  EXPECT_DOUBLE_EQ(rates->service_time, 0.003);
  EXPECT_DOUBLE_EQ(rates->utilization, 0.384);
}

TEST(DiskRates, MeansOverNoRequestsAreZero) {
  auto after = Before();
  after.io_ms += 1000;  // busy with a request that has not completed
  after.weighted_ms += 1000;
  const auto rates = RatesBetween(Before(), after, milliseconds(1000));
  ASSERT_TRUE(rates);
  EXPECT_EQ(rates->await, 0);
  EXPECT_EQ(rates->read_await, 0);
  EXPECT_EQ(rates->service_time, 0);
  EXPECT_EQ(rates->request_size, 0);
  EXPECT_DOUBLE_EQ(rates->queue_length, 1);
  EXPECT_DOUBLE_EQ(rates->utilization, 1);
}

TEST(DiskRates, UtilizationIsAtMostOne) {
  auto after = Before();
  after.io_ms += 1004;  // the kernel counts whole jiffies
  EXPECT_EQ(RatesBetween(Before(), after, milliseconds(1000))->utilization, 1);
}

TEST(DiskRates, ThereAreNoneWhenACounterFellOrNoTimePassed) {
  auto after = After();
  after.sectors_written = 0;
  EXPECT_FALSE(RatesBetween(Before(), after, milliseconds(1000)));
  EXPECT_FALSE(RatesBetween(Before(), After(), milliseconds(0)));
  EXPECT_FALSE(RatesBetween(Before(), After(), milliseconds(-1)));
}

TEST(NetRates, AreIncreasesOverTime) {
  NetDevCounters before{};
  auto after = before;
  after[kReceiveBytes] = 3000;
  after[kReceivePackets] = 20;
  after[kTransmitBytes] = 500;
  after[kTransmitPackets] = 5;
  const auto rates = RatesBetween(before, after, milliseconds(2000));
  ASSERT_TRUE(rates);
  EXPECT_DOUBLE_EQ(rates->receive_bytes_per_second, 1500);
  EXPECT_DOUBLE_EQ(rates->receive_packets_per_second, 10);
  EXPECT_DOUBLE_EQ(rates->transmit_bytes_per_second, 250);
  EXPECT_DOUBLE_EQ(rates->transmit_packets_per_second, 2.5);
  EXPECT_FALSE(RatesBetween(after, before, milliseconds(2000)));
  EXPECT_FALSE(RatesBetween(before, after, milliseconds(0)));
}

}  // namespace
}  // namespace limpet::rates_test
