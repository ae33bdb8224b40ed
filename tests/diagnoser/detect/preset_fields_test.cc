#include "diagnoser/detect/preset_fields.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

namespace limpet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

const PresetField& Field(std::string_view key) {
  for (const auto& field : PresetFields()) {
    if (field.key == key) {
      return field;
    }
  }
  throw std::logic_error("no such key");
}

// Converts to the type of any member, so that the compiler tells how many members there are.
struct Anything {
  template <class T>
  operator T() const {  // NOLINT(google-explicit-constructor)
    return T{};
  }
};
template <class T, class... Members>
constexpr std::size_t CountMembers() {
  if constexpr (requires { T{Members{}..., Anything{}}; }) {
    return CountMembers<T, Members..., Anything>();
  } else {
    return sizeof...(Members);
  }
}

TEST(PresetFields, EveryMemberHasARow) {
  EXPECT_EQ(PresetFields().size(), CountMembers<PresetSettings>());
}

TEST(PresetFields, KeysAreUnique) {
  std::set<std::string_view> keys;
  for (const auto& field : PresetFields()) {
    EXPECT_TRUE(keys.insert(field.key).second) << field.key;
  }
}

TEST(PresetFields, BuiltInPresetsAreWithinTheBounds) {
  for (const auto& preset : BuiltInPresets()) {
    for (const auto& field : PresetFields()) {
      EXPECT_EQ(FindRangeProblem(field, preset.settings), std::nullopt) << field.key;
    }
  }
}

TEST(PresetFields, ValuesArePrintedAsYaml) {
  auto preset = DefaultPreset();
  preset.step = 500ms;
  EXPECT_EQ(PrintValue(Field("name"), preset), "default");
  EXPECT_EQ(PrintValue(Field("step"), preset), "0.5s");
  EXPECT_EQ(PrintValue(Field("max_gap"), preset), "5s");
  EXPECT_EQ(PrintValue(Field("window"), preset), "64");
  EXPECT_EQ(PrintValue(Field("training_scale"), preset), "1.25");
  EXPECT_EQ(PrintValue(Field("ranking"), preset), "true");
  EXPECT_EQ(PrintValue(Field("svctm_gate"), preset), "always");
  EXPECT_EQ(PrintValue(Field("default_thresholds"), preset), "{}");
  preset.default_thresholds = {{"await", 2}, {"tps", 0.5}};
  EXPECT_EQ(PrintValue(Field("default_thresholds"), preset), "{await: 2, tps: 0.5}");
}

TEST(PresetFields, ProblemsSayWhatIsExpected) {
  auto preset = DefaultPreset();
  preset.window = 4;
  EXPECT_EQ(FindRangeProblem(Field("window"), preset), "expected at least 5, got 4");
  preset.k = 101;
  EXPECT_EQ(FindRangeProblem(Field("k"), preset), "expected at most 100, got 101");
  preset.domain_size = 2;
  EXPECT_EQ(FindRangeProblem(Field("domain_size"), preset),
            "expected 0 (off) or at least 3, got 2");
  preset.training_cap = 0.5;
  EXPECT_EQ(FindRangeProblem(Field("training_cap"), preset),
            "expected 0 (no bound) or at least 1, got 0.5");
  preset.training_cap = 0;
  EXPECT_EQ(FindRangeProblem(Field("training_cap"), preset), std::nullopt);
  preset.rho = std::nan("");
  EXPECT_EQ(FindRangeProblem(Field("rho"), preset), "expected at least 1, got nan");
  preset.step = 10us;
  EXPECT_EQ(FindRangeProblem(Field("step"), preset), "expected at least 1ms");
  preset.default_thresholds["await"] = 0;
  EXPECT_EQ(FindRangeProblem(Field("default_thresholds"), preset),
            "expected a number over 0, got 0 for await");
}

TEST(PresetFields, ANewKeyIsInTheStateTextOnlyWhenItsValueIsNotTheUsualOne) {
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

TEST(PresetFields, TheStateTextNamesEveryFloorWithItsLength) {
  auto preset = TestbenchPreset();
  preset.noise_floor = {{"a]=1;b", 2}};
  EXPECT_THAT(DescribeForState(preset), HasSubstr(";gap=5000000000;floor[6:a]=1;b]=2"));
  EXPECT_THAT(DescribeForState(preset), Not(HasSubstr("scatter")));
}

}  // namespace
}  // namespace limpet
