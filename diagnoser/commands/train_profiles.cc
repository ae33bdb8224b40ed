#include "diagnoser/commands/train_profiles.h"

#include <fmt/format.h>

#include <cstdio>
#include <string_view>
#include <utility>

#include "diagnoser/commands/progress_line.h"
#include "diagnoser/commands/train.h"
#include "diagnoser/config/config.h"
#include "diagnoser/runtime/replay.h"
#include "diagnoser/training/profile_trainer.h"
#include "exporter/common/atomic_file.h"
#include "exporter/common/log.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

int Fail(std::string_view text, int code) {
  fmt::print(stderr, "{}\n", text);
  return code;
}

}  // namespace

int RunProfileTrain(const ProfileTrainOptions& options) {
  if (options.inputs.empty() || options.output.empty()) {
    return Fail(
        "train --profiles: expected --output FILE and recordings to read; see limpet-diagnoser "
        "train --help",
        2);
  }
  const auto seed = ParseU64(options.seed);
  if (!seed || *seed > INT64_MAX) {
    return Fail("train --profiles: --seed: expected a number, got \"" + options.seed + "\"", 2);
  }
  auto config = LoadDiagnoserConfig(options.config_file, "", ConfigUse::kTrain);
  if (!config) {
    return Fail(config.error().Text(), 2);
  }
  if (!CanBeWritten(options.output)) {
    return Fail(options.output + ": expected a file in a folder that can be written to", 1);
  }
  const auto log = StderrLog(config->log_level);
  auto& pipeline = config->pipeline;
  pipeline.groups.clear();  // host metrics alone
  pipeline.thresholds.clear();
  pipeline.profiles = PlanForTraining(config->profiles.plan);
  ProfileTrainer trainer;
  ProgressLine progress("training on");
  const auto report = Replay(
      pipeline, options.inputs, [&](const Event& event) { trainer.Learn(event); }, log,
      [&](UnixTime at, const ReplayReport& so_far) { progress.Show(at, so_far); });
  progress.Clear();
  if (!report) {
    return Fail(report.error().Text(), 1);
  }
  SayHowFilesWere(*report, log);
  const auto trained = trainer.Finish(
      {.seed = *seed, .rule = config->profiles.plan.rule, .metrics = config->profiles.metrics});
  if (!trained) {
    return Fail(
        "train --profiles: " + trained.error().Text() + ". " + options.output + " is as it was", 1);
  }
  if (const auto written =
          WriteFileAtomically(options.output, PrintProfileModel(trained->model, trained->notes));
      !written) {
    return Fail(written.error().Text(), 1);
  }
  for (const auto& note : trained->notes) {
    fmt::print("{}\n", note);
  }
  fmt::print("threshold {}\nwritten: {}\n", trained->model.threshold, options.output);
  return 0;
}

}  // namespace limpet
