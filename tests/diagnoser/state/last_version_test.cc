// A state file that version 0.1.0 has written (tests/fixtures/README.md) is read as it is meant.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <tuple>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/state/codec.h"

namespace limpet::last_version_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

// What it was configured with.
PipelineConfig Config() {
  auto quick = BarePreset();
  quick.name = "quick";
  quick.smoothing = 1;
  quick.window = 8;
  quick.shift = 4;
  quick.k = 1;
  auto histogram = TestbenchPreset();
  histogram.name = "histogram";
  histogram.window = 8;
  histogram.shift = 4;
  histogram.k = 2;
  const PeerGroupRule disks{.name = "disks", .recent = std::chrono::hours(1)};
  PipelineConfig config;
  config.presets = {quick, histogram};
  config.groups = {disks,
                   RecentRule(disks),
                   {.name = "lan", .kind = GroupKind::kNetwork},
                   {.name = "tcp", .kind = GroupKind::kCwnd, .ports = {24007}}};
  config.profiles = ProfilePlan{.model = {.metrics = {HostMetric::kUser},
                                          .sigma = {1},
                                          .profiles = {{.mean = {2.4}, .covariance = {0.05}},
                                                       {.mean = {4}, .covariance = {0.05}}},
                                          .threshold = 0.3},
                                .roles = {"server"}};
  return config;
}

std::string File() {
  std::ostringstream bytes;
  bytes << std::ifstream("tests/fixtures/state/v0.1.0.state", std::ios::binary).rdbuf();
  return bytes.str();
}

TEST(StateOfTheLastVersion, NothingOfItIsIgnored) {
  const auto read = DecodeState(File(), Config());
  ASSERT_TRUE(read) << read.error().Text();
  EXPECT_THAT(read->ignored, IsEmpty());
  EXPECT_THAT(read->state.window_ends, SizeIs(2));
  EXPECT_THAT(read->state.cwnd, SizeIs(1));
  EXPECT_THAT(read->state.exporter_starts, SizeIs(4));
  EXPECT_THAT(read->state.first_seen, SizeIs(4));
  ASSERT_TRUE(read->state.profiles);
  EXPECT_THAT(read->state.profiles->nodes, SizeIs(4));
  std::uint32_t accumulator = 0;
  for (const auto& component : read->state.components) {
    if (component.preset == "quick" && component.metric == "await" && component.accumulator > 0) {
      EXPECT_EQ(component.component, "io03/sda");
      accumulator = component.accumulator;
    }
  }
  EXPECT_EQ(accumulator, 6U);
  Pipeline pipeline(Config());
  EXPECT_EQ(pipeline.ImportState(read->state), 0U);
}

TEST(StateOfTheLastVersion, IsWrittenAgainByteForByte) {
  auto read = DecodeState(File(), Config());
  ASSERT_TRUE(read);
  // The part of episodes is in the order in which a pipeline exports its components.
  const auto key = [](const ComponentState& one) {
    const int preset = one.preset == "quick" ? 0 : 1;
    const auto group = one.group == "disks" ? 0 : one.group == "disks-recent" ? 1 : 2;
    return std::tuple(preset, one.group == "tcp" ? 3 : group, one.component, one.metric);
  };
  std::ranges::sort(read->state.components, {}, key);
  EXPECT_TRUE(EncodeState(read->state, Config()) == File());
}

}  // namespace
}  // namespace limpet::last_version_test
