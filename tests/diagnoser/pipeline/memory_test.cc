// What a pipeline remembers over a restart, out of its parts and back into them.
#include <gmock/gmock.h>

#include <algorithm>

#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/publish/events.h"
#include "tests/support/disk_pages.h"

namespace limpet::memory_test {
namespace {

using testing::DiskPage;
using ::testing::ElementsAre;
using testing::IngestPage;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Not;
using ::testing::SizeIs;

constexpr std::int64_t kStart = 1'700'000'000 / 64 * 64;
UnixTime At(int second) { return UnixFromSeconds(kStart + second); }

PipelineConfig Config() {
  PipelineConfig config;
  config.presets = {DefaultPreset()};
  config.groups = {{.name = "io", .roles = {"io"}}};
  return config;
}

// Four nodes, the last of them slower and slower from second 128 on.
std::vector<std::string> Feed(Pipeline& pipeline, int from, int to) {
  std::vector<std::string> lines;
  for (int second = from; second <= to; ++second) {
    for (int node = 0; node < 4; ++node) {
      const double more = node == 3 ? std::max(0, second - 128) * 80.0 / std::max(1, second) : 0;
      EXPECT_TRUE(IngestPage(pipeline, "n" + std::to_string(node), At(second),
                             DiskPage(second, 10 + more)));
    }
    for (const auto& event : pipeline.Advance(At(second))) {
      lines.push_back(ToJsonLine(event));
    }
  }
  return lines;
}

TEST(PipelineMemory, OfANewPipelineIsEmpty) {
  Pipeline pipeline(Config());
  const auto state = pipeline.ExportState();
  EXPECT_THAT(state.components, IsEmpty());
  EXPECT_THAT(state.entities, IsEmpty());
  EXPECT_THAT(state.window_ends, IsEmpty());
  EXPECT_FALSE(state.first);
  EXPECT_FALSE(state.profiles) << "they are not configured";
  EXPECT_EQ(Pipeline(Config()).ImportState(state), 0U);
}

TEST(PipelineMemory, StateThatWentOutComesBackTheSame) {
  Pipeline whole(Config());
  (void)Feed(whole, 0, 320);
  const auto state = whole.ExportState();
  const auto rest = Feed(whole, 321, 416);

  Pipeline again(Config());
  EXPECT_EQ(again.ImportState(state), 0U);
  // The samples of one window come anew; its flags and accumulators go on from the state.
  const auto rest_again = Feed(again, 256, 416);
  EXPECT_EQ(rest_again, rest);
}

TEST(PipelineMemory, HoldsNoMoreBinsThanTheNextWindowNeeds) {
  Pipeline pipeline(Config());
  (void)Feed(pipeline, 0, 330);
  const auto state = pipeline.ExportState();
  EXPECT_EQ(state.first, At(0));
  EXPECT_EQ(state.last, At(330));
  ASSERT_EQ(state.window_ends.at("default"), At(320));
  ASSERT_THAT(state.entities, SizeIs(4));
  // A window and what smoothing needs before it, up to 320, and the ten seconds since.
  const auto preset = DefaultPreset();
  EXPECT_THAT(state.entities[0].counters.at(0)->columns.at(0)->values,
              SizeIs(preset.window + preset.smoothing + 10 + 1));
}

TEST(PipelineMemory, TheLastWindowIsSaidAgainAndNotCountedAgain) {
  Pipeline first(Config());
  (void)Feed(first, 0, 330);
  ASSERT_THAT(first.View().verdicts, SizeIs(1));
  Pipeline second(Config());
  EXPECT_EQ(second.ImportState(first.ExportState()), 0U);
  const auto view = second.View();
  ASSERT_THAT(view.verdicts, SizeIs(1));
  EXPECT_EQ(view.verdicts[0].node, "n3");
  EXPECT_EQ(ToJsonLine(view.verdicts[0]), ToJsonLine(first.View().verdicts[0]));
  EXPECT_EQ(view.counters.windows, 0U);
  EXPECT_EQ(view.counters.verdicts, 0U);
}

TEST(PipelineMemory, OfAnotherConfigIsLeftOutPartByPart) {
  PipelineState state;
  state.components.push_back({"default", "io", "await", "a/sda", 7, {}});
  state.components.push_back({"default", "io", "rxbyt", "a/sda", 7, {}});
  state.components.push_back({"fast", "io", "await", "a/sda", 7, {}});
  state.components.push_back({"default", "other", "await", "a/sda", 7, {}});
  state.window_ends["fast"] = At(0);
  Pipeline pipeline(Config());
  EXPECT_EQ(pipeline.ImportState(state), 3U);
  ASSERT_THAT(pipeline.View().components, SizeIs(1));
  EXPECT_EQ(pipeline.View().components[0].accumulator, 7U);
  EXPECT_EQ(pipeline.View().components[0].node, "a");
  EXPECT_EQ(pipeline.View().components[0].device, "sda");
  EXPECT_THAT(pipeline.ExportState().window_ends, IsEmpty());
}

TEST(PipelineMemory, WhoCameSinceTheLastWindowIsRememberedAsNew) {
  auto config = Config();
  config.groups[0].recent = std::chrono::hours(1);
  config.groups.push_back(RecentRule(config.groups[0]));
  Pipeline pipeline(config);
  (void)Feed(pipeline, 0, 70);
  ASSERT_TRUE(IngestPage(pipeline, "late", At(71), DiskPage(71, 10)));
  EXPECT_THAT(
      pipeline.ExportState().first_seen,
      ElementsAre(Key("late/sda"), Key("n0/sda"), Key("n1/sda"), Key("n2/sda"), Key("n3/sda")));
}

TEST(PipelineMemory, ProfilesAndTheirNodesAreInItWhenTheyAreConfigured) {
  auto config = Config();
  config.profiles = ProfilePlan{.model = {.metrics = {HostMetric::kUser},
                                          .sigma = {1},
                                          .profiles = {{.mean = {0}, .covariance = {1}}},
                                          .threshold = 0.5},
                                .roles = {"io"}};
  Pipeline pipeline(config);
  for (int second = 0; second <= 10; ++second) {
    ASSERT_TRUE(IngestPage(pipeline, "a", At(second),
                           fmt::format("limpet_cpu_seconds_total{{mode=\"user\"}} {}\n", second)));
    (void)pipeline.Advance(At(second));
  }
  const auto state = pipeline.ExportState();
  ASSERT_TRUE(state.profiles);
  EXPECT_THAT(state.profiles->nodes, ElementsAre(Key("a")));
  ASSERT_THAT(state.host_entities, Not(IsEmpty()));
  EXPECT_EQ(state.host_entities[0].entity.node, "a");

  Pipeline again(config);
  EXPECT_EQ(again.ImportState(state), 0U);
  const auto once_more = again.ExportState();
  EXPECT_EQ(once_more.profiles->second, state.profiles->second);
  EXPECT_THAT(once_more.host_entities, SizeIs(state.host_entities.size()));
}

}  // namespace
}  // namespace limpet::memory_test
