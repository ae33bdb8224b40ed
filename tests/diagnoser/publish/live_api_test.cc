#include "diagnoser/publish/live_api.h"

#include <gmock/gmock.h>

#include "tests/support/live_cluster.h"

namespace limpet::live_api_test {
namespace {

using nlohmann::json;
using testing::LiveCluster;

class LiveApi : public ::testing::Test {
 protected:
  LiveApi() {
    cluster_.Steps(40, 10);
    cluster_.Steps(40, 80);
  }
  LiveCluster cluster_;
};

TEST_F(LiveApi, ClusterSaysWhoIsThere) {
  const auto parsed = json::parse(
      ClusterJson(*cluster_.View(), {.program = "1.2.3", .grafana = "https://g", .recording = {}}));
  EXPECT_EQ(parsed["program"], "1.2.3");
  EXPECT_EQ(parsed["grafana"], "https://g");
  EXPECT_EQ(parsed["live"], true);
  EXPECT_TRUE(parsed["recording"].is_null());
  ASSERT_EQ(parsed["nodes"].size(), 5U);
  const auto& node = parsed["nodes"][2];
  EXPECT_EQ(node["node"], "io03");
  EXPECT_EQ(node["role"], "io");
  EXPECT_TRUE(node["up"].is_null());
  EXPECT_EQ(node["components"][0]["component"], "io03/sda");
  EXPECT_EQ(node["peer_groups"], json::parse(R"(["disks"])"));
  EXPECT_EQ(parsed["peer_groups"][0]["taking_part"], 5);
  EXPECT_EQ(parsed["presets"][0]["window_seconds"], 10);
  EXPECT_EQ(parsed["causes"][1], "disk-busy");
}

TEST_F(LiveApi, NamesOfAllKindsAreText) {
  cluster_.Keeper().SetKnown({{"<script>\"\n\xff", {.labels = {{"a", std::string(9999, 'x')}}}}});
  cluster_.Step(10);
  const auto parsed = json::parse(ClusterJson(*cluster_.View(), PageFacts()));
  EXPECT_EQ(parsed["nodes"][0]["node"], "<script>\"\n\xef\xbf\xbd");
  EXPECT_TRUE(parsed["grafana"].is_null());
}

TEST_F(LiveApi, VerdictsOfASpan) {
  const auto live = cluster_.View();
  const auto& record = *live->verdicts->front();
  const auto in = [&](UnixTime from, UnixTime to) {
    return json::parse(VerdictHistoryJson(*live, {from, to}))["verdicts"].size();
  };
  EXPECT_EQ(in(UnixTime(), record.begin - std::chrono::seconds(1)), 0U);
  EXPECT_EQ(in(UnixTime(), record.begin), 1U);
  EXPECT_EQ(in(cluster_.Now(), cluster_.Now()), 1U) << "it goes on";
  const auto line = json::parse(VerdictLine(record));
  EXPECT_EQ(line["node"], "io03");
  EXPECT_TRUE(line["end"].is_null());
  EXPECT_EQ(line["id"], record.id);
}

TEST_F(LiveApi, HeatIsRunsOfEqualMinutes) {
  const auto parsed = json::parse(HeatJson(*cluster_.View(), std::nullopt));
  EXPECT_EQ(parsed["steps"], 120);
  EXPECT_EQ(parsed["nodes"].size(), 5U);
  for (const auto& run : parsed["nodes"][2]["runs"]) {
    EXPECT_LE(run[0].get<int>() + run[1].get<int>(), 120);
  }
  const auto minute =
      json::parse(HeatJson(*cluster_.View(), TimeSpan{cluster_.Now(), cluster_.Now()}));
  EXPECT_LE(minute["steps"], 1);
}

TEST_F(LiveApi, TopHasTheHourlyListWhenAskedFor) {
  const auto without = json::parse(TopAllJson(*cluster_.View(), false));
  EXPECT_FALSE(without.contains("hourly"));
  EXPECT_EQ(without["persistent"][0]["component"], "io03/sda");
  EXPECT_EQ(json::parse(TopAllJson(*cluster_.View(), true))["hourly"][0]["metric"], "await");
}

}  // namespace
}  // namespace limpet::live_api_test
