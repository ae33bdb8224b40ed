// The recorded case of behaviour profiles: labels, distances, alarms and indictments as an
// independent implementation gave them on the same model.
#include <gmock/gmock.h>

#include "diagnoser/publish/events.h"
#include "diagnoser/publish/explain.h"
#include "diagnoser/runtime/replay.h"
#include "tests/support/case_folder.h"

namespace limpet::profile_case_test {
namespace {

using ::testing::HasSubstr;

std::string PathOf(std::string_view file) {
  std::string path = "tests/fixtures/cases/08-ganesha-cpu-hog/";
  path += file;
  return path;
}

PipelineConfig Config() {
  PipelineConfig config;
  config.presets = {DefaultPreset()};
  config.profiles = ProfilePlan{
      .model = testing::LoadProfileModel(PathOf("model.json")), .roles = {"io"}, .wait = true};
  return config;
}

std::vector<Event> EventsOf(const PipelineConfig& config) {
  std::vector<Event> events;
  const auto report = Replay(
      config, {PathOf("recording.om.zst")}, [&](const Event& event) { events.push_back(event); },
      [](LogLevel, std::string_view text) { ADD_FAILURE() << text; });
  EXPECT_TRUE(report) << report.error().Text();
  return events;
}

TEST(ProfileCase, ReplaysToTheExpectedEvents) {
  std::vector<std::string> found;
  for (const auto& event : EventsOf(Config())) {
    if (std::holds_alternative<ProfileEvent>(event)) {
      found.push_back(ToJsonLine(event));
    }
  }
  const auto expected = testing::ReadCaseLines(PathOf("expected.jsonl.zst"));
  EXPECT_EQ(expected.size(), 400U);
  EXPECT_EQ(testing::Differences(expected, found), "");
}

TEST(ProfileCase, OnlyTheHogIsIndictedAndItsUserTimeIsNamed) {
  std::vector<VerdictEvent> verdicts;
  for (const auto& event : EventsOf(Config())) {
    if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
      verdicts.push_back(*verdict);
    }
  }
  ASSERT_FALSE(verdicts.empty());
  for (const auto& verdict : verdicts) {
    EXPECT_EQ(verdict.node, "io03");
    EXPECT_EQ(verdict.cause, Cause::kBehaviour);
    EXPECT_FALSE(verdict.secondary);
  }
  EXPECT_THAT(Explain(verdicts.front()), HasSubstr("user CPU"));
}

TEST(ProfileCase, WithoutWaitingAGapHasNoLabels) {
  auto config = Config();
  config.profiles->wait = false;
  std::size_t without = 0;
  std::size_t indicted = 0;
  for (const auto& event : EventsOf(config)) {
    if (const auto* profile = std::get_if<ProfileEvent>(&event)) {
      for (const auto& one : profile->components) {
        without += one.label ? 0U : 1U;
        indicted += one.indicted && one.component == "io03" ? 1U : 0U;
        EXPECT_FALSE(one.indicted && one.component != "io03");
      }
    }
  }
  // The first second of five nodes and the 17 of the gap of io02.
  EXPECT_EQ(without, 22U);
  EXPECT_GT(indicted, 150U);
}

}  // namespace
}  // namespace limpet::profile_case_test
