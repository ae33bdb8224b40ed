#include "diagnoser/config/presets.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/detect/detectors.h"
#include "diagnoser/detect/time_scales.h"

namespace limpet::presets_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> Problems(const std::string& text) {
  const auto root = yaml::Parse(text, "d.yml");
  yaml::Problems problems{.file = "d.yml", .texts = {}};
  yaml::MapReader top(&*root, "", problems);
  (void)ReadPresets(top, DefaultPreset());
  return problems.texts;
}

TEST(ReadPresets, ProblemsNameFileLineAndKey) {
  EXPECT_THAT(
      Problems("presets:\n"
               "  - window: 4\n"
               "    step: fast\n"
               "    distance: l2\n"
               "    ranking: 1\n"
               "    rho: .5\n"
               "    domain_size: 2\n"
               "    domain_seed: -1\n"
               "    training_cap: 0.5\n"
               "    default_thresholds: {await: 0}\n"
               "    max_gap: 0s\n"),
      ElementsAre(
          "d.yml:3: presets[0].step: expected a duration such as 1s or 500ms, got \"fast\"",
          "d.yml:2: presets[0].window: expected a whole number from 5 to 100000, got \"4\"",
          fmt::format("d.yml:4: presets[0].distance: expected one of {}, got \"l2\"",
                      fmt::join(DetectorNames(), " ")),
          "d.yml:11: presets[0].max_gap: expected a duration of at least 0.001s, got \"0s\"",
          "d.yml:7: presets[0].domain_size: expected 0 (off) or at least 3, got 2",
          "d.yml:8: presets[0].domain_seed: expected a whole number from 0 to "
          "9223372036854775807, got \"-1\"",
          "d.yml:5: presets[0].ranking: expected true or false, got \"1\"",
          "d.yml:6: presets[0].rho: expected a number of at least 1 and at most 1e+06, got \".5\"",
          "d.yml:10: presets[0].default_thresholds: expected a number over 0, got 0 for await",
          "d.yml:9: presets[0].training_cap: expected 0 (no bound) or at least 1, got 0.5"));
}

std::vector<PresetSettings> Read(const std::string& text) {
  const auto root = yaml::Parse(text, "d.yml");
  yaml::Problems problems{.file = "d.yml", .texts = {}};
  yaml::MapReader top(&*root, "", problems);
  auto presets = ReadPresets(top, DefaultPreset()).presets;
  EXPECT_THAT(problems.texts, IsEmpty());
  return presets;
}

TEST(ReadPresets, TimeScalesFollowTheirPreset) {
  const auto presets = Read(
      "presets:\n"
      "  - {rho: 5, scales: [{name: fast}, {name: mine, window: 20, threshold_factor: 4}]}\n"
      "  - {base: testbench}\n");
  ASSERT_THAT(presets, SizeIs(4));
  EXPECT_EQ(presets[1].name, "default/fast");
  EXPECT_EQ(presets[1].window, FindScale("fast", std::chrono::seconds(1))->window);
  EXPECT_EQ(presets[1].rho, 5);
  EXPECT_EQ(presets[2].name, "default/mine");
  EXPECT_EQ(presets[2].scale_of.preset, "default");
  EXPECT_EQ(presets[2].window, 20U);
  EXPECT_EQ(presets[2].threshold_factor, 4);
  EXPECT_FALSE(presets[3].IsScale());
}

TEST(ReadPresets, BuiltInTimeScalesCountInSamples) {
  const auto slow = Read("presets: [{base: default-15s, scales: [{name: fast}]}]\n");
  ASSERT_THAT(slow, SizeIs(2));
  EXPECT_EQ(slow[1].window, FindScale("fast", std::chrono::seconds(15))->window);
  EXPECT_LT(slow[1].window, FindScale("fast", std::chrono::seconds(1))->window);
}

std::vector<std::string> Names(const std::string& text) {
  std::vector<std::string> names;
  for (const auto& preset : Read(text)) {
    names.push_back(preset.name);
  }
  return names;
}

TEST(ReadPresets, TheDefaultHasItsTimeScales) {
  const auto whole = ElementsAre("default", "default/fast", "default/middle");
  for (const auto* text : {"{}", "preset: default", "presets: [{}]", "presets: [{base: default}]",
                           "presets: [{rho: 5}]"}) {
    EXPECT_THAT(Names(text), whole) << text;
  }
  EXPECT_EQ(Read("{}"), DefaultPresets());
  EXPECT_THAT(Names("preset: bare"), ElementsAre("bare"));
  EXPECT_THAT(Names("presets: [{base: testbench}]"), ElementsAre("testbench"));
}

