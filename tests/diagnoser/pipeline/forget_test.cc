// What leaves a pipeline, and when: forget.cc.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <string>

#include "diagnoser/pipeline/pipeline.h"
#include "tests/support/disk_pages.h"

namespace limpet::forget_test {
namespace {

using ::testing::Contains;
using testing::DiskPage;
using ::testing::Field;
using testing::IngestPage;
using ::testing::Not;

constexpr std::int64_t kStart = 1'700'000'000 / 64 * 64;

UnixTime At(double second) {
  return UnixFromMilliseconds(kStart * 1000 + std::llround(second * 1000));
}

PipelineConfig Config() {
  PipelineConfig config;
  config.presets = {DefaultPreset()};
  config.groups = {{.name = "io", .roles = {"io"}}};
  return config;
}

TEST(Forget, DisksThatComeAndGoDoNotPileUp) {
  auto config = Config();
  config.limits.max_components = 60;
  Pipeline pipeline(config);
  for (int hour = 0; hour < 100; ++hour) {
    for (int second = 0; second < 10; ++second) {
      const double at = hour * 3600.0 + second;
      const auto stats =
          IngestPage(pipeline, "a", At(at), DiskPage(at, 10, "sd" + std::to_string(hour)));
      ASSERT_TRUE(stats);
      ASSERT_EQ(stats->mapped, 8U) << "hour " << hour;
      (void)pipeline.Advance(At(at));
    }
    (void)pipeline.Advance(At(hour * 3600.0 + 3599));
  }
  EXPECT_LE(pipeline.View().counters.components, 10U);
}

// 20 new disks a second on one node, each for a second; meanwhile one of another node's.
TEST(Forget, ANodeWhoseDisksChangeAllTheTimeCostsTheOthersNothing) {
  auto config = Config();
  config.limits.max_devices_per_node = 100;
  Pipeline pipeline(config);
  int next = 0;
  for (int second = 0; second < 1800; ++second) {
    std::string page;
    for (int disk = 0; disk < 20; ++disk) {
      page += DiskPage(second, 10, "sd" + std::to_string(next++));
    }
    const auto hostile = IngestPage(pipeline, "a", At(second), page);
    ASSERT_TRUE(hostile);
    EXPECT_EQ(hostile->over_limit > 0, second >= 5 && hostile->mapped < 160U) << second;
    ASSERT_EQ(IngestPage(pipeline, "b", At(second), DiskPage(second, 10, "sda"))->mapped, 8U);
    (void)pipeline.Advance(At(second));
    ASSERT_LE(pipeline.Counters().components, 101U);
    ASSERT_LE(pipeline.Counters().series, 21'000U) << "128 pages of 160 series";
  }
  const auto state = pipeline.ExportState();
  EXPECT_LE(state.entities.size(), 101U);
  EXPECT_LE(state.components.size(), 101U * 20U);
}

TEST(Forget, ANodeThatIsWellAgainHasRoomWithinMinutes) {
  auto config = Config();
  config.limits.max_devices_per_node = 10;
  Pipeline pipeline(config);
  std::string many;
  for (int disk = 0; disk < 20; ++disk) {
    many += DiskPage(0, 10, "old" + std::to_string(disk));
  }
  ASSERT_EQ(IngestPage(pipeline, "a", At(0), many)->over_limit, 10U * 8U);
  (void)pipeline.Advance(At(0));
  IngestStats last;
  for (int second = 1; second < 600; ++second) {
    last = *IngestPage(pipeline, "a", At(second), DiskPage(second, 10, "new"));
    (void)pipeline.Advance(At(second));
  }
  EXPECT_EQ(last.mapped, 8U);
  EXPECT_EQ(last.over_limit, 0U);
  EXPECT_EQ(pipeline.Counters().components, 1U);
}

// Three nodes; the disk sdb of the last one is there for the first five minutes only.
TEST(Forget, WhatIsRememberedOfADiskThatIsGoneStaysForADay) {
  Pipeline pipeline(Config());
  const auto play = [&](int from, int until) {
    for (int second = from; second < until; ++second) {
      for (const auto* node : {"a", "b", "c"}) {
        ASSERT_TRUE(IngestPage(pipeline, node, At(second), DiskPage(second, 10, "sda")));
      }
      if (second < 300) {
        ASSERT_TRUE(IngestPage(pipeline, "c", At(second), DiskPage(second, 10, "sdb")));
      }
      (void)pipeline.Advance(At(second));
    }
  };
  const auto is_sdb = Contains(Field(&ComponentState::component, "c/sdb"));
  play(0, 600);
  EXPECT_THAT(pipeline.ExportState().components, is_sdb);
  play(20 * 3600, 20 * 3600 + 10);
  EXPECT_THAT(pipeline.ExportState().components, is_sdb);
  play(26 * 3600, 26 * 3600 + 10);
  EXPECT_THAT(pipeline.ExportState().components, Not(is_sdb));
}

}  // namespace
}  // namespace limpet::forget_test
