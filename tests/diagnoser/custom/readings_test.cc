#include "diagnoser/custom/readings.h"

#include <gtest/gtest.h>

namespace limpet::readings_test {
namespace {

using std::chrono::seconds;
const UnixTime kStart = UnixTime(std::chrono::hours(500'000));

std::vector<GridSpec> OneGrid() { return {{.step = seconds(1), .max_gap = seconds(5)}}; }

CustomMetric Mean() {
  CustomMetric metric;
  metric.name = "latency";
  metric.shape = CustomShape::kMean;
  metric.series = "op_sum";
  metric.count = "op_count";
  metric.component = {"daemon"};
  metric.node = {.join = {.series = "metadata", .on = {"daemon"}}, .label = "hostname"};
  return metric;
}
CustomMetric Histogram() {
  CustomMetric metric;
  metric.name = "fsync";
  metric.shape = CustomShape::kHistogram;
  metric.series = "fsync_seconds";
  return metric;
}

class CustomReadingsTest : public ::testing::Test {
 protected:
  std::optional<std::uint32_t> Resolve(const std::string& name, const LabelPairs& labels,
                                       const std::string& node = "mgr") {
    return readings_.Resolve({.field = {EntityKind::kCustom},
                              .name = name,
                              .labels = labels,
                              .source = {.node = node, .role = "", .labels = {}},
                              .target = "http://" + node});
  }

  std::vector<CustomMetric> metrics_ = {Mean(), Histogram()};
  CustomReadings readings_{metrics_, OneGrid(), seconds(4), 32};
};

TEST_F(CustomReadingsTest, ComponentOfAJoinIsOneWhoeverTellsOfIt) {
  ASSERT_TRUE(Resolve("op_sum", {{"daemon", "osd.1"}}, "mgr1"));
  ASSERT_TRUE(Resolve("op_sum", {{"daemon", "osd.1"}}, "mgr2"));
  ASSERT_TRUE(Resolve("op_sum", {{"daemon", "osd.2"}}, "mgr1"));
  EXPECT_EQ(readings_.Components(), 2U);
}

TEST_F(CustomReadingsTest, SecondTargetCountsOnceTheFirstIsSilent) {
  const auto first = Resolve("op_count", {{"daemon", "osd.1"}}, "mgr1").value();
  const auto second = Resolve("op_count", {{"daemon", "osd.1"}}, "mgr2").value();
  readings_.Add(first, kStart, 100);
  readings_.Add(second, kStart + seconds(1), 100);
  EXPECT_EQ(readings_.Drops().repeated, 1U);
  readings_.Add(second, kStart + seconds(70), 100);
  EXPECT_EQ(readings_.Drops().repeated, 1U);
  EXPECT_EQ(readings_.Cells()[0].last, kStart + seconds(70));
}

TEST_F(CustomReadingsTest, SeriesOfOneComponentAddUp) {
  metrics_[0].labels.clear();
  const auto read = Resolve("op_count", {{"daemon", "osd.1"}, {"op", "r"}}).value();
  const auto write = Resolve("op_count", {{"daemon", "osd.1"}, {"op", "w"}}).value();
  EXPECT_NE(read, write);
  EXPECT_EQ(readings_.Cells()[0].tracks.size(), 2U);
}

TEST_F(CustomReadingsTest, SameSeriesIsResolvedOnce) {
  const auto one = Resolve("op_sum", {{"daemon", "osd.1"}});
  EXPECT_EQ(Resolve("op_sum", {{"daemon", "osd.1"}}), one);
  EXPECT_EQ(readings_.Cells()[0].tracks.size(), 1U);
}

TEST_F(CustomReadingsTest, SeriesWithoutTheComponentsLabelIsCounted) {
  EXPECT_FALSE(Resolve("op_sum", {{"pool", "a"}}));
  EXPECT_FALSE(Resolve("fsync_seconds_bucket", {{"le", "many"}}));
  EXPECT_FALSE(Resolve("fsync_seconds_bucket", {}));
  EXPECT_EQ(readings_.Drops().unnamed, 3U);
}

TEST_F(CustomReadingsTest, BucketsRiseByTicks) {
  const auto bucket = Resolve("fsync_seconds_bucket", {{"le", "0.5"}}, "etcd1").value();
  readings_.Add(bucket, kStart, 1000);
  readings_.Add(bucket, kStart + seconds(1), 1010);
  readings_.Add(bucket, kStart + seconds(2), 5);  // below: doubted, and no increase
  readings_.Add(bucket, kStart + seconds(3), 1015);
  const auto tick = BinAt(kStart + seconds(3), seconds(4));
  const auto sums = readings_.Cells()[0].buckets->Sum(tick - 2, tick);
  ASSERT_EQ(sums.size(), 1U);
  EXPECT_EQ(sums[0].bound, 0.5);
  EXPECT_EQ(sums[0].increase, 15);
}

// Two metrics may read the same buckets; each reading rises once.
TEST_F(CustomReadingsTest, BucketsOfTwoMetricsRiseForBoth) {
  metrics_ = {Histogram(), Histogram()};
  metrics_.back().name = "again";
  CustomReadings readings(metrics_, OneGrid(), seconds(4), 32);
  const auto series = readings.Resolve({.field = {EntityKind::kCustom},
                                        .name = "fsync_seconds_bucket",
                                        .labels = {{"le", "+Inf"}},
                                        .source = {.node = "io1", .role = "", .labels = {}},
                                        .target = "http://io1"});
  ASSERT_TRUE(series);
  readings.Add(*series, kStart, 100);
  readings.Add(*series, kStart + seconds(4), 170);
  for (const auto& cell : readings.Cells()) {
    const auto tick = BinAt(kStart + seconds(4), seconds(4));
    EXPECT_EQ(cell.buckets->Sum(tick - 1, tick).front().increase, 70) << cell.metric;
  }
}

TEST_F(CustomReadingsTest, LateReadingsAreLeftOut) {
  const auto bucket = Resolve("fsync_seconds_bucket", {{"le", "0.5"}}, "etcd1").value();
  readings_.Add(bucket, kStart + seconds(9), 10);
  readings_.Add(bucket, kStart + seconds(8), 5);
  EXPECT_EQ(readings_.Last(), kStart + seconds(9));
}

TEST_F(CustomReadingsTest, WindowsWaitForSourcesThatWillCome) {
  const auto bucket = Resolve("fsync_seconds_bucket", {{"le", "0.5"}}, "etcd1").value();
  readings_.Add(bucket, kStart, 10);
  EXPECT_TRUE(readings_.Settled(kStart, kStart, seconds(5)));
  EXPECT_FALSE(readings_.Settled(kStart + seconds(1), kStart + seconds(2), seconds(5)));
  EXPECT_TRUE(readings_.Settled(kStart + seconds(1), kStart + seconds(6), seconds(5)));
}

TEST_F(CustomReadingsTest, OneTargetTakesHalfOfTheComponents) {
  for (std::size_t i = 0; i < CustomReadings::kMaxComponents / 2; ++i) {
    ASSERT_TRUE(Resolve("op_sum", {{"daemon", std::to_string(i)}}));
  }
  EXPECT_FALSE(Resolve("op_sum", {{"daemon", "one more"}}));
  EXPECT_EQ(readings_.Drops().no_room, 1U);
  EXPECT_TRUE(Resolve("op_sum", {{"daemon", "one more"}}, "other"));
}

TEST_F(CustomReadingsTest, WhatIsSilentIsForgottenAndMakesRoom) {
  const auto old = Resolve("op_sum", {{"daemon", "osd.1"}}).value();
  const auto bucket = Resolve("fsync_seconds_bucket", {{"le", "0.5"}}, "etcd1").value();
  readings_.Add(old, kStart, 1);
  readings_.Add(bucket, kStart + seconds(100), 1);
  readings_.Tidy(kStart + seconds(50));
  EXPECT_EQ(readings_.Components(), 1U);
  EXPECT_EQ(Resolve("fsync_seconds_bucket", {{"le", "0.5"}}, "etcd1"), bucket);
  ASSERT_TRUE(Resolve("op_sum", {{"daemon", "osd.2"}}));
  EXPECT_EQ(readings_.Components(), 2U);
}

TEST_F(CustomReadingsTest, NodeThatIsGoneTellsNothing) {
  const auto bucket = Resolve("fsync_seconds_bucket", {{"le", "0.5"}}, "etcd1").value();
  readings_.Add(bucket, kStart, 1);
  readings_.Forget("etcd1");
  EXPECT_FALSE(readings_.Cells()[0].last);
  readings_.Add(bucket, kStart + seconds(1), 2);  // it is back
  EXPECT_TRUE(readings_.Cells()[0].last);
}

TEST_F(CustomReadingsTest, SecondTargetOfAMachineSaysItsHost) {
  const std::vector<std::pair<std::string, std::string>> host = {{"host", "io01"}};
  ASSERT_TRUE(readings_.Resolve({.field = {EntityKind::kCustom},
                                 .name = "fsync_seconds_bucket",
                                 .labels = {{"le", "0.5"}},
                                 .source = {.node = "io01-2379", .role = "", .labels = host},
                                 .target = "http://a"}));
  EXPECT_EQ(readings_.Cells()[0].node, "io01");
}

TEST_F(CustomReadingsTest, SilenceIsPassedOver) {
  const auto bucket = Resolve("fsync_seconds_bucket", {{"le", "0.5"}}, "etcd1").value();
  readings_.Add(bucket, kStart, 1);
  readings_.Add(bucket, kStart + std::chrono::hours(9000), 2);
  EXPECT_EQ(readings_.NextAfter(kStart + seconds(1)),
            kStart + std::chrono::hours(9000) - seconds(4));
  readings_.Prune(kStart + std::chrono::hours(9001));
  EXPECT_FALSE(readings_.NextAfter(kStart));
}

}  // namespace
}  // namespace limpet::readings_test
