#include "diagnoser/publish/past_api.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/live_cluster.h"

namespace limpet::past_api_test {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::LiveCluster;

TEST(PastApi, HasTheMeansOfThenInThePlacesOfNow) {
  LiveCluster cluster;
  cluster.Steps(300, 10);
  cluster.Keeper().SetKnown({{"aa", {.role = "client"}}});
  cluster.Step(10);
  const auto live = cluster.View();
  const auto parsed = json::parse(PastJson(*live, cluster.Now() - 2min));
  EXPECT_LE(parsed["begin"], ToSeconds((cluster.Now() - 2min).time_since_epoch()));
  EXPECT_EQ(parsed["end"].get<double>() - parsed["begin"].get<double>(), 60);
  EXPECT_LE(parsed["since"], parsed["begin"]);
  const auto& frame = parsed["frame"];
  EXPECT_EQ(frame["base"], true);
  EXPECT_EQ(frame["version"], live->cluster->version);
  EXPECT_EQ(frame["columns"].size(), kColumns);
  ASSERT_EQ(frame["rows"].size(), 6U);
  EXPECT_TRUE(frame["rows"][0][1].is_null());  // was not there
  const auto load = frame["rows"][1][1].get<std::int16_t>();
  EXPECT_NEAR(Dequantised(ColumnRows()[0], load), 50, 2);
}

TEST(PastApi, SaysSinceWhenReadingsAreKept) {
  LiveCluster cluster;
  cluster.Steps(20, 10);
  EXPECT_EQ(json::parse(PastJson(*cluster.View(), cluster.Now())), json({{"since", nullptr}}));
  cluster.Steps(200, 10);
  const auto parsed = json::parse(PastJson(*cluster.View(), cluster.Now() - 1h));
  EXPECT_EQ(parsed.size(), 1U);
  EXPECT_TRUE(parsed["since"].is_number());
}

TEST(PastApi, OfAReplayIsTheFrameThatItShows) {
  LiveCluster cluster;
  FrameLog log(1U << 20U);
  EXPECT_EQ(json::parse(PastJson(log, cluster.Now())), json({{"since", nullptr}}));
  for (int i = 0; i < 30; ++i) {
    cluster.Step(10);
    log.Add(cluster.View()->frames.back());
  }
  const auto at = cluster.Now() - 10s;
  const auto parsed = json::parse(PastJson(log, at + 400ms));
  EXPECT_EQ(parsed["frame"]["time"], ToSeconds(at.time_since_epoch()));
  EXPECT_EQ(parsed["begin"], parsed["end"]);
  EXPECT_FALSE(json::parse(PastJson(log, cluster.Now() - 1h)).contains("frame"));
}

}  // namespace
}  // namespace limpet::past_api_test
