#include "diagnoser/config/trained.h"

#include <gmock/gmock.h>

#include "diagnoser/detect/default_presets.h"

namespace limpet::trained_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

PipelineConfig Config() {
  PipelineConfig config;
  config.presets = {TestbenchPreset(), DefaultPreset()};
  config.groups = {{.name = "io", .kind = GroupKind::kStorage},
                   {.name = "io-cwnd", .kind = GroupKind::kCwnd, .ports = {1}}};
  return config;
}

Thresholds Trained(const PresetSettings& preset) {
  Thresholds thresholds{.preset = preset.name, .settings = SettingsForTraining(preset)};
  thresholds.components["io"]["await"] = {{"io01/sdb", 1.5}, {"io02/sdb", 1.25}};
  thresholds.cwnd["io-cwnd"]["cwnd_client"] = 0.5;
  return thresholds;
}

std::vector<Target> Targets(const std::vector<std::string>& nodes) {
  std::vector<Target> targets;
  for (const auto& node : nodes) {
    targets.push_back({.node = node, .role = "server"});
  }
  return targets;
}

TEST(UseThresholds, ThoseThatFitAreTakenWithoutAWord) {
  auto config = Config();
  const auto notes = UseThresholds({Trained(TestbenchPreset()), Trained(DefaultPreset())}, "t.yml",
                                   Targets({"io01", "io02"}), config);
  ASSERT_TRUE(notes) << notes.error().Text();
  EXPECT_THAT(*notes, IsEmpty());
  EXPECT_THAT(config.thresholds, ElementsAre(Trained(TestbenchPreset()), Trained(DefaultPreset())));
  EXPECT_THAT(CheckPipelineConfig(config), IsEmpty());
}

TEST(UseThresholds, AFileOfOtherPresetsIsRefused) {
  auto config = Config();
  const auto notes = UseThresholds({Trained(ProductionPreset())}, "t.yml", {}, config);
  ASSERT_FALSE(notes);
  EXPECT_EQ(notes.error().Text(),
            "t.yml: trained for preset production, configured is testbench, default: train again "
            "with this configuration");
}

TEST(UseThresholds, TheSameNameWithOtherSettingsIsRefusedSettingBySetting) {
  auto config = Config();
  auto other = TestbenchPreset();
  other.window = 60;
  other.bins = BinRule::kFreedmanDiaconis;
  const auto notes = UseThresholds({Trained(other)}, "t.yml", {}, config);
  ASSERT_FALSE(notes);
  EXPECT_THAT(notes.error().Text(),
              HasSubstr("t.yml: preset testbench was trained with bins freedman-diaconis, which is "
                        "sturges now: train it again"));
  EXPECT_THAT(notes.error().Text(), HasSubstr("\nt.yml: preset testbench was trained with window "
                                              "60, which is 64 now"));
  // Written by hand, without settings: nothing to hold against it.
  auto by_hand = Trained(other);
  by_hand.settings.clear();
  auto fresh = Config();
  EXPECT_TRUE(UseThresholds({by_hand}, "t.yml", {}, fresh));
}

TEST(UseThresholds, WhatHasNoUseIsKeptAndTold) {
  auto config = Config();
  auto trained = Trained(TestbenchPreset());
  trained.components["old-disks"]["await"]["io01/sdb"] = 1;
  trained.components["io"]["colour"]["io01/sdb"] = 1;
  trained.cwnd["io-cwnd"]["cwnd_sideways"] = 0.5;
  for (const char* gone : {"io07/sdb", "io08/sdb", "io09/sdb", "io10/sdb"}) {
    trained.components["io"]["await"][gone] = 1;
  }
  const auto notes = UseThresholds({trained, Trained(ProductionPreset())}, "t.yml",
                                   Targets({"io01", "io02"}), config);
  ASSERT_TRUE(notes) << notes.error().Text();
  EXPECT_THAT(
      *notes,
      ElementsAre("t.yml: preset testbench: peer group io has no metric colour: its thresholds are "
                  "not used",
                  "t.yml: preset testbench: there is no peer group old-disks: its thresholds are "
                  "not used",
                  "t.yml: preset testbench: peer group io-cwnd has no metric cwnd_sideways: its "
                  "thresholds are not used",
                  "t.yml: preset testbench: components of nodes that are no targets: io07/sdb, "
                  "io08/sdb, io09/sdb and 1 more: their thresholds are kept",
                  "t.yml: preset production is not configured: its thresholds are not used",
                  "t.yml: nothing for preset default: its untrained thresholds hold"));
  EXPECT_THAT(config.thresholds, ElementsAre(trained));
}

// After an upgrade the watch goes on: nobody has made a mistake.
TEST(UseThresholds, ThoseOfADefaultThatWasLessAreLeftOutWithAWord) {
  auto before = BarePreset();
  before.name = "default";
  auto config = Config();
  const auto notes = UseThresholds({Trained(before)}, "t.yml", {}, config);
  ASSERT_TRUE(notes) << notes.error().Text();
  EXPECT_THAT(*notes,
              ElementsAre(HasSubstr("t.yml: preset default was trained with scatter own, which is "
                                    "residuals now, service_time request, which is device now: "
                                    "its untrained thresholds hold"),
                          HasSubstr("nothing for preset testbench")));
  EXPECT_THAT(config.thresholds, IsEmpty());
  // The way back.
  config.presets = {before};
  EXPECT_TRUE(UseThresholds({Trained(before)}, "t.yml", {}, config));
  EXPECT_THAT(config.thresholds, ElementsAre(Trained(before)));
  // Another window is another matter.
  before.window = 60;
  auto refused = Config();
  EXPECT_FALSE(UseThresholds({Trained(before)}, "t.yml", {}, refused));
}

TEST(UnseenThresholds, AreToldOnceEveryGroupHasAWindow) {
  auto trained = Trained(DefaultPreset());
  trained.components["other"]["await"]["x"] = 1;
  PipelineView view;
  view.groups = {{.preset = "default", .group = "io"}};
  EXPECT_FALSE(UnseenThresholds({trained}, view));
  view.groups[0].window_end = UnixFromSeconds(1);
  view.groups[0].taking_part = 1;
  view.components = {
      {.preset = "default", .group = "io", .node = "io01", .device = "sdb", .metric = "await"}};
  const auto texts = UnseenThresholds({trained}, view);
  ASSERT_TRUE(texts);
  EXPECT_THAT(*texts, ElementsAre("thresholds of preset default: trained components that are not "
                                  "there: io02/sdb: their thresholds are kept"));
  view.groups[0].taking_part = 0;  // nobody is: the group is silent
  EXPECT_THAT(*UnseenThresholds({trained}, view), IsEmpty());
  EXPECT_THAT(*UnseenThresholds({}, view), IsEmpty());
}

TEST(UseThresholds, WithoutTargetsNoNodeIsAStranger) {
  auto config = Config();
  const auto notes =
      UseThresholds({Trained(TestbenchPreset()), Trained(DefaultPreset())}, "t.yml", {}, config);
  ASSERT_TRUE(notes);
  EXPECT_THAT(*notes, IsEmpty());
}

}  // namespace
}  // namespace limpet::trained_test
