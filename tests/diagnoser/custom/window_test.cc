#include "diagnoser/custom/window.h"

#include <gtest/gtest.h>

#include "diagnoser/series/increase.h"

namespace limpet::window_test {
namespace {

using std::chrono::seconds;
const UnixTime kStart = UnixTime(std::chrono::hours(500'000));
const WindowShape kShape = {.step = seconds(1), .window = 10, .smoothing = 1};

CustomMetric Mean() {
  CustomMetric metric;
  metric.name = "latency";
  metric.shape = CustomShape::kMean;
  metric.series = "op_sum";
  metric.count = "op_count";
  metric.factor = 1000;
  metric.component = {"daemon"};
  metric.node = {.join = {.series = "metadata", .on = {"daemon"}}, .label = "hostname"};
  metric.device = {.join = {.series = "metadata", .on = {"daemon"}}, .label = "disk"};
  metric.peers = {.join = {.series = "metadata", .on = {"daemon"}}, .same = {"class"}};
  return metric;
}
CustomMetric Plain(CustomShape shape) {
  CustomMetric metric;
  metric.name = "plain";
  metric.shape = shape;
  metric.series = "value";
  metric.min_count = 5;
  return metric;
}

class CustomWindowTest : public ::testing::Test {
 protected:
  void Add(const std::string& name, const LabelPairs& labels, UnixTime at, double value,
           const std::string& node = "mgr", const std::string& role = "") {
    const auto series = readings_->Resolve({.field = {EntityKind::kCustom},
                                            .name = name,
                                            .labels = labels,
                                            .source = {.node = node, .role = role, .labels = {}},
                                            .target = "http://" + node});
    ASSERT_TRUE(series);
    readings_->Add(*series, at, value);
  }
  void Use(std::vector<CustomMetric> metrics) {
    metrics_ = std::move(metrics);
    readings_.emplace(metrics_, std::vector<GridSpec>{{.step = seconds(1), .max_gap = seconds(5)}},
                      seconds(2), 16);
  }
  [[nodiscard]] std::optional<CustomSamples> Sample(UnixTime end) const {
    return SampleWindow(metrics_[0], readings_->Cells()[0], end, kShape, 0, seconds(5));
  }
  [[nodiscard]] std::optional<BucketCounts> Count(UnixTime end) const {
    return CountWindow(metrics_[0], readings_->Cells()[0], end, kShape, seconds(2));
  }

  std::vector<CustomMetric> metrics_;
  std::optional<CustomReadings> readings_;
  NodeNames nodes_;
};

TEST_F(CustomWindowTest, ComponentsAreOnTheNodeOfTheirInfoSeries) {
  Use({Mean()});
  nodes_.Add("io01.cluster");
  const LabelPairs info = {
      {"daemon", "osd.1"}, {"hostname", "io01"}, {"disk", "/dev/sdb"}, {"class", "hdd"}};
  Add("op_sum", {{"daemon", "osd.1"}}, kStart, 1);
  Add("op_sum", {{"daemon", "osd.2"}}, kStart, 1);
  Add("metadata", info, kStart, 1);
  const auto places = PlaceComponents(*readings_, 0, kStart - seconds(1), nodes_);
  ASSERT_EQ(places.groups.size(), 1U);
  EXPECT_EQ(places.groups[0].name, "latency:hdd");
  ASSERT_EQ(places.groups[0].members.size(), 1U);
  EXPECT_EQ(places.groups[0].members[0].name, "io01.cluster/osd.1");
  EXPECT_EQ(places.groups[0].members[0].disk, "sdb");
  EXPECT_EQ(places.no_node, 1U);
}

TEST_F(CustomWindowTest, JoinOfTwoNodesIsSaid) {
  Use({Mean()});
  Add("op_sum", {{"daemon", "osd.1"}}, kStart, 1);
  Add("metadata", {{"daemon", "osd.1"}, {"hostname", "io01"}, {"class", "a"}}, kStart, 1);
  Add("metadata", {{"daemon", "osd.1"}, {"hostname", "io02"}, {"class", "a"}}, kStart, 1);
  const auto places = PlaceComponents(*readings_, 0, kStart - seconds(1), nodes_);
  EXPECT_TRUE(places.groups.empty());
  EXPECT_EQ(places.two_nodes, 1U);
}

TEST_F(CustomWindowTest, SilentComponentsTakeNoPart) {
  Use({Plain(CustomShape::kGauge)});
  Add("value", {}, kStart, 1, "io01");
  EXPECT_EQ(PlaceComponents(*readings_, 0, kStart - seconds(1), nodes_).groups.size(), 1U);
  EXPECT_TRUE(PlaceComponents(*readings_, 0, kStart, nodes_).groups.empty());
}

TEST_F(CustomWindowTest, RolesAndLabelsSeparatePeers) {
  auto metric = Plain(CustomShape::kGauge);
  metric.peers.same = {"pool", "node"};
  Use({metric});
  Add("value", {{"pool", "tank"}}, kStart, 1, "io01", "server");
  const auto places = PlaceComponents(*readings_, 0, kStart - seconds(1), nodes_);
  EXPECT_EQ(places.groups[0].name, "plain:server/tank/io01");
}

TEST_F(CustomWindowTest, MeansAreOfRequests) {
  Use({Mean()});
  for (int i = 0; i <= 12; ++i) {
    Add("op_sum", {{"daemon", "osd.1"}}, kStart + seconds(i), 0.02 * i);
    Add("op_count", {{"daemon", "osd.1"}}, kStart + seconds(i), 10.0 * i);
  }
  const auto samples = Sample(kStart + seconds(12));
  ASSERT_TRUE(samples);
  EXPECT_EQ(samples->values.size(), 10U);
  EXPECT_NEAR(samples->values[0], 2, 1e-9);
  EXPECT_NEAR(samples->requests, 100, 1e-9);
}

// Requests of five clients for one server, 2 ms each; those of c1 take `times` as long, and are
// `load` times as many.
class WitnessTest : public CustomWindowTest {
 protected:
  double MeanOf(int clients, double times, double load, bool add_up = true) {
    auto metric = Mean();
    metric.component = {"export"};
    metric.node = {.join = {}, .label = "server"};
    metric.device = {};
    metric.peers = {};
    metric.add_up = add_up;
    Use({metric});
    const LabelPairs labels = {{"export", "/data"}, {"server", "nfs1"}};
    for (int i = 0; i <= 12; ++i) {
      for (int client = 1; client <= clients; ++client) {
        const double requests = 10.0 * i * (client == 1 ? load : 1);
        const auto node = "c" + std::to_string(client);
        Add("op_sum", labels, kStart + seconds(i), 0.002 * requests * (client == 1 ? times : 1),
            node);
        Add("op_count", labels, kStart + seconds(i), requests, node);
      }
    }
    const auto samples = Sample(kStart + seconds(12));
    return samples ? samples->values.back() : -1;
  }
};

TEST_F(WitnessTest, AClientThatWaitsLongForAllCountsAsOneOfMany) {
  EXPECT_NEAR(MeanOf(5, 10, 20), 2, 1e-9);
  EXPECT_NEAR(MeanOf(3, 10, 20), 2, 1e-9);
}

TEST_F(WitnessTest, OfTwoClientsNobodyKnowsWhoseTheTimeIs) {
  EXPECT_NEAR(MeanOf(2, 10, 1), 11, 1e-9);
}

TEST_F(WitnessTest, AClientThatWaitsLessRaisesNothing) {
  EXPECT_NEAR(MeanOf(5, 0.1, 1), (4 * 2 + 0.2) / 5, 1e-9);
}

TEST_F(CustomWindowTest, FewRequestsAreUndetermined) {
  const auto has_samples = [this](double a_second, std::size_t min_count) {
    auto metric = Mean();
    metric.min_count = min_count;
    Use({metric});
    for (int i = 0; i <= 12; ++i) {
      Add("op_sum", {{"daemon", "osd.1"}}, kStart + seconds(i), 0.02 * i);
      Add("op_count", {{"daemon", "osd.1"}}, kStart + seconds(i), a_second * i);
    }
    return Sample(kStart + seconds(12)).has_value();
  };
  // In ten seconds: a quarter of min_count, five at least where it is not less itself.
  EXPECT_TRUE(has_samples(0.8, 30));
  EXPECT_FALSE(has_samples(0.7, 30));
  EXPECT_TRUE(has_samples(0.6, 10));
  EXPECT_FALSE(has_samples(0.4, 10));
  EXPECT_TRUE(has_samples(0.4, 2));
}

TEST_F(CustomWindowTest, StepsWithoutRequestsHaveTheWindowsMean) {
  Use({Mean()});
  for (int i = 0; i <= 12; ++i) {
    Add("op_sum", {{"daemon", "osd.1"}}, kStart + seconds(i), i < 8 ? 0 : 0.5);
    Add("op_count", {{"daemon", "osd.1"}}, kStart + seconds(i), i < 8 ? 0 : 50);
  }
  const auto samples = Sample(kStart + seconds(12));
  ASSERT_TRUE(samples);
  EXPECT_NEAR(samples->values.front(), 10, 1e-9);
  EXPECT_NEAR(samples->values.back(), 10, 1e-9);
}

TEST_F(CustomWindowTest, CountersAreRatesAndGaugesTheirLatestReading) {
  Use({Plain(CustomShape::kCounter)});
  for (int i = 0; i <= 12; ++i) {
    Add("value", {}, kStart + seconds(i), 7.0 * i, "io01");
  }
  EXPECT_NEAR(Sample(kStart + seconds(12))->values[3], 7, 1e-9);
  Use({Plain(CustomShape::kGauge)});
  for (int i = 0; i <= 12; ++i) {
    Add("value", {}, kStart + seconds(i), i, "io01");
  }
  EXPECT_EQ(Sample(kStart + seconds(12))->values.front(), 3);
  EXPECT_FALSE(Sample(kStart + seconds(25)));
}

TEST_F(CustomWindowTest, OneJumpOfACounterIsNoRate) {
  Use({Plain(CustomShape::kCounter)});
  for (int i = 0; i <= 12; ++i) {
    Add("value", {}, kStart + seconds(i), 7.0 * i + (i > 5 ? 1e6 : 0), "io01");
  }
  const auto samples = Sample(kStart + seconds(12));
  ASSERT_TRUE(samples);
  for (const double rate : samples->values) {
    EXPECT_NEAR(rate, 7, 1e-9);
  }
}

TEST_F(CustomWindowTest, HistogramsCountTheWindowsRequests) {
  Use({Plain(CustomShape::kHistogram)});
  for (int i = 0; i <= 20; ++i) {
    Add("value_bucket", {{"le", "1"}}, kStart + seconds(i), 2.0 * i, "io01");
    Add("value_bucket", {{"le", "2"}}, kStart + seconds(i), 3.0 * i, "io01");
    Add("value_bucket", {{"le", "+Inf"}}, kStart + seconds(i), 4.0 * i, "io01");
  }
  const auto counts = Count(kStart + seconds(20));
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->bounds, (std::vector<double>{1, 2}));
  EXPECT_EQ(counts->at_most, (std::vector<double>{20, 30}));
  EXPECT_EQ(counts->total, 40);
}

TEST_F(CustomWindowTest, BucketThatVanishesIsLeftOut) {
  Use({Plain(CustomShape::kHistogram)});
  for (int i = 0; i <= 20; ++i) {
    if (i < 5) {
      Add("value_bucket", {{"le", "1"}}, kStart + seconds(i), 2.0 * i, "io01");
    }
    Add("value_bucket", {{"le", "2"}}, kStart + seconds(i), 3.0 * i, "io01");
    Add("value_bucket", {{"le", "4"}}, kStart + seconds(i), 3.0 * i, "io01");
    Add("value_bucket", {{"le", "+Inf"}}, kStart + seconds(i), 4.0 * i, "io01");
  }
  EXPECT_EQ(Count(kStart + seconds(20))->bounds, (std::vector<double>{2, 4}));
}

TEST_F(CustomWindowTest, HistogramWithFewRequestsIsUndetermined) {
  Use({Plain(CustomShape::kHistogram)});
  for (int i = 0; i <= 20; ++i) {
    Add("value_bucket", {{"le", "1"}}, kStart + seconds(i), i > 18 ? 2 : 0, "io01");
    Add("value_bucket", {{"le", "2"}}, kStart + seconds(i), i > 18 ? 3 : 0, "io01");
    Add("value_bucket", {{"le", "+Inf"}}, kStart + seconds(i), i > 18 ? 4 : 0, "io01");
  }
  EXPECT_FALSE(Count(kStart + seconds(20)));
}

}  // namespace
}  // namespace limpet::window_test
