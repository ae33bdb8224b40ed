#include "diagnoser/detect/thresholds.h"

#include <gmock/gmock.h>

namespace limpet::thresholds_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr auto kFile = R"(version: 1
preset: testbench
trained: {from: 2023-11-14, to: 2023-11-15}
thresholds:
  io:
    await: {a/sda: 0.8, b/sda: 1.2, c/sda: 3}
cwnd:
  io-cwnd: {cwnd_client: 0.91}
)";

TEST(Thresholds, AreFoundByGroupMetricAndComponent) {
  const auto read = ParseThresholds(kFile, "t.yml");
  ASSERT_TRUE(read) << read.error().Text();
  ASSERT_EQ(read->size(), 1U);
  const auto* thresholds = &read->front();
  EXPECT_EQ(thresholds->preset, "testbench");
  EXPECT_EQ(thresholds->Find("io", "await", "b/sda"), 1.2);
  EXPECT_EQ(thresholds->FindCwnd("io-cwnd", "cwnd_client"), 0.91);
  EXPECT_FALSE(thresholds->FindCwnd("io-cwnd", "cwnd_server"));
}

TEST(Thresholds, AComponentWithoutTrainingHasTheMedian) {
  auto thresholds = ParseThresholds(kFile, "t.yml")->front();
  EXPECT_EQ(thresholds.Find("io", "await", "new/sda"), 1.2);
  EXPECT_FALSE(thresholds.Find("io", "tps", "a/sda"));
  EXPECT_FALSE(thresholds.Find("other", "await", "a/sda"));
  thresholds.medians.clear();
  EXPECT_EQ(thresholds.Find("io", "await", "new/sda"), 1.2);
}

TEST(Thresholds, SeveralPresetsMayShareAFile) {
  const auto read = ParseThresholds(
      "version: 1\ninputs: [a]\npresets:\n"
      "  - preset: testbench\n    thresholds: {io: {await: {a: 1}}}\n"
      "  - preset: production\n    settings: {step: 15s, distance: cdf}\n    cwnd: {c: "
      "{cwnd_server: 0.5}}\n",
      "t.yml");
  ASSERT_TRUE(read) << read.error().Text();
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ(read->at(0).Find("io", "await", "a"), 1);
  EXPECT_EQ(read->at(1).preset, "production");
  EXPECT_EQ(read->at(1).settings.at("distance"), "cdf");
  EXPECT_EQ(read->at(1).FindCwnd("c", "cwnd_server"), 0.5);
}

TEST(Thresholds, SystemCallsMayHaveAFileOfTheirOwn) {
  const auto read = ParseThresholds("version: 1\nsyscalls: [{role: io}]\n", "t.yml");
  ASSERT_TRUE(read) << read.error().Text();
  EXPECT_THAT(*read, IsEmpty());
  EXPECT_FALSE(ParseThresholds("version: 1\n", "t.yml"));
  EXPECT_FALSE(ParseThresholds("version: 2\nsyscalls: [{role: io}]\n", "t.yml"));
  EXPECT_FALSE(ParseThresholds("version: 1\nsyscalls: []\nthresholds: {}\n", "t.yml"));
}

TEST(Thresholds, OtherSettingsAreNamedOneByOne) {
  Thresholds thresholds{.preset = "testbench", .settings = SettingsForTraining(TestbenchPreset())};
  EXPECT_THAT(OtherSettings(thresholds, TestbenchPreset()), IsEmpty());
  auto preset = TestbenchPreset();
  preset.window = 60;
  preset.distance = DistanceKind::kCdf;
  EXPECT_THAT(OtherSettings(thresholds, preset),
              ElementsAre("distance kl, which is cdf now", "window 64, which is 60 now"));
  thresholds.settings = {{"step", "1000ms"}, {"colour", "red"}};
  EXPECT_THAT(OtherSettings(thresholds, TestbenchPreset()), IsEmpty());
  EXPECT_THAT(OtherSettings(thresholds, ProductionPreset()),
              ElementsAre("step 1000ms, which is 15s now"));
}

