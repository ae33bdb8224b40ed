#include "diagnoser/evidence/setup.h"

#include <gmock/gmock.h>

#include "diagnoser/detect/time_scales.h"

namespace limpet::setup_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(Grids, TimeScalesShareThatOfTheirPreset) {
  PipelineConfig config;
  const auto base = DefaultPreset();
  auto coarse = ScalePreset(base, "coarse");
  coarse.step = 15s;
  auto coarser = coarse;
  coarser.name += "r";
  coarser.window = 1000;
  config.presets = {base, ScalePreset(base, "fast"), coarse, coarser};
  EXPECT_THAT(GridNumbers(config), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(GridOwners(config), ElementsAre(0, 2));
  const auto grids = MakeGrids(config);
  ASSERT_THAT(grids, SizeIs(2));
  EXPECT_EQ(grids[0].step, 1s);
  EXPECT_GE(grids[1].capacity, 1000U) << "the longest window of those that share it";
}

// Saved state knows the columns of each preset by its name.
TEST(Grids, PresetsDoNotShareThem) {
  PipelineConfig config;
  auto other = DefaultPreset();
  other.name = "other";
  config.presets = {DefaultPreset(), other, ScalePreset(other, "fast")};
  EXPECT_THAT(GridNumbers(config), ElementsAre(0, 1, 1));
  EXPECT_THAT(GridOwners(config), ElementsAre(0, 1));
}

}  // namespace
}  // namespace limpet::setup_test
