#include "diagnoser/publish/series_api.h"

#include <gmock/gmock.h>

#include "tests/support/live_cluster.h"

namespace limpet::series_api_test {
namespace {

using nlohmann::json;
using testing::LiveCluster;

class SeriesApi : public ::testing::Test {
 protected:
  SeriesApi() {
    cluster_.Steps(40, 10);
    cluster_.Steps(40, 80);
  }
  [[nodiscard]] json Get(const SeriesQuery& query) {
    const auto text = SeriesListJson(*cluster_.View(), query);
    return text ? json::parse(*text) : json();
  }
  LiveCluster cluster_;
};

TEST_F(SeriesApi, AllMetricsOfANode) {
  const auto parsed = Get({.node = "io03"});
  EXPECT_EQ(parsed["series"].size(), 8U);
  for (const auto& series : parsed["series"]) {
    for (const auto* key : {"value", "peer_median", "peer_low", "peer_high", "degree"}) {
      EXPECT_EQ(series[key].size(), series["time"].size()) << key;
    }
  }
}

TEST_F(SeriesApi, OneMetricByItsLabelInTheUnitOfTheLabel) {
  const auto parsed = Get({.node = "io01", .component = "io01/sda", .metric = "read_bytes"});
  ASSERT_EQ(parsed["series"].size(), 1U);
  EXPECT_EQ(parsed["series"][0]["unit"], "B/s");
  EXPECT_NEAR(parsed["series"][0]["value"].back(), 50 * 4096, 1);
  EXPECT_EQ(Get({.node = "io01", .metric = "nothing"})["series"].size(), 0U);
  EXPECT_TRUE(Get({.node = "stranger"}).is_null());
}

TEST_F(SeriesApi, OnlyTheSpanAskedFor) {
  const auto all = Get({.node = "io01", .metric = "await"})["series"][0]["time"];
  const auto from = cluster_.Now() - std::chrono::seconds(12);
  const auto some = Get({.node = "io01", .metric = "await", .from = from})["series"][0]["time"];
  EXPECT_LT(some.size(), all.size());
  EXPECT_GE(some.front(), ToSeconds(from.time_since_epoch()));
}

TEST_F(SeriesApi, OverlappingBandsAreOneSeriesOfSteps) {
  const auto& bands = cluster_.View()->verdicts->front()->bands;
  std::vector<std::shared_ptr<const PeerBand>> awaits;
  for (const auto& band : bands) {
    if (band->metric == "await") {
      awaits.push_back(band);
    }
  }
  const auto steps = StepsJson(awaits, "io03/sda");
  ASSERT_FALSE(steps.is_null());
  for (std::size_t i = 1; i < steps["time"].size(); ++i) {
    EXPECT_EQ(steps["time"][i].get<double>(), steps["time"][i - 1].get<double>() + 1);
  }
  EXPECT_NEAR(steps["peer_median"].back(), 10, 1);
  EXPECT_NEAR(steps["value"].back(), 80, 1);
  const auto shares = DistributionsJson(awaits, "io03/sda");
  EXPECT_EQ(shares["edges"].size(), shares["peers"].size() + 1);
  double sum = 0;
  for (const double share : shares["component"]) {
    sum += share;
  }
  EXPECT_NEAR(sum, 1, 1e-5);
  EXPECT_TRUE(StepsJson({}, "x").is_null());
  EXPECT_TRUE(DistributionsJson(awaits, "x").is_null());
}

}  // namespace
}  // namespace limpet::series_api_test
