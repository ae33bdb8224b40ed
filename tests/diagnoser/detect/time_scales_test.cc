#include "diagnoser/detect/time_scales.h"

#include <gmock/gmock.h>

#include "diagnoser/detect/default_presets.h"

namespace limpet::time_scales_test {
namespace {

using namespace std::chrono_literals;

TEST(TimeScales, AShorterWindowHasToBeMoreExtreme) {
  for (const auto& base : {DefaultPreset(), DefaultPresetFor(5s), SlowDefaultPreset()}) {
    auto window = base.window;
    auto factor = base.threshold_factor;
    const auto scales = BuiltInScales(base.step);
    // From the longest to the shortest.
    for (auto scale = scales.rbegin(); scale != scales.rend(); ++scale) {
      EXPECT_LT(scale->window, window) << base.name << scale->name;
      EXPECT_GT(scale->threshold_factor, factor) << base.name << scale->name;
      window = scale->window;
      factor = scale->threshold_factor;
    }
  }
}

// What the README's table says.
TEST(FindNamingTime, FollowsFromTheWindows) {
  const auto fast = FindNamingTime(ScalePreset(DefaultPreset(), "fast"));
  EXPECT_EQ(fast.usual, 22s);
  EXPECT_EQ(fast.most, 32s);
  EXPECT_DOUBLE_EQ(fast.times, 1.75);
  const auto at_15s = FindNamingTime(ScalePreset(SlowDefaultPreset(), "fast"));
  EXPECT_EQ(at_15s.usual, 165s);
  EXPECT_EQ(at_15s.most, 240s);
  EXPECT_DOUBLE_EQ(at_15s.times, 2);
  EXPECT_DOUBLE_EQ(FindNamingTime(ScalePreset(SlowDefaultPreset(), "middle")).times, 1.625);
  EXPECT_EQ(FindNamingTime(SlowDefaultPreset()).most, 75min);
}

TEST(TimeScales, TheFastOneNamesAStrongFaultWithinHalfAMinute) {
  const auto fast = ScalePreset(DefaultPreset(), "fast");
  const auto shifts = static_cast<Duration::rep>(fast.k);
  // When half of a window with the fault in it is enough: k windows, one shift apart.
  EXPECT_LE(fast.step * static_cast<Duration::rep>(fast.window) / 2 + fast.Shift() * shifts, 30s);
}

TEST(TimeScales, AScaleHasItsPresetsSettingsButForItsWindows) {
  auto base = DefaultPreset();
  base.name = "mine";
  base.rho = 5;
  base.threshold_factor = 2;
  base.cwnd_events = true;
  const auto scale = ScalePreset(base, "fast");
  EXPECT_EQ(scale.name, "mine/fast");
  EXPECT_TRUE(scale.IsScale());
  EXPECT_FALSE(base.IsScale());
  EXPECT_EQ(scale.scale_of, (ScaleOf{.preset = "mine", .scale = "fast"}));
  EXPECT_EQ(scale.window, FindScale("fast", 1s)->window);
  EXPECT_EQ(scale.threshold_factor, 2 * FindScale("fast", 1s)->threshold_factor);
  EXPECT_EQ(scale.rho, 5);
  EXPECT_EQ(scale.step, base.step);
  EXPECT_EQ(scale.MaxGap(), base.MaxGap());
  EXPECT_FALSE(scale.cwnd_events) << "every second would be printed twice";
}

TEST(TimeScales, AScaleOfAnotherNameBeginsWithItsPresetsNumbers) {
  const auto base = DefaultPreset();
  const auto scale = ScalePreset(base, "mine");
  EXPECT_EQ(FindScale("mine", 1s), nullptr);
  EXPECT_EQ(scale.window, base.window);
  EXPECT_EQ(scale.threshold_factor, base.threshold_factor);
}

}  // namespace
}  // namespace limpet::time_scales_test
