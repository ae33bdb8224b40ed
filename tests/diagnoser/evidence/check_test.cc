#include <gmock/gmock.h>

#include "diagnoser/pipeline/pipeline.h"

namespace limpet::check_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

PipelineConfig Good() {
  PipelineConfig config;
  config.presets = {TestbenchPreset(), DefaultPreset()};
  config.groups = {{.name = "io", .device = "^sd"}};
  return config;
}

TEST(CheckPipelineConfig, AcceptsTheDefaults) {
  EXPECT_THAT(CheckPipelineConfig(Good()), IsEmpty());
}

TEST(CheckPipelineConfig, NamesWhatIsWrong) {
  auto config = Good();
  config.presets[0].k = 0;
  config.presets[0].window = 4;
  EXPECT_THAT(CheckPipelineConfig(config),
              ElementsAre("presets.testbench.window: expected at least 5, got 4",
                          "presets.testbench.k: expected at least 1, got 0"));
}

TEST(CheckPipelineConfig, RefusesNamesThatAreTaken) {
  auto config = Good();
  config.presets.push_back(DefaultPreset());
  config.groups.push_back(config.groups.front());
  const auto problems = CheckPipelineConfig(config);
  EXPECT_THAT(problems, Contains(HasSubstr("presets.default: the name is taken")));
  EXPECT_THAT(problems, Contains(HasSubstr("groups.io")));
}

TEST(CheckPipelineConfig, RefusesThresholdsOfAnotherPreset) {
  auto config = Good();
  config.thresholds.push_back({.preset = "production", .components = {}, .cwnd = {}});
  EXPECT_THAT(CheckPipelineConfig(config), ElementsAre(HasSubstr("\"production\"")));
}

TEST(CheckPipelineConfig, RefusesExpressionsAndGroupsWithoutPorts) {
  auto config = Good();
  config.groups[0].device = "([";
  config.groups.push_back({.name = "tcp", .kind = GroupKind::kCwnd});
  EXPECT_THAT(CheckPipelineConfig(config),
              ElementsAre(HasSubstr("groups.io.device"), HasSubstr("groups.tcp.ports")));
}

}  // namespace
}  // namespace limpet::check_test
