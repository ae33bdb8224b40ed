#include "diagnoser/commands/recordings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "diagnoser/config/groups.h"
#include "diagnoser/config/shard.h"
#include "diagnoser/runtime/recorded_roles.h"
#include "diagnoser/runtime/recorded_step.h"

namespace limpet {

Result<DiagnoserConfig> LoadConfigFor(const std::vector<std::string>& inputs,
                                      const std::string& config_file,
                                      const std::string& thresholds_file, ConfigUse use) {
  const auto step = FindRecordedStep(inputs);
  auto config = LoadDiagnoserConfig(config_file, thresholds_file, use, step);
  if (!config || !step) {
    return config;
  }
  // A preset of its own for every second would say "0 verdicts" of such a day, which reads as
  // health. Told, not refused: the step is a guess from one series.
  const auto& presets = config->pipeline.presets;
  const auto widest =
      std::max_element(presets.begin(), presets.end(),
                       [](const auto& a, const auto& b) { return a.MaxGap() < b.MaxGap(); });
  if (*step > widest->MaxGap()) {
    config->notes.push_back(fmt::format(
        "the readings of these recordings are about {} s apart, and preset {} takes none further "
        "apart than {} s: samples will be missing; give a preset `step: {}s`, or leave presets out",
        ToSeconds(*step), widest->name, ToSeconds(widest->MaxGap()), ToSeconds(*step)));
  }
  return config;
}

Result<ReplayReport> ReplayWithProgress(ProgressSettings settings, PipelineConfig config,
                                        const ReplayInput& input, ReplayHooks hooks,
                                        const LogSink& log) {
  settings.to = input.range.to;
  ProgressLine progress(std::move(settings));
  hooks.progress = [&](UnixTime at, const ReplayReport& so_far) { progress.Show(at, so_far); };
  auto report = Replay(std::move(config), input, hooks, log);
  progress.Clear(report ? &*report : nullptr);  // before anything else is written to the terminal
  if (report) {
    LogDamage(*report, log);
  }
  return report;
}

ReplayRules RulesOf(const DiagnoserConfig& config) {
  return {.presets = config.pipeline.presets, .data_step = config.data_step};
}

Judgements JudgeReplay(const ReplayReport& report, const ReplayRules& rules) {
  return JudgeServers({.view = &report.view,
                       .presets = rules.presets,
                       .now = report.view.last_reading.value_or(UnixTime()),
                       .known = {},
                       .data_step = rules.data_step});
}

std::string FindMisfit(const ReplayReport& report, const ReplayRules& rules) {
  if (report.samples == 0) {
    return report.bad_lines > 0
               ? fmt::format(
                     "nothing could be read: none of {} lines is a sample of a recording "
                     "(docs/formats/recording.md)",
                     report.bad_lines)
               : "nothing could be read: there is no sample in these recordings, or none between "
                 "--from and --to";
  }
  if (report.mapped == 0) {
    return fmt::format(
        "nothing could be compared: none of {} samples is of a disk, interface, server or "
        "connection of any peer group; peer_groups in the configuration say which roles, devices "
        "and labels take part",
        report.samples);
  }
  // Profiles and system calls judge whole nodes without windows.
  const auto& view = report.view;
  const bool any_custom =
      view.custom && std::ranges::any_of(view.custom->metrics, [](const CustomMetricStatus& one) {
        return one.compared > 0;
      });
  if (view.counters.compared == 0 && !view.profiles && !view.syscalls && !any_custom) {
    return "nothing was compared: " + JudgeReplay(report, rules).text;
  }
  return {};
}

std::function<void(const std::vector<Event>&)> ForEachEvent(
    std::function<void(const Event&)> sink) {
  return [sink = std::move(sink)](const std::vector<Event>& events) {
    for (const auto& event : events) {
      sink(event);
    }
  };
}

DiagnoserConfig WithRecordedGroups(DiagnoserConfig config, const std::vector<std::string>& inputs) {
  if (config.groups.empty() && config.fixed_targets.empty() && config.discovery.empty() &&
      !config.store) {
    config.all_groups = RecordedGroups(FindRecordedRoles(inputs));
    config.pipeline.groups = WithKinds(SelectGroups(config.shard, config.all_groups));
  }
  return config;
}

void LogDamage(const ReplayReport& report, const LogSink& log) {
  // A host that lost power leaves such a file; what is complete in it is as good as any other.
  for (const auto& path : report.cut) {
    log(LogLevel::kWarning, path + ": ends in the middle; read up to its last complete line");
  }
  if (report.bad_lines > 0) {
    log(LogLevel::kWarning, fmt::format("skipped {} lines that are not samples", report.bad_lines));
  }
}

}  // namespace limpet
