#include <gmock/gmock.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "diagnoser/detect/preset_fields.h"

namespace limpet::preset_text_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using namespace std::chrono_literals;

const PresetField& Field(std::string_view key) {
  for (const auto& field : PresetFields()) {
    if (field.key == key) {
      return field;
    }
  }
  throw std::logic_error("no such key");
}

std::string Printed(std::string_view key, const PresetSettings& preset) {
  return PrintValue(Field(key), preset);
}

// "ok" when the value is within its bounds.
std::string Problem(std::string_view key, const PresetSettings& preset) {
  return FindRangeProblem(Field(key), preset).value_or("ok");
}

TEST(PrintValue, OfEachKindAsYamlWritesIt) {
  auto preset = DefaultPreset();
  preset.window = 64;
  preset.training_scale = 1.25;
  preset.ranking = true;
  preset.svctm_gate = SvctmGate::kAlways;
  EXPECT_EQ(Printed("name", preset), "default");
  EXPECT_EQ(Printed("window", preset), "64");
  EXPECT_EQ(Printed("training_scale", preset), "1.25");
  EXPECT_EQ(Printed("ranking", preset), "true");
  EXPECT_EQ(Printed("svctm_gate", preset), "always");
  preset.ranking = false;
  preset.svctm_gate = SvctmGate::kOff;
  EXPECT_EQ(Printed("ranking", preset), "false");
  EXPECT_EQ(Printed("svctm_gate", preset), "off");
}

TEST(PrintValue, TimesAreInSeconds) {
  auto preset = DefaultPreset();
  preset.step = 500ms;
  EXPECT_EQ(Printed("step", preset), "0.5s");
  preset.step = 15s;
  EXPECT_EQ(Printed("step", preset), "15s");
}

TEST(PrintValue, OfATimeThatIsAbsentIsTheOneInEffect) {
  auto preset = DefaultPreset();
  preset.max_gap.reset();
  EXPECT_EQ(Printed("max_gap", preset), "5s");
  preset.step = 15s;
  EXPECT_EQ(Printed("max_gap", preset), "37.5s");
  preset.max_gap = 9s;
  EXPECT_EQ(Printed("max_gap", preset), "9s");
}

TEST(PrintValue, NumbersByMetricAreAMap) {
  auto preset = DefaultPreset();
  preset.default_thresholds = {};
  EXPECT_EQ(Printed("default_thresholds", preset), "{}");
  preset.default_thresholds = {{"tps", 0.5}, {"await", 2}};
  EXPECT_EQ(Printed("default_thresholds", preset), "{await: 2, tps: 0.5}");
}

TEST(FindRangeProblem, BothBoundsAreAllowedAndNothingBeyond) {
  auto preset = DefaultPreset();
  preset.window = 5;
  EXPECT_EQ(Problem("window", preset), "ok");
  preset.window = 4;
  EXPECT_EQ(Problem("window", preset), "expected at least 5, got 4");
  preset.k = 100;
  EXPECT_EQ(Problem("k", preset), "ok");
  preset.k = 101;
  EXPECT_EQ(Problem("k", preset), "expected at most 100, got 101");
}

TEST(FindRangeProblem, NotANumberIsBelowEveryBound) {
  auto preset = DefaultPreset();
  preset.rho = std::nan("");
  EXPECT_EQ(Problem("rho", preset), "expected at least 1, got nan");
}

TEST(FindRangeProblem, ZeroIsAllowedWhereItMeansSomething) {
  auto preset = DefaultPreset();
  preset.domain_size = 0;
  EXPECT_EQ(Problem("domain_size", preset), "ok");
  preset.domain_size = 2;
  EXPECT_EQ(Problem("domain_size", preset), "expected 0 (off) or at least 3, got 2");
  preset.training_cap = 0;
  EXPECT_EQ(Problem("training_cap", preset), "ok");
  preset.training_cap = 0.5;
  EXPECT_EQ(Problem("training_cap", preset), "expected 0 (no bound) or at least 1, got 0.5");
  preset.window = 0;
  EXPECT_EQ(Problem("window", preset), "expected at least 5, got 0");
}

