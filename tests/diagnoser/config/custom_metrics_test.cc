#include "diagnoser/config/custom_metrics.h"

#include <gtest/gtest.h>

#include "diagnoser/config/config.h"

namespace limpet::custom_metrics_test {
namespace {

constexpr std::string_view kExample = R"(metrics:
  - name: osd_commit_latency
    text: time to commit a write
    unit: s
    series: {mean: {sum: ceph_osd_op_w_latency_sum, count: ceph_osd_op_w_latency_count}}
    component: [ceph_daemon]
    node: {join: ceph_osd_metadata, on: [ceph_daemon], label: hostname}
    peers: {join: ceph_osd_metadata, on: [ceph_daemon], same: [device_class]}
    direction: high
    noise_floor: 2ms
    min_count: 30
    cause: slow-requests          # together with a flagged disk of the node: that disk's cause, one verdict
    trial: false
)";

Result<std::vector<CustomMetric>> Parse(std::string_view text) {
  return ParseMetricFile(text, "metrics.yml");
}
std::string Problems(std::string_view text) {
  const auto metrics = Parse(text);
  return metrics ? "" : metrics.error().message;
}

TEST(CustomMetricsTest, ExampleIsTakenToTheLetter) {
  const auto metrics = Parse(kExample);
  ASSERT_TRUE(metrics) << metrics.error().Text();
  ASSERT_EQ(metrics->size(), 1U);
  const auto& metric = metrics->front();
  EXPECT_EQ(metric.name, "osd_commit_latency");
  EXPECT_EQ(metric.text, "time to commit a write");
  EXPECT_EQ(metric.shape, CustomShape::kMean);
  EXPECT_EQ(metric.series, "ceph_osd_op_w_latency_sum");
  EXPECT_EQ(metric.count, "ceph_osd_op_w_latency_count");
  EXPECT_EQ(metric.component, std::vector<std::string>{"ceph_daemon"});
  EXPECT_EQ(metric.node.join.series, "ceph_osd_metadata");
  EXPECT_EQ(metric.node.label, "hostname");
  EXPECT_EQ(metric.peers.same, std::vector<std::string>{"device_class"});
  EXPECT_EQ(metric.direction, Direction::kHigh);
  EXPECT_DOUBLE_EQ(metric.noise_floor, 0.002);
  EXPECT_EQ(metric.min_count, 30U);
  EXPECT_EQ(metric.cause, Cause::kSlowRequests);
  EXPECT_FALSE(metric.trial);
}

TEST(CustomMetricsTest, FloorsAreInTheUnit) {
  const auto floor = [](const std::string& unit, const std::string& text) {
    const auto metrics = Parse("metrics: [{name: a, unit: " + unit +
                               ", series: {gauge: b}, noise_floor: " + text + "}]");
    return metrics ? metrics->front().noise_floor : -1;
  };
  EXPECT_DOUBLE_EQ(floor("s", "2ms"), 0.002);
  EXPECT_DOUBLE_EQ(floor("ms", "2ms"), 2);
  EXPECT_DOUBLE_EQ(floor("us", "2ms"), 2000);
  EXPECT_DOUBLE_EQ(floor("B/s", "1MiB"), 1048576);
  EXPECT_DOUBLE_EQ(floor("requests", "3"), 3);
  EXPECT_EQ(floor("requests", "3ms"), -1);
  EXPECT_EQ(floor("s", "-1"), -1);
}

TEST(CustomMetricsTest, ProblemsNameLineKeyAndWhatWasExpected) {
  const auto text = Problems(
      "metrics:\n"
      "  - name: Latency\n"
      "    series: {mean: {sum: a}}\n"
      "    node: {join: info, label: host}\n"
      "    peers: {same: []}\n"
      "    direction: up\n"
      "    colour: red\n");
  EXPECT_NE(text.find("metrics.yml:2: metrics[0].name: expected small letters"), std::string::npos)
      << text;
  EXPECT_NE(text.find("mean.count: expected the name of a series"), std::string::npos) << text;
  EXPECT_NE(text.find("node.on: expected the labels that both series have"), std::string::npos)
      << text;
  EXPECT_NE(text.find("peers.same: expected the labels"), std::string::npos) << text;
  EXPECT_NE(text.find("direction"), std::string::npos) << text;
  EXPECT_NE(text.find("colour"), std::string::npos) << text;
}

TEST(CustomMetricsTest, SeriesHaveOneShape) {
  constexpr std::string_view kExpected = "expected one of {counter: NAME}";
  EXPECT_NE(Problems("metrics: [{name: a, series: {}}]").find(kExpected), std::string::npos);
  EXPECT_NE(Problems("metrics: [{name: a, series: {gauge: b, counter: c}}]").find(kExpected),
            std::string::npos);
  EXPECT_NE(Problems("metrics: [{name: a, series: {histogram: b_bucket}}]")
                .find("expected the name without _bucket"),
            std::string::npos);
}

TEST(CustomMetricsTest, WhatTheDiagnosisHasItselfIsRefused) {
  EXPECT_NE(Problems("metrics: [{name: await, series: {gauge: b}}]")
                .find("has a metric of its own with the name await"),
            std::string::npos);
  EXPECT_NE(Problems("metrics: [{name: a, series: {counter: node_disk_reads_completed_total}}]")
                .find("by itself"),
            std::string::npos);
}

TEST(CustomMetricsTest, WhoAsksIsComparedWithNothing) {
  const auto good =
      ParseMetricFile("metrics:\n  - {name: a, series: {counter: c}, asks: jobid}\n", "m.yml");
  ASSERT_TRUE(good);
  EXPECT_EQ(good->front().asks, "jobid");
  const auto bad = ParseMetricFile(
      "metrics:\n  - {name: a, series: {gauge: g}, asks: jobid, trial: true}\n", "m.yml");
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().Text().find("expected {counter: NAME} beside asks"), std::string::npos);
  EXPECT_NE(bad.error().Text().find("trial: is not used: a metric with asks"), std::string::npos);
}

