#include "diagnoser/detect/thresholds_text.h"

#include <gmock/gmock.h>

namespace limpet::thresholds_text_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TrainedPreset Testbench() {
  TrainedPreset preset;
  preset.thresholds.preset = "testbench";
  preset.thresholds.settings = SettingsForTraining(TestbenchPreset());
  preset.thresholds.components["io"]["%util"] = {{"io01/sdb", 0.8}, {"10.0.0.2/sdb", 5.4}};
  preset.thresholds.cwnd["io-cwnd"]["cwnd_client"] = 0.91;
  preset.degrees_seen["io"]["%util"] = {{"io01/sdb", 0.375}, {"10.0.0.2/sdb", 2.625}};
  preset.cwnd_seen["io-cwnd"]["cwnd_client"] = 0.9175;
  preset.windows = 17;
  preset.scale = 2;
  preset.largest_distance = 4.6;
  preset.notes = {"blind: io %util of 10.0.0.2/sdb: threshold 5.4"};
  return preset;
}

TEST(ThresholdsText, OnePresetStandsAtTheTop) {
  EXPECT_EQ(ThresholdsText({.program = "limpet-diagnoser 1.0",
                            .inputs = {"rec/a b.om.zst"},
                            .from = UnixFromSeconds(1'700'000'000),
                            .to = UnixFromSeconds(1'700'000'600),
                            .presets = {Testbench()}}),
            R"(# Thresholds trained on fault-free recordings, for limpet-diagnoser's --thresholds.
# Numbers may be edited; docs/formats/thresholds.md says what each key means.
version: 1
trained_by: "limpet-diagnoser 1.0"
time_range: {from: "2023-11-14T22:13:20Z", to: "2023-11-14T22:23:20Z"}
inputs:
  - "rec/a b.om.zst"
preset: testbench
settings: {bins: sturges, distance: kl, k: 3, shift: 32, smoothing: 5, step: 1s, window: 64}
training: {windows: 17, scale: 2, cap: none, largest_distance: 4.6}
notes:
  - "blind: io %util of 10.0.0.2/sdb: threshold 5.4"
thresholds:  # peer group, metric, component: what its degree must exceed
  io:
    "%util":
      "10.0.0.2/sdb": 5.4
      io01/sdb: 0.8
cwnd:  # peer group, side: f, of the peers' median logarithm
  io-cwnd:
    cwnd_client: 0.91
degrees_seen:  # the most that k of 2k-1 windows reached together
  io:
    "%util":
      "10.0.0.2/sdb": 2.625
      io01/sdb: 0.375
cwnd_seen:  # the least logarithm, of the median
  io-cwnd:
    cwnd_client: 0.9175
)");
}

TEST(ThresholdsText, WhatIsWrittenIsReadBack) {
  auto first = Testbench();
  auto second = Testbench();
  second.thresholds.preset = "my: own";
  second.thresholds.components["gr\"oup"]["await"] = {{"", 1},
                                                      {"~", 1},
                                                      {"null", 1},
                                                      {"yes", 1},
                                                      {"a\nb\t\x01/\\", 1e-9},
                                                      {"Größe/sda", 1e300},
                                                      {std::string(3000, 'x'), 0.1},
                                                      {std::string(1200, ':'), 0.2},
                                                      {"? - [x]", 1},
                                                      {"#", 2}};
  second.thresholds.cwnd.clear();
  first.thresholds.FillMedians();
  second.thresholds.FillMedians();
  for (const auto& presets : {std::vector{first}, std::vector{first, second}}) {
    const auto text =
        ThresholdsText({.program = "p", .inputs = {"- x", "y: z"}, .presets = presets});
    const auto read = ParseThresholds(text, "t.yml");
    ASSERT_TRUE(read) << read.error().Text() << "\n" << text;
    ASSERT_EQ(read->size(), presets.size());
    for (std::size_t i = 0; i < presets.size(); ++i) {
      EXPECT_EQ(read->at(i), presets[i].thresholds) << text;
    }
  }
}

TEST(ThresholdsText, NothingTrainedIsStillAFile) {
  TrainedPreset preset;
  preset.thresholds.preset = "a";
  const auto text = ThresholdsText({.program = "p", .presets = {preset}});
  ASSERT_TRUE(ParseThresholds(text, "t.yml")) << text;
}

TEST(ThresholdsText, YamlTextIsPlainOnlyWhereItIsSafe) {
  EXPECT_EQ(YamlText("io01/sd-b_1.x"), "io01/sd-b_1.x");
  EXPECT_EQ(YamlText("01"), "\"01\"");
  EXPECT_EQ(YamlText("No"), "\"No\"");
  EXPECT_EQ(YamlText("a: b"), "\"a: b\"");
  EXPECT_EQ(YamlText("a\xff"), "\"a\\\\xff\"");
  EXPECT_EQ(YamlText("\n"), "\"\\x0a\"");
}

}  // namespace
}  // namespace limpet::thresholds_text_test
