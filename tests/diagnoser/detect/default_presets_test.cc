#include "diagnoser/detect/default_presets.h"

#include <gmock/gmock.h>

#include <chrono>

namespace limpet::default_presets_test {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

std::vector<std::string> Names(const std::vector<PresetSettings>& presets) {
  std::vector<std::string> names;
  for (const auto& preset : presets) {
    names.push_back(preset.name);
  }
  return names;
}

// What the public cases and everything measured before version 0.2.0 as "built in" rest on.
TEST(BarePreset, IsWhatTheDefaultWas) {
  const auto bare = BarePreset();
  EXPECT_EQ(bare.scatter, Scatter::kOwn);
  EXPECT_EQ(bare.cwnd_f, 0.5);
  EXPECT_FALSE(bare.balance);
  EXPECT_FALSE(bare.device_kinds);
  EXPECT_EQ(bare.service_time, ServiceTime::kRequest);
  EXPECT_FALSE(bare.retransmissions);
  EXPECT_FALSE(bare.round_trips);
  EXPECT_EQ(bare.training_deviant, TrainingDeviant::kCap);
}

TEST(DefaultPreset, DiffersFromTheBareOneInWhatItAddsAlone) {
  for (auto [whole, bare] : {std::pair(DefaultPreset(), BarePreset()),
                             std::pair(SlowDefaultPreset(), SlowBarePreset())}) {
    EXPECT_NE(whole, bare);
    bare.name = whole.name;
    bare.doubt_readings = true;
    bare.cwnd_f = 0.65;
    bare.exact_up_to = 256;
    bare.balance = true;
    bare.device_kinds = true;
    bare.service_time = ServiceTime::kDevice;
    bare.retransmissions = true;
    bare.training_deviant = TrainingDeviant::kGroup;
    bare.scatter = whole.name == "default" ? Scatter::kResiduals : Scatter::kOwn;
    EXPECT_EQ(whole, bare);
  }
}

TEST(DefaultPresets, AreTheDefaultAndItsTimeScales) {
  EXPECT_THAT(Names(DefaultPresets()), ElementsAre("default", "default/fast", "default/middle"));
  EXPECT_EQ(DefaultPresets().front(), DefaultPreset());
}

TEST(DefaultPresetFor, HasTheStepOfTheReadings) {
  using namespace std::chrono_literals;
  EXPECT_EQ(DefaultPresetFor({}), DefaultPreset());
  EXPECT_EQ(DefaultPresetFor(2s), DefaultPreset());
  EXPECT_EQ(DefaultPresetFor(15s), SlowDefaultPreset());
  EXPECT_EQ(DefaultPresetFor(15'004ms), SlowDefaultPreset());
  for (const auto& [spacing, name] : {std::pair<Duration, const char*>(2'500ms, "default-2.5s"),
                                      {5s, "default-5s"},
                                      {4'998ms, "default-5s"},
                                      {10s, "default-10s"},
                                      {30s, "default-30s"},
                                      {60s, "default-60s"},
                                      {600s, "default-coarse"}}) {
    const auto preset = DefaultPresetFor(spacing);
    EXPECT_EQ(preset.name, name);
    EXPECT_LE(spacing * 2, preset.MaxGap()) << "one reading may be missing";
    const auto presets = WithScales(preset);
    EXPECT_EQ(presets.size(), preset.name == "default-coarse" ? 2U : 3U);
  }
}

TEST(WithScales, TakesThoseThatAreShorter) {
  auto preset = DefaultPreset();
  preset.window = 32;
  EXPECT_THAT(Names(WithScales(preset)), ElementsAre("default", "default/fast"));
  preset.window = 16;
  EXPECT_THAT(Names(WithScales(preset)), ElementsAre("default"));
  EXPECT_THAT(Names(WithScales(SlowDefaultPreset())),
              ElementsAre("default-15s", "default-15s/fast", "default-15s/middle"));
}

TEST(PrintScales, IsALineOfYaml) {
  EXPECT_THAT(PrintScales(DefaultPreset()),
              StartsWith("scales: [{name: fast}, {name: middle}]  #"));
  EXPECT_THAT(PrintScales(SlowDefaultPreset()),
              StartsWith("scales: [{name: fast}, {name: middle}]  #"));
  auto shortest = SlowDefaultPreset();
  shortest.window = 8;
  EXPECT_THAT(PrintScales(shortest), StartsWith("scales: []  #"));
}

}  // namespace
}  // namespace limpet::default_presets_test
