#include <gmock/gmock.h>

#include "tests/support/live_cluster.h"

namespace limpet::live_test {
namespace {

using ::testing::ElementsAre;
using testing::LiveCluster;
using ::testing::SizeIs;

TEST(LivePipeline, RosterHasGroupsComponentsAndRoles) {
  LiveCluster cluster;
  const auto version = cluster.Data().RosterVersion();
  cluster.Step(10);
  EXPECT_GT(cluster.Data().RosterVersion(), version);
  const auto roster = cluster.Data().MakeRoster();
  ASSERT_THAT(roster.groups, SizeIs(1));
  EXPECT_THAT(roster.groups[0].components, SizeIs(5));
  EXPECT_EQ(roster.groups[0].components[0].component, "io01/sda");
  EXPECT_EQ(roster.nodes.at("io05").role, "io");
}

TEST(LivePipeline, RatesAreThoseOfTheNewestStep) {
  LiveCluster cluster;
  cluster.Steps(5, 10);
  const auto rates = cluster.Data().Rates(
      {.oldest = cluster.Now() - std::chrono::seconds(5), .latest = cluster.Now()});
  ASSERT_THAT(rates, SizeIs(5));
  EXPECT_NEAR(rates[0].requests, 50, 1e-6);
  EXPECT_NEAR(rates[0].read, 50 * 4096, 1e-3);
  EXPECT_TRUE(IsMissing(rates[0].received));
  // Whoever has been silent for too long shows nothing.
  for (const auto& one : cluster.Data().Rates(
           {.oldest = cluster.Now() + std::chrono::seconds(1), .latest = cluster.Now()})) {
    EXPECT_TRUE(IsMissing(one.requests));
  }
}

// What node_exporter says of a host with two processors, each idle for 80 % of the time.
std::string HostPage(int second, double load1) {
  return fmt::format(
      "node_cpu_seconds_total{{cpu=\"0\",mode=\"idle\"}} {0}\n"
      "node_cpu_seconds_total{{cpu=\"1\",mode=\"idle\"}} {0}\n"
      "node_cpu_seconds_total{{cpu=\"0\",mode=\"user\"}} {1}\n"
      "node_load1 {2}\n",
      0.8 * second, 0.1 * second, load1);
}

TEST(LivePipeline, RatesHaveTheLoadOfHosts) {
  for (const bool profiles : {false, true}) {
    PipelineConfig config{.presets = {testing::LivePreset()}, .groups = {{.name = "disks"}}};
    if (profiles) {
      config.profiles = ProfilePlan{.model = {.metrics = {HostMetric::kLoad1}}, .roles = {"io"}};
    }
    Pipeline pipeline(std::move(config));
    const auto at = [](int second) { return UnixFromSeconds(testing::kLiveBegin + second); };
    for (int second = 1; second <= 4; ++second) {
      (void)testing::IngestPage(pipeline, "io01", at(second), HostPage(second, 2.5));
    }
    const auto rates = pipeline.Rates({.oldest = at(1), .latest = at(4)});
    ASSERT_THAT(rates, SizeIs(1)) << profiles;
    EXPECT_EQ(rates[0].node, "io01");
    EXPECT_NEAR(rates[0].cpu, 0.2, 1e-9);
    EXPECT_EQ(rates[0].load1, 2.5);
    EXPECT_TRUE(IsMissing(rates[0].requests));
    EXPECT_THAT(pipeline.Rates({.oldest = at(9), .latest = at(9)}), SizeIs(0)) << "silent";
  }
}

TEST(LivePipeline, NoBandOfWhatDoesNotExist) {
  LiveCluster cluster;
  cluster.Steps(40, 10);
  BandRequest request{
      .preset = "default", .group = "disks", .metric = "await", .end = cluster.Now()};
  EXPECT_TRUE(cluster.Data().Band(request));
  for (auto* const part : {&request.preset, &request.group, &request.metric}) {
    const auto good = std::exchange(*part, "nothing");
    EXPECT_FALSE(cluster.Data().Band(request));
    *part = good;
  }
}

TEST(LivePipeline, HourlyRowsOfEachPreset) {
  LiveCluster cluster;
  cluster.Steps(40, 80);
  const auto hourly = cluster.Data().Hourly();
  ASSERT_THAT(hourly, SizeIs(1));
  EXPECT_EQ(hourly[0].metric, "await");
  EXPECT_THAT(hourly[0].rows, SizeIs(1));
}

}  // namespace
}  // namespace limpet::live_test
