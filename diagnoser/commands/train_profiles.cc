#include "diagnoser/commands/train_profiles.h"

#include <fmt/format.h>

#include <utility>

#include "diagnoser/commands/messages.h"
#include "diagnoser/commands/recordings.h"
#include "diagnoser/training/profile_trainer.h"
#include "exporter/common/atomic_file.h"

namespace limpet {
namespace {

// Profiles are of host metrics alone: comparing disks meanwhile would cost time and change nothing.
PipelineConfig HostMetricsOnly(const DiagnoserConfig& config) {
  auto pipeline = config.pipeline;
  pipeline.groups.clear();
  pipeline.thresholds.clear();
  pipeline.profiles = PlanForTraining(config.profiles.plan);
  return pipeline;
}

}  // namespace

int TrainProfiles(const TrainOptions& options, const DiagnoserConfig& config) {
  const auto log = StderrLog(config.log_level);
  ProfileTrainer trainer;
  Workers workers(HelperThreads(options.jobs));
  const auto report = ReplayWithProgress(
      {.doing = "learning from", .style = options.progress}, HostMetricsOnly(config),
      {.paths = options.inputs, .workers = &workers},
      {.events = ForEachEvent([&](const Event& event) { trainer.Learn(event); })}, log);
  if (!report) {
    return Fail(report.error().Text(), kExitFailed);
  }
  const auto trained = trainer.Finish({.seed = options.seed,
                                       .rule = config.profiles.plan.rule,
                                       .metrics = config.profiles.metrics});
  if (!trained) {
    return Fail(fmt::format("train --profiles: {}. {} was not changed", trained.error().Text(),
                            options.output),
                kExitFailed);
  }
  const auto text = PrintProfileModel(trained->model, trained->notes);
  if (const auto written = WriteFileAtomically(options.output, text); !written) {
    return Fail(written.error().Text(), kExitFailed);
  }
  for (const auto& note : trained->notes) {
    fmt::print("{}\n", note);
  }
  fmt::print("threshold {}\nwrote {}\n", trained->model.threshold, options.output);
  return kExitOk;
}

}  // namespace limpet
