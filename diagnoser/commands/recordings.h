// recordings.h: how commands read recordings: with a progress line on a terminal, and a word about
// files that were cut off or damaged.
//
// Threads: one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "diagnoser/commands/progress_line.h"
#include "diagnoser/config/config.h"
#include "diagnoser/runtime/replay.h"
#include "diagnoser/view/judge_servers.h"

namespace limpet {

// LoadDiagnoserConfig for these recordings: what nobody chose follows from the time between their
// readings. A note when that is too long for all presets.
[[nodiscard]] Result<DiagnoserConfig> LoadConfigFor(const std::vector<std::string>& inputs,
                                                    const std::string& config_file,
                                                    const std::string& thresholds_file,
                                                    ConfigUse use = ConfigUse::kDiagnose);

// Replay (replay.h). hooks.progress is set.
[[nodiscard]] Result<ReplayReport> ReplayWithProgress(ProgressSettings settings,
                                                      PipelineConfig config,
                                                      const ReplayInput& input, ReplayHooks hooks,
                                                      const LogSink& log);
// The rules that the servers of a replay are judged by.
struct ReplayRules {
  std::vector<PresetSettings> presets;
  std::optional<Duration> data_step;
};
// Must be called before the configuration is moved into the replay.
[[nodiscard]] ReplayRules RulesOf(const DiagnoserConfig& config);
// Returns judgements as of the last reading.
[[nodiscard]] Judgements JudgeReplay(const ReplayReport& report, const ReplayRules& rules);
// The text for a user whose store has nothing of the span.
inline constexpr const char* kEmptyStore =
    "nothing could be read: the store has no series that a peer group compares between --from and "
    "--to; look at url, selector and node_label of the section prometheus";
// Returns what to tell a user when no window of a replay compared anything; empty: some did.
[[nodiscard]] std::string FindMisfit(const ReplayReport& report, const ReplayRules& rules);
// A hook for commands that look at each event by itself.
[[nodiscard]] std::function<void(const std::vector<Event>&)> ForEachEvent(
    std::function<void(const Event&)> sink);

// Sets the roles of a configuration without peer groups and targets: it takes the roles that the
// recordings tell of: clients are no peers of servers.
[[nodiscard]] DiagnoserConfig WithRecordedGroups(DiagnoserConfig config,
                                                 const std::vector<std::string>& inputs);

// Logs what a user should know about the files that were read.
void LogDamage(const ReplayReport& report, const LogSink& log);

}  // namespace limpet
