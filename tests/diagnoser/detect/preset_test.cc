#include "diagnoser/detect/preset.h"

#include <gmock/gmock.h>

namespace limpet::preset_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Preset, NamesFindTheirSettings) {
  EXPECT_EQ(PresetByName("testbench")->distance, DistanceKind::kKl);
  EXPECT_EQ(PresetByName("production")->step, seconds(15));
  EXPECT_EQ(PresetByName("default")->distance, DistanceKind::kW1);
  EXPECT_EQ(PresetByName("default-15s")->shift, 60U);
  EXPECT_EQ(PresetByName("bare")->cwnd_f, 0.5);
  EXPECT_EQ(PresetByName("bare-15s")->step, seconds(15));
  EXPECT_FALSE(PresetByName("fast"));
}

TEST(Preset, TheLongestGapFollowsTheStep) {
  EXPECT_EQ(TestbenchPreset().MaxGap(), seconds(5));
  EXPECT_EQ(ProductionPreset().MaxGap(), milliseconds(37'500));
  auto preset = TestbenchPreset();
  preset.max_gap = seconds(2);
  EXPECT_EQ(preset.MaxGap(), seconds(2));
}

TEST(Preset, UntrainedThresholds) {
  EXPECT_EQ(TestbenchPreset().DefaultThreshold("await"), 2.0);
  EXPECT_EQ(ProductionPreset().DefaultThreshold("await"), 10.0);
  EXPECT_EQ(DefaultPreset().DefaultThreshold("await"), 1.0);
  auto preset = TestbenchPreset();
  preset.default_thresholds["await"] = 3;
  EXPECT_EQ(preset.DefaultThreshold("await"), 3);
  EXPECT_EQ(preset.DefaultThreshold("tps"), 2);
}

}  // namespace
}  // namespace limpet::preset_test
