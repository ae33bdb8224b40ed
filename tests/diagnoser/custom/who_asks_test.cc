#include "diagnoser/custom/who_asks.h"

#include <gtest/gtest.h>

namespace limpet {
namespace {

using std::chrono::seconds;
const UnixTime kStart = UnixTime(std::chrono::hours(500'000));
const UnixTime kNow = kStart + seconds(150);

std::vector<CustomMetric> JobWrites() {
  CustomMetric metric;
  metric.name = "ost_job_writes";
  metric.text = "writes";
  metric.unit = "B/s";
  metric.shape = CustomShape::kCounter;
  metric.series = "lustre_job_write_bytes_total";
  metric.component = {"target"};
  metric.noise_floor = 1e6;
  metric.asks = "jobid";
  return {metric};
}

class WhoAsksTest : public ::testing::Test {
 protected:
  WhoAsksTest()
      : metrics_(JobWrites()),
        readings_(metrics_, {{.step = seconds(1), .max_gap = seconds(5)}}, seconds(4), 32) {}

  // Bytes a second of a job at a target of oss1 or another server.
  void Writes(const std::string& node, const std::string& target, const std::string& job,
              double rate) {
    const auto series =
        readings_.Resolve({.field = {EntityKind::kCustom},
                           .name = "lustre_job_write_bytes_total",
                           .labels = {{"component", "ost"}, {"target", target}, {"jobid", job}},
                           .source = {.node = node, .role = "oss", .labels = {}},
                           .target = node});
    ASSERT_TRUE(series);
    for (auto at = kStart; at <= kNow; at += seconds(15)) {
      readings_.Add(*series, at, rate * ToSeconds(at - kStart));
    }
  }
  std::vector<std::string> Texts(const std::string& component) {
    VerdictEvent verdict;
    verdict.node = "oss1";
    verdict.evidence = {{.component = component, .metric = "await"}};
    std::vector<std::string> texts;
    for (const auto& fact : FindWhoAsks(FindAsked(readings_, {}, kNow), verdict, kNow)) {
      EXPECT_EQ(fact.fact, kWhoAsksFact);
      texts.push_back(fact.text);
    }
    return texts;
  }

  std::vector<CustomMetric> metrics_;
  CustomReadings readings_;
};

TEST_F(WhoAsksTest, TheJobThatMovesMostAtTheSickComponent) {
  Writes("oss1", "OST0003", "4711", 2.1e9);
  Writes("oss1", "OST0003", "4712", 0.9e9);
  Writes("oss1", "OST0004", "9", 5e9);
  Writes("oss2", "OST0003", "8", 9e9);
  EXPECT_EQ(Texts("oss1/OST0003"),
            std::vector<std::string>{"jobid 4711 writes 2.1 GB/s of OST0003, 70 % of it"});
}

TEST_F(WhoAsksTest, WhereTheEvidenceNamesNoneOfThemAllOfTheNode) {
  Writes("oss1", "OST0003", "4711", 30e6);
  Writes("oss1", "OST0003", "4712", 10e6);
  Writes("oss1", "OST0004", "9", 5e6);
  EXPECT_EQ(Texts("oss1/sdb"),
            (std::vector<std::string>{"jobid 9 writes 5.0 MB/s of OST0004, 100 % of it",
                                      "jobid 4711 writes 30.0 MB/s of OST0003, 75 % of it"}));
}

TEST_F(WhoAsksTest, NextToNothingIsNotTold) {
  Writes("oss1", "OST0003", "4711", 0.5e6);
  EXPECT_TRUE(Texts("oss1/OST0003").empty());
  EXPECT_TRUE(Texts("oss1/sdb").empty());
}

TEST_F(WhoAsksTest, ThousandsOfJobsComeAndGo) {
  for (int day = 0; day < 3; ++day) {
    for (int job = 0; job < 2000; ++job) {
      Writes("oss1", "OST0003", std::to_string(10'000 * day + job), 1);
    }
    ASSERT_EQ(readings_.CellsOf(0).size(), 1U);
    readings_.Tidy(kNow + seconds(1));
    EXPECT_EQ(readings_.Components(), 0U);
  }
  EXPECT_EQ(readings_.Drops().no_room, 0U);
}

}  // namespace
}  // namespace limpet
