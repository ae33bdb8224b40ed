#include "diagnoser/replay_command.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>

#include "diagnoser/config.h"
#include "diagnoser/progress_line.h"
#include "diagnoser/publish/event_text.h"
#include "diagnoser/publish/events.h"
#include "diagnoser/replay.h"
#include "exporter/common/log.h"

namespace limpet {
namespace {

int Fail(std::string_view text, int code) {
  fmt::print(stderr, "{}\n", text);
  return code;
}

struct CloseFile {
  void operator()(std::FILE* file) const {
    if (file != stdout) {
      std::fclose(file);
    }
  }
};
using FilePtr = std::unique_ptr<std::FILE, CloseFile>;

}  // namespace

int RunReplay(const ReplayOptions& options) {
  if (options.inputs.empty()) {
    return Fail("replay: expected recordings to read; see limpet-diagnoser replay --help", 2);
  }
  if (options.format != "jsonl" && options.format != "text") {
    return Fail("replay: --format: expected jsonl or text, got \"" + options.format + "\"", 2);
  }
  auto config = LoadDiagnoserConfig(options.config_file, options.thresholds_file);
  if (!config) {
    return Fail(config.error().Text(), 2);
  }
  const FilePtr output(options.output == "-" ? stdout : std::fopen(options.output.c_str(), "we"));
  if (!output) {
    return Fail(options.output + ": cannot be written", 1);
  }
  const bool json = options.format == "jsonl";
  bool written = true;
  const auto sink = [&](const Event& event) {
    const auto text = json ? ToJsonLine(event) : EventText(event);
    written = written && std::fwrite(text.data(), 1, text.size(), output.get()) == text.size();
  };
  ProgressLine progress("replaying");
  const auto log = StderrLog(config->log_level);
  for (const auto& note : config->notes) {
    log(LogLevel::kWarning, note);
  }
  const auto report =
      Replay(std::move(config->pipeline), options.inputs, sink, log,
             [&](UnixTime at, const ReplayReport& so_far) { progress.Show(at, so_far); });
  progress.Clear();
  if (!report) {
    return Fail(report.error().Text(), 1);
  }
  if (!written || std::fflush(output.get()) != 0) {
    return Fail(options.output + ": not all events could be written", 1);
  }
  SayHowFilesWere(*report, log);
  return 0;
}

}  // namespace limpet