TEST(CustomMetricsTest, NamesDifferAlsoAcrossFiles) {
  const auto read = [](const std::string& path) -> Result<std::string> {
    return path == "/a.yml"
               ? Result<std::string>(std::string(kExample))
               : Result<std::string>(Error{ErrorCode::kNotFound, "no such file", path});
  };
  const auto config = ParseDiagnoserConfig(
      "targets: [{address: a, role: io}]\nmetric_files: [/a.yml, /b.yml]\n" + std::string(kExample),
      "diagnoser.yml", read);
  ASSERT_FALSE(config);
  const auto text = config.error().message;
  EXPECT_NE(text.find("the name osd_commit_latency is taken"), std::string::npos) << text;
  EXPECT_NE(text.find("metric_files"), std::string::npos) << text;
  EXPECT_NE(text.find("no such file"), std::string::npos) << text;
}

TEST(CustomMetricsTest, ConfigurationCarriesThemToThePipeline) {
  const auto read = [](const std::string&) { return Result<std::string>(std::string(kExample)); };
  const auto config = ParseDiagnoserConfig(
      "targets: [{address: a, role: io}]\nmetric_files: [/a.yml]\n", "diagnoser.yml", read);
  ASSERT_TRUE(config) << config.error().Text();
  EXPECT_EQ(config->pipeline.custom.size(), 1U);
}

TEST(CustomMetricsTest, MetricBesideMustExist) {
  EXPECT_TRUE(Parse("metrics: [{name: a, series: {gauge: b}, beside: await}]"));
  const auto read = [](const std::string&) { return Result<std::string>(std::string()); };
  const auto config = ParseDiagnoserConfig(
      "targets: [{address: a, role: io}]\n"
      "metrics: [{name: a, series: {gauge: b}, beside: nothing}]\n",
      "diagnoser.yml", read);
  ASSERT_FALSE(config);
  EXPECT_NE(config.error().message.find("beside: expected the name of a metric"),
            std::string::npos);
}

TEST(CustomMetricsTest, MoreThanTwoHundredAreRefused) {
  std::string text = "metrics:\n";
  for (std::size_t i = 0; i <= kMaxCustomMetrics; ++i) {
    text += "  - {name: m" + std::to_string(i) + ", series: {gauge: g}}\n";
  }
  EXPECT_NE(Problems(text).find("expected at most 200 metrics"), std::string::npos);
}

}  // namespace
}  // namespace limpet::custom_metrics_test
