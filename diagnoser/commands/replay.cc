#include "diagnoser/commands/replay.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "diagnoser/commands/progress_line.h"
#include "diagnoser/config/config.h"
#include "diagnoser/publish/event_text.h"
#include "diagnoser/publish/events.h"
#include "diagnoser/runtime/replay.h"
#include "diagnoser/runtime/store_replay.h"
#include "diagnoser/sources/address.h"
#include "exporter/common/log.h"
#include "exporter/common/yaml.h"

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

Error Expected(const std::string& flag, const std::string& what, const std::string& text) {
  return {ErrorCode::kInvalid, "expected " + what + ", got \"" + text + "\"", flag};
}

// How the store lets us in stands in the configuration's section `prometheus`.
Result<StoreSpan> SpanOf(const ReplayOptions& options, const DiagnoserConfig& config) {
  StoreSpan span{.settings = config.store.value_or(StoreSettings()), .wants = {}};
  const auto url = ParseResourceUrl(options.prometheus);
  if (!url) {
    return Expected("--prometheus", "a URL such as http://localhost:9090", options.prometheus);
  }
  auto& endpoint = span.settings.endpoint;
  endpoint.host = url->host;
  endpoint.port = url->port;
  endpoint.https = url->https;
  endpoint.path = url->path;
  while (endpoint.path.ends_with('/')) {
    endpoint.path.pop_back();
  }
  if (!options.step.empty()) {
    const auto step = yaml::ParseDuration(options.step);
    if (!step || *step < std::chrono::seconds(1)) {
      return Expected("--step", "a time of at least 1s such as 15s", options.step);
    }
    span.settings.step = *step;
  }
  for (const auto& preset : config.pipeline.presets) {
    if (span.settings.step > preset.MaxGap()) {
      return Error{ErrorCode::kInvalid,
                   "preset " + preset.name +
                       " wants readings closer together than that: every sample would be missing",
                   "--step"};
    }
  }
  const auto begin = ParseInstant(options.start);
  const auto end = ParseInstant(options.end);
  const std::string instant = "an instant such as 2026-01-31T10:00:00Z or Unix seconds";
  if (!begin) {
    return Expected("--start", instant, options.start);
  }
  if (!end || *end < *begin + span.settings.step) {
    return Expected("--end", instant + ", at least a step after --start", options.end);
  }
  span.begin = *begin;
  span.end = *end;
  span.wants = WantsOf(config.pipeline.groups, span.settings.step);
  return span;
}

}  // namespace

int RunReplay(const ReplayOptions& options) {
  if (!options.prometheus.empty() && !options.inputs.empty()) {
    return Fail("replay: expected either --prometheus or recordings, not both", 2);
  }
  if (options.inputs.empty() && options.prometheus.empty()) {
    return Fail("replay: expected recordings to read; see limpet-diagnoser replay --help", 2);
  }
  if (options.format != "jsonl" && options.format != "text") {
    return Fail("replay: --format: expected jsonl or text, got \"" + options.format + "\"", 2);
  }
  auto config = LoadDiagnoserConfig(options.config_file, options.thresholds_file);
  if (!config) {
    return Fail(config.error().Text(), 2);
  }
  if (auto& profiles = config->pipeline.profiles) {
    profiles->wait = config->profiles.wait.value_or(true);
    profiles->events = config->profiles.events.value_or(true);
  }
  std::optional<StoreSpan> span;
  if (!options.prometheus.empty()) {
    auto found = SpanOf(options, *config);
    if (!found) {
      return Fail("replay: " + found.error().Text(), 2);
    }
    span = std::move(*found);
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
  const ReplayProgress show = [&](UnixTime at, const ReplayReport& so_far) {
    progress.Show(at, so_far);
  };
  const auto report =
      span ? ReplayStore(std::move(config->pipeline), std::move(*span), sink, log, show)
           : Replay(std::move(config->pipeline), options.inputs, sink, log, show);
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