TEST(FindRangeProblem, TimesAreAtLeastAMillisecond) {
  auto preset = DefaultPreset();
  preset.step = 1ms;
  EXPECT_EQ(Problem("step", preset), "ok");
  preset.step = 999us;
  EXPECT_EQ(Problem("step", preset), "expected at least 1ms");
  preset.max_gap = -1s;
  EXPECT_EQ(Problem("max_gap", preset), "expected at least 1ms");
}

TEST(FindRangeProblem, OnlyNumbersThatMustBePositiveAre) {
  auto preset = DefaultPreset();
  preset.noise_floor["await"] = 0;
  EXPECT_EQ(Problem("noise_floor", preset), "ok");
  preset.default_thresholds["await"] = 0;
  EXPECT_EQ(Problem("default_thresholds", preset), "expected a number over 0, got 0 for await");
}

TEST(DescribeForState, NamesEveryValueThatSavedStateDependsOn) {
  const std::vector<PresetField> fields = {
      {.key = "step",
       .kind = TimeField{&PresetSettings::step},
       .state = SavedState::kDependsAlways},
      {.key = "ranking",
       .kind = BoolField{&PresetSettings::ranking},
       .state = SavedState::kDependsAlways},
      {.key = "rho", .kind = NumberField{&PresetSettings::rho, 1, 9}},
      {.key = "window",
       .kind = CountField{&PresetSettings::window, 1, 99},
       .state = SavedState::kDependsAlways,
       .state_name = "W"}};
  auto preset = DefaultPreset();
  EXPECT_EQ(DescribeForState(preset, fields), "step=1000000000;ranking=1;W=64");
  preset.rho = 4;  // tuned without losing anything
  EXPECT_EQ(DescribeForState(preset, fields), "step=1000000000;ranking=1;W=64");
  preset.ranking = false;
  EXPECT_EQ(DescribeForState(preset, fields), "step=1000000000;ranking=0;W=64");
}

TEST(DescribeForState, ANewKeyIsThereOnlyWhenItsValueIsNotTheUsualOneAndThenLast) {
  const std::vector<PresetField> fields = {{.key = "rho",
                                            .kind = NumberField{&PresetSettings::rho, 1, 9},
                                            .state = SavedState::kDependsOnValue},
                                           {.key = "window",
                                            .kind = CountField{&PresetSettings::window, 1, 99},
                                            .state = SavedState::kDependsAlways}};
  auto preset = DefaultPreset();
  EXPECT_EQ(DescribeForState(preset, fields), "window=64");
  preset.rho = 4;
  EXPECT_EQ(DescribeForState(preset, fields), "window=64;rho=4");
}

TEST(DescribeForState, NamesAndMetricsHaveTheirLengthSoThatNoneLooksLikeTwo) {
  const std::vector<PresetField> fields = {
      {.key = "hourly_metric",
       .kind = TextField{&PresetSettings::hourly_metric},
       .state = SavedState::kDependsAlways},
      {.key = "floor",
       .kind = ByMetricField{&PresetSettings::noise_floor, false},
       .state = SavedState::kDependsAlways}};
  auto preset = DefaultPreset();
  preset.hourly_metric = "a;floor[1:b]=1";
  preset.noise_floor = {{"a]=1;b", 2}};
  EXPECT_EQ(DescribeForState(preset, fields), "hourly_metric=14:a;floor[1:b]=1;floor[6:a]=1;b]=2");
}

TEST(DescribeForState, OfABuiltInPresetIsThatOfVersion010) {
  auto preset = TestbenchPreset();
  preset.noise_floor = {{"await", 2}};
  const auto text = DescribeForState(preset);
  EXPECT_THAT(text, StartsWith("step=1000000000;"));
  EXPECT_THAT(text, HasSubstr(";gap=5000000000;floor[5:await]=2"));
  EXPECT_THAT(text, Not(HasSubstr("scatter")));
}

}  // namespace
}  // namespace limpet::preset_text_test
