// Training on recorded fault-free data gives the thresholds that an independent implementation
// gave; and the data that was trained on raises no flag.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>

#include "diagnoser/runtime/replay.h"
#include "diagnoser/training/trainer.h"
#include "tests/support/case_folder.h"

namespace limpet::training_cases_test {
namespace {

using testing::CaseFolder;

std::vector<CaseFolder> TrainingCases() {
  std::vector<CaseFolder> cases;
  std::vector<std::string> roots = {"tests/fixtures/cases"};
  if (const char* more = std::getenv("LIMPET_CASES")) {
    roots.emplace_back(more);
  }
  for (const auto& root : roots) {
    for (const auto& folder : testing::CaseFoldersIn(root)) {
      auto one = testing::LoadCase(folder);
      if (one.trained) {
        cases.push_back(std::move(one));
      }
    }
  }
  return cases;
}

std::vector<TrainedPreset> Train(const CaseFolder& one) {
  Trainer trainer(one.config.presets);
  const auto report = Replay(
      ConfigForTraining(one.config), one.recordings,
      [&](const Event& event) { trainer.Learn(event); },
      [](LogLevel, std::string_view text) { ADD_FAILURE() << text; });
  EXPECT_TRUE(report);
  return trainer.Finish();
}

TEST(TrainingCases, GiveTheExpectedThresholds) {
  const auto cases = TrainingCases();
  EXPECT_GE(cases.size(), 2U);
  for (const auto& one : cases) {
    const auto trained = Train(one);
    ASSERT_EQ(trained.size(), 1U) << one.name;
    EXPECT_EQ(trained[0].thresholds.components, one.trained->components) << one.name;
    EXPECT_EQ(trained[0].thresholds.cwnd, one.trained->cwnd) << one.name;
  }
}

// Every number of them flagged while replayed with its own thresholds.
std::vector<std::string> FlaggedIn(const CaseFolder& one,
                                   const std::vector<PresetSettings>& presets,
                                   const std::vector<TrainedPreset>& trained) {
  auto config = one.config;
  config.presets = presets;
  config.thresholds.clear();
  for (const auto& preset : trained) {
    config.thresholds.push_back(preset.thresholds);
  }
  EXPECT_EQ(CheckPipelineConfig(config), std::vector<std::string>());
  std::vector<std::string> flagged;
  const auto report = Replay(
      config, one.recordings,
      [&](const Event& event) {
        if (const auto* window = std::get_if<WindowEvent>(&event)) {
          for (const auto& component : window->components) {
            if (component.flagged) {
              flagged.push_back(window->preset + " " + window->metric + " " + component.component);
            }
          }
        } else if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
          flagged.push_back("verdict on " + verdict->node);
        }
      },
      [](LogLevel, std::string_view) {});
  EXPECT_TRUE(report);
  return flagged;
}

TEST(TrainingCases, WhatWasTrainedOnRaisesNoFlagAtAnyScale) {
  for (auto one : TrainingCases()) {
    // Not 1: a degree of 0.7000000000000001 trains the tenth 0.7.
    for (const double scale : {1.000001, 2.0}) {
      // All presets at once, without the cap that would hold a deviant one down.
      std::vector<PresetSettings> presets;
      for (auto preset :
           {TestbenchPreset(), ProductionPreset(), DefaultPreset(), SlowDefaultPreset()}) {
        preset.training_scale = scale;
        preset.training_cap = 0;
        presets.push_back(preset);
      }
      one.config.presets = presets;
      auto trained = Train(one);
      std::erase_if(trained, [](const TrainedPreset& preset) { return preset.windows == 0; });
      EXPECT_GE(trained.size(), 2U) << one.name;
      EXPECT_EQ(FlaggedIn(one, presets, trained), std::vector<std::string>()) << one.name;
    }
  }
}

}  // namespace
}  // namespace limpet::training_cases_test
