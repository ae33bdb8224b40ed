#include "diagnoser/commands/train.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "diagnoser/commands/messages.h"
#include "diagnoser/commands/recordings.h"
#include "diagnoser/commands/train_profiles.h"
#include "diagnoser/config/config.h"
#include "diagnoser/detect/syscalls/training_text.h"
#include "diagnoser/publish/peer_lines.h"
#include "diagnoser/publish/peer_picture.h"
#include "diagnoser/training/syscall_trainer.h"
#include "diagnoser/training/trainer.h"
#include "exporter/common/atomic_file.h"

namespace limpet {
namespace {

constexpr std::size_t kMaxNotesShown = 20;  // all of them are in the file

// Hours of reading must not end in a folder that does not exist.
bool CanBeWritten(const std::string& path) {
  // The folder must be writable, not the file: a new file is renamed over the old one.
  const auto folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  return !std::filesystem::is_directory(path, ignored) &&
         ::access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
}

// Returns what is wrong with the first file that cannot be written; empty: nothing.
std::string FindUnwritable(const TrainOptions& options) {
  for (const auto& [flag, path] :
       {std::pair("--output", options.output), std::pair("--picture", options.picture)}) {
    if (!path.empty() && !CanBeWritten(path)) {
      return fmt::format("{}: {}: expected a file in a folder that can be written to", path, flag);
    }
  }
  return {};
}

// How long recordings must be for one window of the preset, and for all that a flag looks at.
std::string RequiredTime(const PresetSettings& preset) {
  const auto window = ToSeconds(preset.step) * static_cast<double>(preset.window);
  const auto shift = ToSeconds(preset.step) * static_cast<double>(preset.shift);
  return fmt::format("a window takes {} s, a flag looks at {} s", window,
                     window + shift * static_cast<double>(2 * preset.k - 2));
}

void Report(const TrainedPreset& trained, const LogSink& log) {
  std::size_t thresholds = 0;
  for (const auto& [group, metrics] : trained.thresholds.components) {
    for (const auto& [metric, components] : metrics) {
      thresholds += components.size();
    }
  }
  fmt::print("preset {}: {} window times, {} thresholds in {} peer groups\n",
             trained.thresholds.preset, trained.windows, thresholds,
             trained.thresholds.components.size());
  // A fleet of thousands has thousands of notes, one for each component that is new or gone.
  for (std::size_t i = 0; i < trained.notes.size() && i < kMaxNotesShown; ++i) {
    log(LogLevel::kWarning, trained.thresholds.preset + ": " + trained.notes[i]);
  }
  if (trained.notes.size() > kMaxNotesShown) {
    log(LogLevel::kWarning,
        fmt::format("{}: {} more notes are in the file", trained.thresholds.preset,
                    trained.notes.size() - kMaxNotesShown));
  }
}

void Report(const SyscallTraining& trained, const LogSink& log) {
  for (const auto& [role, metrics] : trained.service) {
    std::size_t thresholds = 0;
    for (const auto& metric : metrics) {
      thresholds += metric.deviations.size();
    }
    const auto errors = trained.errors.find(role);
    fmt::print("system calls of {}: {} thresholds, {} errors that are normal\n", role, thresholds,
               errors == trained.errors.end() ? 0 : errors->second.size());
  }
  for (const auto& note : SyscallTrainer::Notes(trained)) {
    log(LogLevel::kWarning, "system calls: " + note);
  }
}

bool OnlyCongestionWindows(const std::vector<PeerGroupRule>& groups) {
  return std::all_of(groups.begin(), groups.end(),
                     [](const PeerGroupRule& group) { return KindRow(group.kind).by_connection; });
}

// The presets that learned something; a preset without windows is left out, so that check-config
// says so instead of using a file without numbers.
std::vector<TrainedPreset> Learned(std::vector<TrainedPreset> trained, const PipelineConfig& config,
                                   const LogSink& log) {
  // Every preset has the same thresholds of congestion windows: they do not show that it learned.
  const bool only_cwnd = OnlyCongestionWindows(config.groups);
  std::vector<TrainedPreset> learned;
  for (std::size_t i = 0; i < trained.size(); ++i) {
    const auto& thresholds = trained[i].thresholds;
    if (!thresholds.components.empty() || (only_cwnd && !thresholds.cwnd.empty())) {
      learned.push_back(std::move(trained[i]));
      continue;
    }
    log(LogLevel::kWarning,
        fmt::format("preset {}: no window with three peers and above the noise floor to train on; "
                    "it is not in the file ({})",
                    config.presets[i].name, RequiredTime(config.presets[i])));
  }
  return learned;
}

// Writes the files and tells what is in them; the exit code. As a whole or not at all: serve may be
// loading the old thresholds at this moment.
int WriteFiles(const TrainOptions& options, const TrainingFile& file,
               const SyscallTraining& of_syscalls, const PeerLines& lines, const LogSink& log) {
  const auto written =
      WriteFileAtomically(options.output, ThresholdsText(file) + SyscallTrainingText(of_syscalls));
  if (!written) {
    return Fail(written.error().Text(), kExitFailed);
  }
  for (const auto& preset : file.presets) {
    Report(preset, log);
  }
  Report(of_syscalls, log);
  fmt::print("wrote {}\n", options.output);
  if (options.picture.empty()) {
    return kExitOk;
  }
  const auto drawn =
      WriteFileAtomically(options.picture, PeerPicture(lines.Finish(), lines.LeftOut()));
  if (!drawn) {
    return Fail(drawn.error().Text(), kExitFailed);
  }
  fmt::print("wrote {}\n", options.picture);
  return kExitOk;
}

int TrainThresholds(const TrainOptions& options, const DiagnoserConfig& config) {
  const auto log = StderrLog(config.log_level);
  // Degrees are learned as they are measured: without old thresholds, and never as bounds.
  const auto measured = ConfigForTraining(config.pipeline);
  Trainer trainer(measured.presets, RecentGroups(measured));
  SyscallTrainer syscalls;
  PeerLines lines(measured.presets.front().name);
  Workers workers(HelperThreads(options.jobs));
  const auto report = ReplayWithProgress({.doing = "learning from", .style = options.progress},
                                         measured, {.paths = options.inputs, .workers = &workers},
                                         {.events = ForEachEvent([&](const Event& event) {
                                            trainer.Learn(event);
                                            syscalls.Learn(event);
                                            const auto* window = std::get_if<WindowEvent>(&event);
                                            if (window != nullptr && !options.picture.empty()) {
                                              lines.Add(*window);
                                            }
                                          })},
                                         log);
  if (!report) {
    return Fail(report.error().Text(), kExitFailed);
  }
  // Program, inputs and time range are for people who find the file a year later.
  const TrainingFile file{.program = std::string("limpet-diagnoser ") + LIMPET_VERSION,
                          .inputs = options.inputs,
                          .from = report->first,
                          .to = report->last,
                          .presets = Learned(trainer.Finish(), measured, log)};
  const auto of_syscalls = syscalls.Finish();
  if (file.presets.empty() && of_syscalls.Empty()) {
    return Fail(fmt::format("train: nothing to train on in {} samples: no window of any preset had "
                            "three peers, and no system call is in them; check the length and "
                            "roles of the recordings, and peer_groups. {} was not changed",
                            report->samples, options.output),
                kExitFailed);
  }
  return WriteFiles(options, file, of_syscalls, lines, log);
}

}  // namespace

void TrainOptions::Bind(Flags& flags) {
  BindConfigFile(flags, config_file);
  flags.Add(output, "--output", "FILE", "file to write (required); replaced as a whole");
  flags.Add(picture, "--picture", "FILE",
            "SVG file to write too: the peers over one another, a chart a metric, to look at "
            "before you trust the thresholds");
  flags.Add(profiles, "--profiles",
            "learn behaviour profiles of host metrics instead of thresholds, for profiles.model");
  flags.AddNumber(seed, "--seed", "NUMBER", "with --profiles: seed of the random starts", 0,
                  std::numeric_limits<std::int64_t>::max());
  BindJobs(flags, jobs);
  BindProgress(flags, progress);
  BindRecordings(flags, inputs);
}

int RunTrain(const TrainOptions& options) {
  if (options.inputs.empty() || options.output.empty()) {
    return Fail(
        "train: expected --output FILE and recordings to read; see limpet-diagnoser train --help",
        kExitUsage);
  }
  if (options.profiles && !options.picture.empty()) {
    return Fail("train: --picture shows what thresholds are trained on: leave out --profiles",
                kExitUsage);
  }
  if (options.picture == options.output) {
    return Fail("train: --picture and --output: expected two files", kExitUsage);
  }
  auto config = LoadConfigFor(options.inputs, options.config_file, "", ConfigUse::kTrain);
  if (!config) {
    return RefuseConfig(config.error(), options.config_file);
  }
  if (const auto wrong = FindUnwritable(options); !wrong.empty()) {
    return Fail(wrong, kExitFailed);
  }
  LogNotes(config->notes, StderrLog(config->log_level));
  return options.profiles
             ? TrainProfiles(options, *config)
             : TrainThresholds(options, WithRecordedGroups(*std::move(config), options.inputs));
}

}  // namespace limpet
