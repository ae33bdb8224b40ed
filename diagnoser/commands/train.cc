#include "diagnoser/commands/train.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <utility>

#include "diagnoser/commands/progress_line.h"
#include "diagnoser/config/config.h"
#include "diagnoser/runtime/replay.h"
#include "diagnoser/training/trainer.h"
#include "exporter/common/atomic_file.h"
#include "exporter/common/log.h"

namespace limpet {
namespace {

constexpr std::size_t kMaxNotesShown = 20;  // all of them are in the file

int Fail(std::string_view text, int code) {
  fmt::print(stderr, "{}\n", text);
  return code;
}

// How long recordings must be for one window of the preset, and for all that a flag looks at.
std::string TimeWanted(const PresetSettings& preset) {
  const auto window = ToSeconds(preset.step) * static_cast<double>(preset.window);
  const auto shift = ToSeconds(preset.step) * static_cast<double>(preset.shift);
  return fmt::format("a window takes {} s, a flag looks at {} s", window,
                     window + shift * static_cast<double>(2 * preset.k - 2));
}

void Tell(const TrainedPreset& trained, const LogSink& log) {
  std::size_t thresholds = 0;
  for (const auto& [group, metrics] : trained.thresholds.components) {
    for (const auto& [metric, components] : metrics) {
      thresholds += components.size();
    }
  }
  fmt::print("preset {}: {} window times, {} thresholds in {} peer groups\n",
             trained.thresholds.preset, trained.windows, thresholds,
             trained.thresholds.components.size());
  for (std::size_t i = 0; i < trained.notes.size() && i < kMaxNotesShown; ++i) {
    log(LogLevel::kWarning, trained.thresholds.preset + ": " + trained.notes[i]);
  }
  if (trained.notes.size() > kMaxNotesShown) {
    log(LogLevel::kWarning,
        fmt::format("{}: {} more notes are in the file", trained.thresholds.preset,
                    trained.notes.size() - kMaxNotesShown));
  }
}

}  // namespace

bool CanBeWritten(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  return !std::filesystem::is_directory(path, ignored) &&
         ::access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
}

int RunTrain(const TrainOptions& options) {
  if (options.inputs.empty() || options.output.empty()) {
    return Fail(
        "train: expected --output FILE and recordings to read; see limpet-diagnoser train --help",
        2);
  }
  const auto config = LoadDiagnoserConfig(options.config_file, "", ConfigUse::kTrain);
  if (!config) {
    return Fail(config.error().Text(), 2);
  }
  if (!CanBeWritten(options.output)) {
    return Fail(options.output + ": expected a file in a folder that can be written to", 1);
  }
  const auto& presets = config->pipeline.presets;
  const auto log = StderrLog(config->log_level);
  Trainer trainer(presets, RecentGroups(config->pipeline));
  ProgressLine progress("training on");
  const auto report = Replay(
      ConfigForTraining(config->pipeline), options.inputs,
      [&](const Event& event) { trainer.Learn(event); }, log,
      [&](UnixTime at, const ReplayReport& so_far) { progress.Show(at, so_far); });
  progress.Clear();
  if (!report) {
    return Fail(report.error().Text(), 1);
  }
  SayHowFilesWere(*report, log);

  TrainingFile file{.program = std::string("limpet-diagnoser ") + LIMPET_VERSION,
                    .inputs = options.inputs,
                    .from = report->first,
                    .to = report->last,
                    .presets = {}};
  const bool only_cwnd =
      std::all_of(config->pipeline.groups.begin(), config->pipeline.groups.end(),
                  [](const PeerGroupRule& group) { return group.kind == GroupKind::kCwnd; });
  auto trained = trainer.Finish();
  for (std::size_t i = 0; i < trained.size(); ++i) {
    const auto& thresholds = trained[i].thresholds;
    if (thresholds.components.empty() && !(only_cwnd && !thresholds.cwnd.empty())) {
      log(LogLevel::kWarning,
          fmt::format("preset {}: no window with three peers and above the noise floor to train "
                      "on; it is not in the file ({})",
                      presets[i].name, TimeWanted(presets[i])));
      continue;
    }
    file.presets.push_back(std::move(trained[i]));
  }
  if (file.presets.empty()) {
    return Fail(fmt::format("train: nothing to train on in {} samples: no window of any preset had "
                            "three peers; check the recordings' length and roles, and peer_groups. "
                            "{} is as it was",
                            report->samples, options.output),
                1);
  }
  if (const auto written = WriteFileAtomically(options.output, ThresholdsText(file)); !written) {
    return Fail(written.error().Text(), 1);
  }
  for (const auto& one : file.presets) {
    Tell(one, log);
  }
  fmt::print("written: {}\n", options.output);
  return 0;
}

}  // namespace limpet
