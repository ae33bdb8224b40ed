#include "diagnoser/commands/recordings.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace limpet::recordings_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Write(const std::string& name, const std::string& text) {
  const auto path = std::filesystem::temp_directory_path() / ("limpet-recordings-" + name);
  std::ofstream(path) << text;
  return path;
}

// Readings of one device, so many seconds apart.
std::string Table(int step) {
  std::string rows = "time,node,device,requests\n";
  for (int i = 0; i < 12; ++i) {
    rows += std::to_string(1'700'000'000 + i * step) + ",a,sda,1\n";
  }
  return Write(std::to_string(step) + ".csv", rows);
}

TEST(LoadConfigFor, ImpliesAPresetForTheTimeBetweenReadings) {
  const auto empty = Write("empty.yml", "{}\n");
  const auto name = [&](int step) {
    const auto config = LoadConfigFor({Table(step)}, empty, "");
    EXPECT_TRUE(config) << config.error().Text();
    return config->pipeline.presets.front().name;
  };
  EXPECT_EQ(name(1), "default");
  EXPECT_EQ(name(15), "default-15s");
  EXPECT_EQ(name(600), "default-coarse");
  EXPECT_EQ(LoadConfigFor({Table(600)}, empty, "")->pipeline.presets.front().step, 600s);
}

TEST(LoadConfigFor, NotesPresetsThatWouldSeeNothing) {
  const auto config = LoadConfigFor({Table(600)}, Write("fine.yml", "preset: bare\n"), "");
  ASSERT_TRUE(config) << config.error().Text();
  EXPECT_THAT(
      config->notes,
      ElementsAre(HasSubstr("600 s apart, and preset bare takes none further apart than 5 s")));
}

TEST(FindMisfit, SaysWhyNothingWasCompared) {
  ReplayReport report;
  EXPECT_THAT(FindMisfit(report, {}), HasSubstr("there is no sample in these recordings"));
  report.bad_lines = 3;
  EXPECT_THAT(FindMisfit(report, {}), HasSubstr("none of 3 lines is a sample"));
  report.samples = 5;
  EXPECT_THAT(FindMisfit(report, {}), HasSubstr("none of 5 samples is of a disk"));
  report.mapped = 1;
  EXPECT_THAT(FindMisfit(report, {}), HasSubstr("nothing was compared: no server is judged: "));
  // Metrics of the configuration have no windows among those.
  report.view.custom.emplace().metrics.emplace_back().compared = 6;
  EXPECT_EQ(FindMisfit(report, {}), "");
  report.view.custom.reset();
  report.view.counters.compared = 1;
  EXPECT_EQ(FindMisfit(report, {}), "");
}

}  // namespace
}  // namespace limpet::recordings_test
