#include "diagnoser/commands/recordings.h"

#include <fmt/format.h>

#include <utility>

#include "diagnoser/commands/progress_line.h"

namespace limpet {

Result<ReplayReport> ReplayWithProgress(std::string_view doing, PipelineConfig config,
                                        const std::vector<std::string>& inputs,
                                        const std::function<void(const Event&)>& sink,
                                        const LogSink& log) {
  ProgressLine progress(doing);
  auto report = Replay(std::move(config), inputs, sink, log,
                       [&](UnixTime at, const ReplayReport& so_far) { progress.Show(at, so_far); });
  progress.Clear();  // before anything else is written to the terminal
  if (report) {
    LogDamage(*report, log);
  }
  return report;
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
