#include "diagnoser/config/preset_slips.h"

#include <gmock/gmock.h>

#include <chrono>

namespace limpet::preset_slips_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> Warnings(const std::string& text) {
  const auto config = ParseDiagnoserConfig(text, "d.yml", [](const std::string& path) {
    return Result<std::string>(Error{ErrorCode::kNotFound, "none", path});
  });
  return config ? FindPresetSlips(*config) : std::vector{config.error().Text()};
}

TEST(PresetSlips, TheDefaultsHaveNone) {
  EXPECT_THAT(Warnings("targets: [{address: io01}]\n"), IsEmpty());
  EXPECT_THAT(Warnings("targets: [{address: io01, interval: 15s}]\n"), IsEmpty());
}

TEST(PresetSlips, WindowsWithHoles) {
  EXPECT_THAT(Warnings("presets: [{shift: 100}]\n"),
              ElementsAre(HasSubstr("the 36 samples between two windows are never looked at")));
}

TEST(PresetSlips, VerdictsThatTakeLongerThanAnHour) {
  EXPECT_THAT(Warnings("presets: [{base: default-15s, k: 4, scales: []}]\n"),
              ElementsAre("presets: default-15s: with step, window, shift and k as they are a "
                          "fault is named after about 68 minutes; expected an hour at "
                          "most: make window, shift or k smaller"));
  // Its short scales name it.
  EXPECT_THAT(Warnings("presets: [{window: 7200}]\n"), IsEmpty());
  EXPECT_THAT(Warnings("presets: [{window: 7200, scales: []}]\n"),
              ElementsAre(HasSubstr("named after about 62 minutes")));
}

TEST(PresetSlips, ThePapersPresetsWantThresholds) {
  EXPECT_THAT(Warnings("preset: production\n"),
              ElementsAre(HasSubstr("presets: production has no trained thresholds, and 10 is a "
                                    "place holder")));
  EXPECT_THAT(Warnings("preset: bare\n"), IsEmpty());
}

TEST(PresetSlips, ScrapesFasterThanTheExporterSamples) {
  EXPECT_THAT(Warnings("scrape: {interval: 200ms}\ntargets: [{addresses: [a, b]}, "
                       "{address: 'c:9100'}, {address: d, interval: 1s}]\n"),
              ElementsAre(HasSubstr("scrape.interval: a, b every 0.2 s: limpet-exporter has a new "
                                    "sample once a second")));
}

}  // namespace
}  // namespace limpet::preset_slips_test
