#include "diagnoser/publish/activity_api.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <string>

#include "tests/support/live_cluster.h"

namespace limpet::activity_api_test {
namespace {

using nlohmann::json;
using std::chrono::seconds;
using testing::LiveCluster;

class ActivityApi : public ::testing::Test {
 protected:
  // io03 tells of its disk and its programs: ten small writes of 4 KiB and 20 ms a second.
  ActivityApi() {
    for (int second = 0; second < 31; ++second) {
      const auto count = std::to_string(10 * second);
      const std::string disk = R"({device="sda",operation="write",)";
      std::string page = "limpet_block_requests_total" + disk + R"(size="small"} )" + count + "\n";
      page += "limpet_block_request_seconds_total" + disk + R"(size="small"} )" +
              std::to_string(0.2 * second) + "\n";
      page += "limpet_block_requests_total" + disk + R"(size="large"} 0)" + "\n";
      page += "limpet_block_request_bytes_bucket" + disk + R"(le="2048"} 0)" + "\n";
      page += "limpet_block_request_bytes_bucket" + disk + R"(le="4096"} )" + count + "\n";
      page +=
          "limpet_syscall_operation_seconds_count"
          R"({process="x",process_role="server",operation="open"} )" +
          count + "\n";
      (void)testing::IngestPage(cluster_.Data(), "io03", cluster_.Now(), page);
      cluster_.Step(10);
    }
  }
  [[nodiscard]] json Get(const std::string& node, std::optional<UnixTime> from = {},
                         std::optional<UnixTime> to = {}) {
    const auto text = ActivityJson(*cluster_.View(), node, from, to);
    return text ? json::parse(*text) : json();
  }
  LiveCluster cluster_;
};

TEST_F(ActivityApi, TellsOfDisksAndOperations) {
  const auto parsed = Get("io03");
  const auto& writes = parsed["disks"]["write"];
  EXPECT_NEAR(writes["small"]["rate"].get<double>(), 10, 0.01);
  EXPECT_NEAR(writes["small"]["seconds"].get<double>(), 0.02, 1e-4);
  EXPECT_TRUE(writes["large"]["seconds"].is_null());
  EXPECT_EQ(writes["sizes"].size(), parsed["disks"]["edges"].size() + 1);
  EXPECT_EQ(parsed["disks"]["edges"][3], 4096);
  EXPECT_NEAR(writes["sizes"][3].get<double>(), 10, 0.01);
  ASSERT_EQ(parsed["operations"].size(), 1U);
  EXPECT_EQ(parsed["operations"][0]["operation"], "open");
  EXPECT_NEAR(parsed["operations"][0]["rate"].get<double>(), 10, 0.01);
  for (const auto& [name, series] : parsed["history"].items()) {
    EXPECT_EQ(series.size(), parsed["history"]["time"].size()) << name;
  }
  EXPECT_NEAR(parsed["history"]["metadata"].back().get<double>(), 10, 0.01);
}

TEST_F(ActivityApi, OnlyTheSpanAskedFor) {
  const auto all = Get("io03")["history"]["time"];
  const auto to = cluster_.Now() - seconds(12);
  const auto some = Get("io03", cluster_.Now() - seconds(20), to);
  EXPECT_LT(some["history"]["time"].size(), all.size());
  EXPECT_LE(some["time"].get<double>(), ToSeconds(to.time_since_epoch()));
}

TEST_F(ActivityApi, WhatIsNotKnownIsEmpty) {
  const auto quiet = Get("io01");
  EXPECT_TRUE(quiet["disks"].is_null());
  EXPECT_TRUE(quiet["operations"].empty());
  EXPECT_TRUE(quiet["history"]["time"].empty());
  EXPECT_TRUE(Get("stranger").is_null());
  EXPECT_TRUE(Get("io03", std::nullopt, UnixFromSeconds(1))["time"].is_null());
}

TEST_F(ActivityApi, FramesHaveTheLatencyAndTheOperations) {
  const auto& frame = *cluster_.View()->frames.back();
  const auto row = frame.Row(*frame.cluster->Find("io03"));
  const auto value = [&](Column column) { return row[static_cast<std::size_t>(column)]; };
  EXPECT_EQ(value(Column::kMetadata),
            Quantised(ColumnRows()[static_cast<std::size_t>(Column::kMetadata)], 10));
  EXPECT_GT(value(Column::kSmallWrites), 0);
  EXPECT_EQ(value(Column::kLargeWrites), kUnknown);
  EXPECT_EQ(frame.Row(*frame.cluster->Find("io01"))[static_cast<std::size_t>(Column::kMetadata)],
            kUnknown);
}

}  // namespace
}  // namespace limpet::activity_api_test
