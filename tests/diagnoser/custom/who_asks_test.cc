#include "diagnoser/custom/who_asks.h"

#include <gtest/gtest.h>

namespace limpet::who_asks_test {
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
    for (const auto& fact : FindWhoAsks(FindAsked(readings_, nodes_, kNow), verdict, kNow)) {
      EXPECT_EQ(fact.fact, kWhoAsksFact);
      texts.push_back(fact.text);
    }
    return texts;
  }

  std::vector<CustomMetric> metrics_;
  CustomReadings readings_;
  NodeNames nodes_;
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

TEST_F(WhoAsksTest, AnAddressIsCalledByTheNameOfItsNode) {
  Writes("oss1", "OST0003", "192.0.2.7", 30e6);
  nodes_.AddAlias("192.0.2.7", "c07");
  EXPECT_EQ(Texts("oss1/OST0003"),
            std::vector<std::string>{"jobid c07 writes 30.0 MB/s of OST0003, 100 % of it"});
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

// What clients say of one export of a server: a mean that is added up.
class WaitingClientsTest : public ::testing::Test {
 protected:
  static std::vector<CustomMetric> ReadTimes() {
    CustomMetric metric;
    metric.name = "nfs_read_time";
    metric.text = "time of a read";
    metric.unit = "s";
    metric.shape = CustomShape::kMean;
    metric.series = "waited_total";
    metric.count = "reads_total";
    metric.component = {"export"};
    metric.node = {.join = {}, .label = "server"};
    metric.add_up = true;
    return {metric};
  }
  WaitingClientsTest()
      : metrics_(ReadTimes()),
        readings_(metrics_, {{.step = seconds(1), .max_gap = seconds(5)}}, seconds(4), 32) {}

  // A client that reads so often a second, and waits so long for each.
  void Reads(const std::string& client, double rate, double wait) {
    for (const auto& [name, rise] :
         {std::pair("waited_total", rate * wait), {"reads_total", rate}}) {
      const auto series =
          readings_.Resolve({.field = {EntityKind::kCustom},
                             .name = name,
                             .labels = {{"export", "/data"}, {"server", "nfs2"}},
                             .source = {.node = client, .role = "client", .labels = {}},
                             .target = client});
      ASSERT_TRUE(series);
      for (auto at = kStart; at <= kNow; at += seconds(15)) {
        readings_.Add(*series, at, rise * ToSeconds(at - kStart));
      }
    }
  }
  std::vector<std::string> Texts() {
    VerdictEvent verdict;
    verdict.node = "nfs2";
    verdict.evidence = {{.component = "nfs2//data", .metric = "nfs_read_time"}};
    std::vector<std::string> texts;
    for (const auto& fact : FindWhoAsks(FindAsked(readings_, nodes_, kNow), verdict, kNow)) {
      EXPECT_EQ(fact.fact, kWaitingClientsFact);
      texts.push_back(fact.text);
    }
    return texts;
  }

  std::vector<CustomMetric> metrics_;
  CustomReadings readings_;
  NodeNames nodes_;
};

TEST_F(WaitingClientsTest, ThoseThatWaitLongestAndTheBusiest) {
  for (int i = 1; i <= 6; ++i) {
    Reads("c0" + std::to_string(i), 10, 0.001 * i);
  }
  Reads("c07", 40, 0.001);
  EXPECT_EQ(Texts(),
            std::vector<std::string>{
                "time of a read: c06 6 ms, c05 5 ms, c04 4 ms, c03 3 ms, c02 2 ms; all 7 2.5 "
                "ms; c07 sends 40 % of the requests"});
}

TEST_F(WaitingClientsTest, WhoHardlyAsksIsNotSaidToWait) {
  Reads("c01", 10, 0.002);
  Reads("c02", 10, 0.003);
  Reads("c03", 0.01, 9);
  EXPECT_EQ(Texts(), std::vector<std::string>{
                         "time of a read: c02 3 ms, c01 2 ms; all 2 2.5 ms; c01 sends 50 % of the "
                         "requests"});
}

TEST_F(WaitingClientsTest, TheOnlyClientIsNoNews) {
  Reads("c01", 10, 0.002);
  EXPECT_TRUE(Texts().empty());
}

TEST_F(WaitingClientsTest, ClientsThatAreGoneLeaveNoRoomTaken) {
  for (int i = 0; i < 300; ++i) {
    Reads("c" + std::to_string(i), 10, 0.002);
  }
  readings_.Tidy(kNow + seconds(1));
  EXPECT_EQ(readings_.Components(), 0U);
  EXPECT_TRUE(Texts().empty());
}

}  // namespace
}  // namespace limpet::who_asks_test
