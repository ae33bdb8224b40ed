#include "diagnoser/custom/series_table.h"

#include <gtest/gtest.h>

namespace limpet::series_table_test {
namespace {

std::vector<CustomMetric> Metrics() {
  CustomMetric mean;
  mean.name = "latency";
  mean.shape = CustomShape::kMean;
  mean.series = "op_sum";
  mean.count = "op_count";
  mean.labels = {{.name = "op", .regex = "write|sync"}};
  mean.node = {.join = {.series = "osd_metadata", .on = {"daemon"}}, .label = "hostname"};
  CustomMetric rate;
  rate.name = "rate";
  rate.shape = CustomShape::kCounter;
  rate.series = "op_count";
  CustomMetric histogram;
  histogram.name = "fsync";
  histogram.shape = CustomShape::kHistogram;
  histogram.series = "fsync_seconds";
  return {mean, rate, histogram};
}

TEST(SeriesTableTest, OneSeriesMayFeedSeveralMetrics) {
  const auto metrics = Metrics();
  const CustomSeriesTable table(metrics);
  const auto uses = table.Find("op_count", {{"op", "write"}});
  ASSERT_EQ(uses.size(), 2U);
  EXPECT_EQ(uses[0].metric, 0U);
  EXPECT_EQ(uses[0].part, CustomPart::kCount);
  EXPECT_EQ(uses[1].part, CustomPart::kValue);
}

TEST(SeriesTableTest, MatchersHoldTheWholeValue) {
  const auto metrics = Metrics();
  const CustomSeriesTable table(metrics);
  EXPECT_EQ(table.Find("op_sum", {{"op", "sync"}}).size(), 1U);
  EXPECT_TRUE(table.Find("op_sum", {{"op", "fsync"}}).empty());
  EXPECT_TRUE(table.Find("op_sum", {}).empty());
}

TEST(SeriesTableTest, HistogramsAreReadByTheirBuckets) {
  const auto metrics = Metrics();
  const CustomSeriesTable table(metrics);
  EXPECT_FALSE(table.Reads("fsync_seconds"));
  EXPECT_FALSE(table.Reads("fsync_seconds_sum"));
  ASSERT_TRUE(table.Reads("fsync_seconds_bucket"));
  EXPECT_EQ(table.Find("fsync_seconds_bucket", {}).front().part, CustomPart::kBucket);
}

TEST(SeriesTableTest, InfoSeriesHaveNoMatchers) {
  const auto metrics = Metrics();
  const CustomSeriesTable table(metrics);
  const auto uses = table.Find("osd_metadata", {{"daemon", "osd.1"}});
  ASSERT_EQ(uses.size(), 1U);
  EXPECT_EQ(uses[0].part, CustomPart::kInfo);
  EXPECT_EQ(table.Names(), (std::vector<std::string>{"fsync_seconds_bucket", "op_count", "op_sum",
                                                     "osd_metadata"}));
}

}  // namespace
}  // namespace limpet::series_table_test
