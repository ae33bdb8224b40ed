#include "diagnoser/commands/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "diagnoser/commands/messages.h"
#include "diagnoser/sources/open_recording.h"
#include "diagnoser/sources/recording_export.h"
#include "diagnoser/sources/recording_set.h"
#include "exporter/common/log.h"

namespace limpet {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File OpenOutput(const std::string& path) {
  // Standard output stays open for whoever else writes to it.
  return path == "-" ? File(stdout, [](std::FILE*) { return 0; })
                     : File(std::fopen(path.c_str(), "we"), &std::fclose);
}

// In the order of their first samples, as the export wants them. Those without one are left out.
Result<std::vector<Recording>> OpenInOrder(const std::vector<std::string>& inputs,
                                           const LogSink& log) {
  const auto paths = FindRecordings(inputs);
  if (!paths) {
    return paths.error();
  }
  std::vector<std::pair<UnixTime, Recording>> ordered;
  for (const auto& path : *paths) {
    auto recording = OpenRecording(path, log);
    if (!recording) {
      return recording.error();
    }
    const auto first = recording->Peek();
    if (!first) {
      return first.error();
    }
    if (*first) {
      recording->ReleaseBuffers();
      ordered.emplace_back(**first, *std::move(recording));
    }
  }
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Recording> recordings;
  recordings.reserve(ordered.size());
  for (auto& [first, recording] : ordered) {
    recordings.push_back(std::move(recording));
  }
  return recordings;
}

bool Write(std::string_view text, std::FILE* output) {
  return std::fwrite(text.data(), 1, text.size(), output) == text.size();
}

// False when the output takes no more. What a damaged file says before its damage counts.
bool ExportOne(Recording& recording, RecordingExport& exporting, std::FILE* output,
               const LogSink& log) {
  exporting.BeginFile();
  for (;;) {
    const auto piece = recording.Next(UnixTime::max());
    if (!piece) {
      log(LogLevel::kWarning, piece.error().Text());
      return true;
    }
    if (!*piece) {
      break;
    }
    if (!Write(exporting.Convert((*piece)->text, (*piece)->format), output)) {
      return false;
    }
  }
  if (recording.Cut()) {
    log(LogLevel::kWarning,
        recording.Path() + ": ends in the middle; exported up to its last complete line");
  }
  return true;
}

void Tell(const RecordingExport::Counts& total, std::size_t files, const LogSink& log) {
  log(LogLevel::kInfo, fmt::format("exported {} samples of {} recordings", total.samples, files));
  if (total.repeated > 0) {
    log(LogLevel::kWarning,
        fmt::format("left out {} samples of instants that an earlier recording of the same node "
                    "has: its clock was set back",
                    total.repeated));
  }
  if (total.bad > 0) {
    log(LogLevel::kWarning, fmt::format("left out {} lines that are not samples", total.bad));
  }
}

}  // namespace

void ExportOptions::Bind(Flags& flags) {
  flags.Add(output, "--output", "FILE", "file to write to; - is standard output");
  flags.Add(job, "--job", "NAME", "label `job` of every series; empty for none");
  flags.AddInputs(inputs, "INPUT", "recordings, or folders of them");
}

int RunExport(const ExportOptions& options) {
  const auto log = StderrLog(LogLevel::kInfo);
  if (options.inputs.empty()) {
    return Fail("export: expected recordings or folders with recordings", kExitUsage);
  }
  if (options.job.find_first_of("\"\\\n") != std::string::npos) {
    return Fail("--job: expected a name without quotes and backslashes", kExitUsage);
  }
  auto recordings = OpenInOrder(options.inputs, log);
  if (!recordings) {
    return Fail(recordings.error().Text(), kExitFailed);
  }
  const auto output = OpenOutput(options.output);
  if (!output) {
    return Fail(
        options.output + ": cannot be written; --output names a file in a folder that exists",
        kExitFailed);
  }
  RecordingExport exporting(options.job);
  bool written = true;
  for (auto& recording : *recordings) {
    written = written && ExportOne(recording, exporting, output.get(), log);
  }
  if (!written || !Write("# EOF\n", output.get()) || std::fflush(output.get()) != 0) {
    return Fail(options.output + ": not all samples could be written", kExitFailed);
  }
  Tell(exporting.Total(), recordings->size(), log);
  if (exporting.Total().samples == 0) {
    return Fail("export: there is no sample with a time in these files", kExitFailed);
  }
  return kExitOk;
}

}  // namespace limpet