TEST(Thresholds, WhatIsNotADegreeOfTheDistanceIsNotCompared) {
  const Thresholds thresholds{.preset = "default",
                              .settings = SettingsForTraining(DefaultPreset())};
  auto preset = DefaultPreset();
  preset.bins = BinRule::kFreedmanDiaconis;  // w1 has no bins
  preset.rho = 7;
  preset.training_scale = 2;
  EXPECT_THAT(OtherSettings(thresholds, preset), IsEmpty());
  preset.svctm_gate = SvctmGate::kOff;
  EXPECT_THAT(OtherSettings(thresholds, preset),
              ElementsAre("svctm_gate always, which is off now"));
}

TEST(Thresholds, TensOfThousandsOfComponentsAreRead) {
  std::string text = "version: 1\npreset: a\nthresholds:\n  g:\n    await:\n";
  for (int i = 0; i < 30'000; ++i) {
    text += "      node" + std::to_string(i) + "/sda: 1.5\n";
  }
  const auto read = ParseThresholds(text, "t.yml");
  ASSERT_TRUE(read) << read.error().Text();
  EXPECT_EQ(read->front().components.at("g").at("await").size(), 30'000U);
}

std::string Problem(const std::string& text) {
  const auto thresholds = ParseThresholds(text, "t.yml");
  return thresholds ? "accepted" : thresholds.error().Text();
}

TEST(Thresholds, RefuseWhatCannotBeMeant) {
  EXPECT_THAT(Problem("preset: a\n"), HasSubstr("version"));
  EXPECT_THAT(Problem("version: 2\npreset: a\n"), HasSubstr("version"));
  EXPECT_THAT(Problem("version: 1\n"), HasSubstr("preset"));
  EXPECT_THAT(Problem("version: 1\npreset: a\nthresholds: {g: {await: {x: 0}}}\n"),
              HasSubstr("t.yml:3: thresholds.g.await.x: expected a number over 0"));
  EXPECT_THAT(Problem("version: 1\npreset: a\nthresholds: {g: {await: {x: nan}}}\n"),
              HasSubstr("number over 0"));
  EXPECT_THAT(Problem("version: 1\npreset: a\nthresholds: {g: 3}\n"), HasSubstr("expected a map"));
  EXPECT_THAT(Problem("version: 1\npreset: a\ncwnd: {g: {cwnd_client: 0.99}}\n"),
              HasSubstr("0.05 to 0.95"));
  EXPECT_EQ(Problem("version: 1\npreset: a\nthresholds:\ncwnd:\n"), "accepted");
  EXPECT_THAT(Problem("version: 1\npreset: \"a\xff\"\n"), HasSubstr("expected UTF-8"));
  EXPECT_THAT(Problem("version: 1\npresets: []\n"), HasSubstr("t.yml:2: presets: expected a list"));
  EXPECT_THAT(Problem("version: 1\npresets: {a: 1}\n"), HasSubstr("presets: expected a list"));
  EXPECT_THAT(Problem("version: 1\npresets:\n  - preset: a\n  - preset: a\n"),
              HasSubstr("t.yml:4: presets[1].preset: two sets of thresholds for \"a\""));
  EXPECT_THAT(Problem("version: 1\npresets:\n  - preset: a\n    cwnd: {g: {cwnd_client: 2}}\n"),
              HasSubstr("t.yml:4: presets[0].cwnd.g.cwnd_client: expected a number from 0.05"));
  EXPECT_THAT(Problem("version: 1\npresets: [{thresholds: {}}]\n"),
              HasSubstr("presets[0].preset: expected the name"));
}

TEST(Thresholds, ANameWithAControlCharacterIsRefusedByLine) {
  const auto text = [](std::string name) { return "version: 1\npreset: " + name + "\n"; };
  EXPECT_THAT(Problem(text(std::string("a\0b", 3))),
              HasSubstr("t.yml:2: expected text, found the control character 0x00; remove it"));
  EXPECT_THAT(Problem(text("a\x05")), HasSubstr("t.yml:2: expected text"));
  for (const auto* name : {"\"a\\0b\"", "\"\\x05\"", "\"a\\x7f\""}) {
    EXPECT_THAT(Problem(text(name)),
                HasSubstr("t.yml:2: preset: expected a name without control characters, found"));
  }
  // Components are named by what the kernel was told: they come back as they were.
  const auto read = ParseThresholds(
      "version: 1\npreset: a\nthresholds: {g: {await: {\"io01/\\x01\": 0.5}}}\n", "t.yml");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->front().Find("g", "await", "io01/\x01"), 0.5);
}

}  // namespace
}  // namespace limpet::thresholds_test
