#include "diagnoser/config/config.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "diagnoser/config/trained.h"
#include "diagnoser/detect/syscalls/training_text.h"
#include "exporter/common/regular_file.h"

namespace limpet {
namespace {

Result<void> AddThresholds(std::vector<Thresholds> trained, const std::string& file,
                           DiagnoserConfig& config) {
  // Thresholds are those of all shards, of targets that may not have been found yet.
  auto all_shards = config.pipeline;
  all_shards.groups = config.all_groups;
  auto notes = UseThresholds(
      std::move(trained), file,
      config.discovery.empty() ? config.fixed_targets : std::vector<Target>(), all_shards);
  if (!notes) {
    return notes.error();
  }
  config.thresholds = std::move(all_shards.thresholds);
  config.pipeline.thresholds = config.thresholds;
  std::move(notes->begin(), notes->end(), std::back_inserter(config.notes));
  return {};
}

}  // namespace

DiagnoserConfig WithTargets(DiagnoserConfig config, std::vector<Target> targets) {
  // Groups of roles that the old plan knew stay: see MakePlan.
  auto plan = MakePlan(config, std::move(targets), config.all_groups);
  return {std::move(config), std::move(plan)};
}

Result<DiagnoserConfig> ParseDiagnoserConfig(std::string_view text, const std::string& file,
                                             const ReadTextFile& read_file, ConfigUse use,
                                             std::optional<Duration> data_step) {
  auto settings = ParseSettings(text, file, read_file, use, data_step);
  if (!settings) {
    return settings.error();
  }
  // Lists and stores have not been asked yet; who runs for long makes another plan when they have.
  auto plan = MakePlan(*settings, settings->fixed_targets);
  std::string problems;
  for (const auto& problem : CheckPipelineConfig(plan.pipeline)) {
    problems.append(problems.empty() ? "" : "\n").append(file).append(": ").append(problem);
  }
  if (!problems.empty()) {
    return Error{ErrorCode::kInvalid, problems, ""};
  }
  return DiagnoserConfig{*std::move(settings), std::move(plan)};
}

Result<DiagnoserConfig> LoadDiagnoserConfig(const std::string& file, const std::string& thresholds,
                                            ConfigUse use, std::optional<Duration> data_step) {
  const ReadTextFile read_file = [](const std::string& path) { return ReadRegularFile(path); };
  const auto text = read_file(file);
  if (!text) {
    return text.error();
  }
  auto config = ParseDiagnoserConfig(*text, file, read_file, use, data_step);
  if (!config || thresholds.empty()) {
    return config;
  }
  const auto trained = read_file(thresholds);
  if (!trained) {
    auto error = trained.error();
    error.message += "; expected the file that limpet-diagnoser train has written";
    return error;
  }
  auto parsed = ParseThresholds(*trained, thresholds);
  if (!parsed) {
    return parsed.error();
  }
  auto syscalls = ParseSyscallTraining(*trained, thresholds);
  if (!syscalls) {
    return syscalls.error();
  }
  config->syscalls.training = *std::move(syscalls);
  if (config->pipeline.syscalls) {
    config->pipeline.syscalls->training = config->syscalls.training;
  }
  if (const auto added = AddThresholds(std::move(*parsed), thresholds, *config); !added) {
    return added.error();
  }
  return config;
}

}  // namespace limpet
