#include "diagnoser/publish/api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace limpet::api_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

TargetStatus Status(const std::string& node) {
  TargetStatus status;
  status.target = std::make_shared<const Target>(
      Target{.node = node, .role = "server", .endpoint = {.host = node}});
  return status;
}

FetchResult Fetched() {
  return {.body = "1234",
          .asked_at = UnixFromMilliseconds(1'700'000'000'250),
          .took = std::chrono::milliseconds(12)};
}

TEST(Api, TargetsSayHowTheirScrapesGo) {
  auto good = Status("a");
  RecordSuccess(good, Fetched(), 7);
  auto bad = Status("b\xff");
  RecordFailure(bad, Fetched(), FetchFailure::kTimeout, "not done within 0.9 s");
  const auto parsed = json::parse(TargetsJson(std::vector{good, bad, Status("c")}));
  const auto& targets = parsed.at("targets");
  EXPECT_EQ(targets[0]["node"], "a");
  EXPECT_EQ(targets[0]["url"], "http://a:9836/metrics");
  EXPECT_EQ(targets[0]["up"], true);
  EXPECT_EQ(targets[0]["samples"], 7);
  EXPECT_EQ(targets[0]["last_scrape"], 1'700'000'000.25);
  EXPECT_EQ(targets[0]["scrape_duration_seconds"], 0.012);
  EXPECT_EQ(targets[1]["up"], false);
  EXPECT_EQ(targets[1]["reason"], "timeout");
  EXPECT_EQ(targets[1]["error"], "not done within 0.9 s");
  EXPECT_EQ(targets[1]["consecutive_failures"], 1);
  EXPECT_TRUE(targets[2]["last_scrape"].is_null());
}

TEST(Api, GroupsSayWhoIsMissing) {
  PipelineView view;
  view.groups = {{.preset = "default",
                  .group = "disks",
                  .window_end = UnixFromSeconds(1'700'000'032),
                  .taking_part = 9,
                  .missing = 2,
                  .masked = 1},
                 {.preset = "default", .group = "lan"}};
  view.metrics = {
      {.preset = "default", .group = "disks", .metric = "await", .storm = true},
      {.preset = "default", .group = "disks", .metric = "rd_sec"},
      {.preset = "default", .group = "lan", .metric = "rxbyt", .bimodal = true},
  };
  const auto groups = json::parse(GroupsJson(view)).at("groups");
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0]["peer_group"], "disks");
  EXPECT_EQ(groups[0]["window_end"], 1'700'000'032);
  EXPECT_EQ(groups[0]["taking_part"], 9);
  EXPECT_EQ(groups[0]["missing"], 2);
  EXPECT_EQ(groups[0]["masked"], 1);
  EXPECT_EQ(groups[0]["storms"], json({"await"}));
  EXPECT_TRUE(groups[1]["window_end"].is_null());
  EXPECT_TRUE(groups[1]["storms"].empty());
}

TEST(Api, VerdictsSayWhy) {
  PipelineView view;
  view.verdicts = {{.end = UnixFromSeconds(1'700'000'096),
                    .since = UnixFromSeconds(1'700'000'007),
                    .named = UnixFromSeconds(1'700'000'032),
                    .preset = "default",
                    .node = "a",
                    .cause = Cause::kDiskBusy,
                    .rank = 1,
                    .degree = 4.5,
                    .luns = {{"a/sda", LunKind::kComponent}},
                    .evidence = {{.component = "a/sda",
                                  .group = "disks",
                                  .metric = "await",
                                  .degree = 4.5,
                                  .threshold = 1,
                                  .direction = Direction::kHigh,
                                  .effect = 1.5,
                                  .mean = 25,
                                  .peer_median = 10}}}};
  const auto verdict = json::parse(VerdictsJson(view)).at("verdicts").at(0);
  EXPECT_EQ(verdict["node"], "a");
  EXPECT_EQ(verdict["cause"], "disk-busy");
  EXPECT_EQ(verdict["indicted"], true);
  EXPECT_EQ(verdict["since"], 1'700'000'007);
  EXPECT_EQ(verdict["named"], 1'700'000'032);
  EXPECT_EQ(verdict["window_end"], 1'700'000'096);
  EXPECT_EQ(verdict["luns"]["a/sda"], "component");
  EXPECT_EQ(verdict["evidence"][0]["direction"], "high");
  EXPECT_EQ(verdict["evidence"][0]["text"], "await of a/sda 2.50\u00d7 its peers, +15.0 ms");
  EXPECT_EQ(verdict["evidence"][0]["threshold_origin"], "default");
  EXPECT_TRUE(verdict["evidence"][0]["far"].is_null());
  EXPECT_TRUE(json::parse(VerdictsJson(view)).at("storms").empty());
  view.storms = {{.preset = "default",
                  .group = "io",
                  .metric = "await",
                  .n = 9,
                  .flagged = 3,
                  .components = {"a/sda"}}};
  view.bimodality = {{.preset = "default", .group = "io", .metric = "await", .label = "model"}};
  const auto more = json::parse(VerdictsJson(view));
  EXPECT_EQ(more["storms"][0]["flagged"], 3);
  EXPECT_THAT(std::string(more["storms"][0]["text"]), HasSubstr("await of 3 of 9 components"));
  EXPECT_EQ(more["doctor"][0]["label"], "model");
}

TEST(VerdictsJson, ReadBytesAreBytes) {
  PipelineView view;
  view.verdicts = {{.node = "a",
                    .cause = Cause::kDiskHog,
                    .evidence = {{.metric = "rd_sec", .mean = 2000, .peer_median = 10}}}};
  const auto verdict = json::parse(VerdictsJson(view)).at("verdicts").at(0);
  EXPECT_EQ(verdict["evidence"][0]["metric"], "read_bytes");
  EXPECT_EQ(verdict["evidence"][0]["mean"], 2000 * 512);
  EXPECT_EQ(verdict["evidence"][0]["peer_median"], 10 * 512);
}

TEST(TargetStatus, FailuresInARowEndWithASuccess) {
  auto status = Status("a");
  RecordFailure(status, Fetched(), FetchFailure::kConnect, "refused");
  RecordFailure(status, Fetched(), FetchFailure::kConnect, "refused");
  EXPECT_EQ(status.failures_in_a_row, 2U);
  RecordSuccess(status, Fetched(), 1);
  EXPECT_EQ(status.failures_in_a_row, 0U);
  EXPECT_TRUE(status.up);
  EXPECT_EQ(status.error, "");
  EXPECT_EQ(status.scrapes, 3U);
}

}  // namespace
}  // namespace limpet::api_test