TEST(ReadPresets, TimeScalesMayBeGivenOffOrOthersInTheirPlace) {
  EXPECT_THAT(Names("presets: [{scales: []}]"), ElementsAre("default"));
  EXPECT_THAT(Names("presets: [{scales: [{name: fast}]}]"), ElementsAre("default", "default/fast"));
  EXPECT_THAT(Names("presets: [{base: bare, scales: [{name: fast}]}]"),
              ElementsAre("bare", "bare/fast"));
  // A scale as long as the preset would say nothing new.
  EXPECT_THAT(Names("presets: [{name: quick, window: 20}]"), ElementsAre("quick", "quick/fast"));
  EXPECT_THAT(Names("presets: [{name: quick, window: 16}]"), ElementsAre("quick"));
  EXPECT_THAT(Names("presets: [{step: 2s}]"),
              ElementsAre("default", "default/fast", "default/middle"));
}

TEST(ReadPresets, ScattersOfResidualsAreForSamplesOfASecond) {
  EXPECT_EQ(Read("presets: [{step: 2s}]").front().scatter, Scatter::kOwn);
  EXPECT_EQ(Read("presets: [{step: 2s, scatter: residuals}]").front().scatter, Scatter::kOwn);
  EXPECT_EQ(Read("presets: [{base: default, step: 2s}]").front().scatter, Scatter::kOwn);
  EXPECT_EQ(Read("presets: [{base: default, step: 2s, scatter: residuals}]").front().scatter,
            Scatter::kResiduals);
}

// The section that files up to version 0.1.0 had.
TEST(ReadPresets, WhatWasSpelledOutIsTheDefaultToTheNumber) {
  constexpr auto kSpelledOut =
      "presets:\n"
      "  - {scatter: residuals, cwnd_f: 0.65, balance: true, device_kinds: true,\n"
      "     service_time: device, retransmissions: true, training_deviant: group,\n"
      "     scales: [{name: fast}, {name: middle}]}\n";
  EXPECT_EQ(Read(kSpelledOut), DefaultPresets());
}

ChosenPresets Choose(const std::string& text, const PresetSettings& implied) {
  const auto root = yaml::Parse(text, "d.yml");
  yaml::Problems problems{.file = "d.yml", .texts = {}};
  yaml::MapReader top(&*root, "", problems);
  return ReadPresets(top, implied);
}
std::vector<std::string> Notes(const std::string& text) {
  return Choose(text, DefaultPreset()).notes;
}

// Who scrapes every 30 s and names the default means what judges there.
TEST(ReadPresets, TheDefaultIsTheOneThatTheReadingsAllow) {
  const auto implied = DefaultPresetFor(std::chrono::seconds(30));
  for (const auto* text :
       {"preset: default", "preset: default-15s", "presets: [{base: default}]"}) {
    const auto chosen = Choose(text, implied);
    EXPECT_EQ(chosen.presets, WithScales(implied)) << text;
    EXPECT_THAT(chosen.notes, Contains(HasSubstr("readings 30 s apart: preset default"))) << text;
  }
  EXPECT_EQ(Choose("presets: [{base: default, max_gap: 75s}]", implied).presets[0].name, "default");
  EXPECT_EQ(Choose("preset: bare", implied).presets[0].name, "bare");
}

// What is promised of readings that fall or are stale needs it (docs/reliability.md).
TEST(ReadPresets, EveryDefaultDoubtsReadings) {
  for (const int seconds : {1, 2, 5, 15, 30, 60, 300, 3600}) {
    for (const auto& preset : WithScales(DefaultPresetFor(std::chrono::seconds(seconds)))) {
      EXPECT_TRUE(preset.doubt_readings) << preset.name;
    }
  }
}

TEST(ReadPresets, WhoNamesTheDefaultIsToldThatItIsMoreThanItWas) {
  EXPECT_THAT(Notes("preset: default"),
              ElementsAre(HasSubstr("preset default is more than it was up to version 0.1.0")));
  EXPECT_THAT(Notes("presets: [{base: default-15s}, {base: default-15s, name: b}]"),
              ElementsAre(HasSubstr("what it was is called bare-15s (docs/upgrade.md)")));
  for (const auto* text : {"{}", "preset: bare", "presets: [{rho: 5}, {base: production}]"}) {
    EXPECT_THAT(Notes(text), IsEmpty()) << text;
  }
}

TEST(ReadPresets, TimeScalesHaveNamesOfTheirOwn) {
  EXPECT_THAT(Problems("presets:\n"
                       "  - scales:\n"
                       "      - {name: fast}\n"
                       "      - {name: fast}\n"
                       "      - {window: 20, widow: 3}\n"),
              ElementsAre(HasSubstr("d.yml:4: presets[0].scales[1].name: expected the name of a "
                                    "time scale (fast, middle, or one of your own)"),
                          HasSubstr("presets[0].scales[2].widow: unknown"),
                          HasSubstr("presets[0].scales[2].name: expected the name")));
}

TEST(ReadPresets, ZeroMayMeanOff) {
  EXPECT_THAT(Problems("presets: [{domain_size: 0, training_cap: 0}]\n"), IsEmpty());
}

}  // namespace
}  // namespace limpet::presets_test
