#include "diagnoser/publish/evidence_api.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/live_cluster.h"

namespace limpet::evidence_api_test {
namespace {

using nlohmann::json;
using testing::LiveCluster;

TEST(EvidenceApi, HasTheNumbersOfTheVerdictAndTheWindowsThatMadeThem) {
  LiveCluster cluster;
  cluster.Steps(40, 10);
  cluster.Steps(40, 80);
  const auto live = cluster.View();
  const auto& record = *live->verdicts->front();
  const auto parsed = json::parse(EvidenceJson(*live, record));
  EXPECT_EQ(parsed["verdict"]["id"], record.id);
  const auto& metric = parsed["metrics"][0];
  EXPECT_EQ(metric["metric"], "await");
  EXPECT_EQ(metric["degree"], record.worst.evidence[0].degree);
  EXPECT_EQ(metric["unit"], "ms");
  EXPECT_EQ(metric["windows"].size(), 3U);
  EXPECT_TRUE(metric["windows"].back()["anomalous"]);
  EXPECT_EQ(metric["windows"].back()["end"], parsed["verdict"]["last"]);
  EXPECT_GE(metric["series"]["time"].size(), 10U);
  EXPECT_GE(metric["means"]["time"].size(), 10U);
  EXPECT_TRUE(metric["distributions"].is_object());
  EXPECT_TRUE(parsed["checklist"].back()["decided"]);
}

TEST(EvidenceApi, FindsByIdAndByNodeAndCause) {
  LiveCluster cluster;
  cluster.Steps(40, 10);
  cluster.Steps(40, 80);
  const auto live = cluster.View();
  const auto& record = *live->verdicts->front();
  EXPECT_EQ(FindVerdict(*live, record.id), &record);
  EXPECT_EQ(FindVerdict(*live, "0000000000000000"), nullptr);
  EXPECT_EQ(FindLatestVerdict(*live, "io03", "", std::nullopt), &record);
  EXPECT_EQ(FindLatestVerdict(*live, "io03", "disk-busy", record.begin), &record);
  EXPECT_EQ(FindLatestVerdict(*live, "io03", "disk-hog", std::nullopt), nullptr);
  EXPECT_EQ(FindLatestVerdict(*live, "io03", "", record.begin - std::chrono::seconds(1)), nullptr);
  EXPECT_EQ(FindLatestVerdict(*live, "io01", "", std::nullopt), nullptr);
}

}  // namespace
}  // namespace limpet::evidence_api_test
