#include "diagnoser/commands/replay.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/commands/messages.h"
#include "diagnoser/commands/progress_line.h"
#include "diagnoser/commands/recordings.h"
#include "diagnoser/commands/replay_ui.h"
#include "diagnoser/commands/store_span.h"
#include "diagnoser/commands/time_range.h"
#include "diagnoser/config/config.h"
#include "diagnoser/publish/event_text.h"
#include "diagnoser/publish/events.h"
#include "diagnoser/publish/incident_text.h"

namespace limpet {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const {
    if (file != stdout) {
      std::fclose(file);
    }
  }
};
using FilePtr = std::unique_ptr<std::FILE, CloseFile>;

FilePtr OpenOutput(const std::string& path) {
  // e: the descriptor is not inherited, should anything ever start another program.
  return FilePtr(path == "-" ? stdout : std::fopen(path.c_str(), "we"));
}

// Empty: nothing is wrong with the flags taken together.
std::string Contradiction(const ReplayOptions& options) {
  if (!options.prometheus.empty() && !options.inputs.empty()) {
    return "replay: expected either --prometheus or recordings, not both";
  }
  if (options.inputs.empty() && options.prometheus.empty()) {
    return "replay: expected recordings to read; see limpet-diagnoser replay --help";
  }
  if (options.ui && !options.prometheus.empty()) {
    return "replay: expected recordings with --ui, not a store";
  }
  return {};
}

// A replay has no one waiting for the next second: it fills in holes and writes every event unless
// the file says otherwise (docs/decisions/0091).
void SetProfileDefaults(DiagnoserConfig& config) {
  if (auto& syscalls = config.pipeline.syscalls) {
    syscalls->events = config.syscalls.events.value_or(true);
  }
  if (auto& profiles = config.pipeline.profiles) {
    profiles->wait = config.profiles.wait.value_or(true);
    profiles->events = config.profiles.events.value_or(true);
  }
}

Result<ReplayReport> ReplayStoreWithProgress(const ReplayOptions& options, PipelineConfig config,
                                             StoreSpan span,
                                             const std::function<void(const Event&)>& sink,
                                             const LogSink& log) {
  ProgressLine progress({.doing = "replaying", .style = options.progress, .to = span.end});
  auto report =
      ReplayStore(std::move(config), std::move(span), sink, log,
                  [&](UnixTime at, const ReplayReport& so_far) { progress.Show(at, so_far); });
  progress.Clear(report ? &*report : nullptr);
  if (report) {
    LogDamage(*report, log);
  }
  return report;
}

int ShowReplay(const ReplayOptions& options, DiagnoserConfig config, const TimeRange& range) {
  const auto log = StderrLog(config.log_level);
  LogNotes(config.notes, log);
  ReplayRecorder recorder(config.pipeline);
  Workers workers(HelperThreads(options.jobs));
  const auto report = ReplayWithProgress(
      {.doing = "replaying", .style = options.progress}, std::move(config.pipeline),
      {.paths = options.inputs, .range = range, .workers = &workers},
      {.events = [](const std::vector<Event>&) {},
       .observer =
           [&](const Pipeline& pipeline, UnixTime at, const std::vector<Event>& events) {
             recorder.Observe(pipeline, at, events);
           }},
      log);
  return report ? ServeReplay(recorder, report->view, options.listen_address, log)
                : Fail(report.error().Text(), kExitFailed);
}

// Writes what comes of a replay in the form that was asked for.
class EventWriter {
 public:
  EventWriter(const ReplayOptions& options, const std::vector<PresetSettings>& presets,
              std::FILE* output, Workers& workers)
      : json_(options.format == "jsonl"),
        incidents_(json_ || options.windows ? std::nullopt : std::optional<IncidentText>(presets)),
        output_(output),
        workers_(workers) {}

  // Events that came at once are printed on all threads, and written in their order.
  void Write(const std::vector<Event>& events) {
    if (incidents_) {
      for (const auto& event : events) {
        Put(incidents_->Add(event));
      }
      return;
    }
    texts_.resize(std::max(texts_.size(), events.size()));
    workers_.ForEach(events.size(), [&](std::size_t i) {
      texts_[i] = json_ ? ToJsonLine(events[i]) : EventText(events[i]);
    });
    for (std::size_t i = 0; i < events.size(); ++i) {
      Put(texts_[i]);
    }
  }
  // The last events may still be in the buffer of the file when the disk is full.
  [[nodiscard]] bool Finish() const { return std::fflush(output_) == 0 && written_; }

 private:
  // Judged at the end: a sink cannot stop a replay.
  void Put(const std::string& text) {
    written_ = written_ && std::fwrite(text.data(), 1, text.size(), output_) == text.size();
  }

  bool json_;
  std::optional<IncidentText> incidents_;
  std::FILE* output_;
  Workers& workers_;
  std::vector<std::string> texts_;
  bool written_ = true;
};

// As FindMisfit (recordings.h), for a store; it is only asked for what peer groups compare.
std::string FindStoreMisfit(const ReplayReport& report) {
  return report.samples > 0 ? ""
                            : "nothing could be read: the store has no series that a peer group "
                              "compares in that time; look at url, selector and node_label of the "
                              "section prometheus, and at --start and --end";
}

int WriteEvents(const ReplayOptions& options, DiagnoserConfig config, const TimeRange& range,
                std::optional<StoreSpan> span) {
  // Opened before the recordings are read: hours of replay must not end in a missing folder.
  const auto output = OpenOutput(options.output);
  if (!output) {
    return Fail(
        options.output + ": cannot be written; --output names a file in a folder that exists",
        kExitFailed);
  }
  Workers workers(HelperThreads(options.jobs));
  const bool from_store = span.has_value();
  EventWriter writer(options, config.pipeline.presets, output.get(), workers);
  const auto log = StderrLog(config.log_level);
  LogNotes(config.notes, log);
  const auto write = [&](const std::vector<Event>& events) { writer.Write(events); };
  const auto report =
      span ? ReplayStoreWithProgress(
                 options, std::move(config.pipeline), std::move(*span),
                 [&](const Event& event) { writer.Write({event}); }, log)
           : ReplayWithProgress({.doing = "replaying", .style = options.progress},
                                std::move(config.pipeline),
                                {.paths = options.inputs, .range = range, .workers = &workers},
                                {.events = write}, log);
  if (!report) {
    return Fail(report.error().Text(), kExitFailed);
  }
  if (!writer.Finish()) {
    return Fail(options.output + ": not all events could be written", kExitFailed);
  }
  if (const auto misfit = from_store ? FindStoreMisfit(*report) : FindMisfit(*report);
      !misfit.empty()) {
    return Fail("replay: " + misfit, kExitFailed);
  }
  return kExitOk;
}

}  // namespace

void ReplayOptions::Bind(Flags& flags) {
  BindConfigFile(flags, config_file);
  BindThresholdsFile(flags, thresholds_file);
  flags.Add(output, "--output", "FILE", "file to write the events to; - is standard output");
  flags.AddChoice(format, "--format", {"jsonl", "text"},
                  "one JSON object per event, or incidents as text for people");
  flags.Add(windows, "--windows",
            "as text: every window with a verdict instead of a line an incident");
  BindProgress(flags, progress);
  flags.Add(prometheus, "--prometheus", "URL",
            "read from this Prometheus-compatible store instead of recordings");
  flags.Add(from, "--from", "TIME",
            "first instant, such as 2026-01-31T10:00:00Z or Unix seconds; by default all there is");
  flags.Add(to, "--to", "TIME", "last instant");
  flags.Add(start, "--start", "TIME", "with --prometheus: the older name of --from");
  flags.Add(end, "--end", "TIME", "with --prometheus: the older name of --to");
  flags.Add(step, "--step", "DURATION",
            "with --prometheus: its scrape interval; by default the configuration's");
  flags.Add(ui, "--ui", "show the replay on the live page until stopped, instead of its events");
  flags.Add(listen_address, "--web.listen-address", "ADDRESS", "with --ui: address to listen on");
  BindJobs(flags, jobs);
  BindRecordings(flags, inputs);
}

int RunReplay(const ReplayOptions& options) {
  if (const auto wrong = Contradiction(options); !wrong.empty()) {
    return Fail(wrong, kExitUsage);
  }
  auto config = options.prometheus.empty()
                    ? LoadConfigFor(options.inputs, options.config_file, options.thresholds_file)
                    : LoadDiagnoserConfig(options.config_file, options.thresholds_file);
  if (!config) {
    return RefuseConfig(config.error(), options.config_file);
  }
  SetProfileDefaults(*config);
  const auto range = ParseTimeRange(options.from, options.to);
  if (!range) {
    return Fail("replay: " + range.error().Text(), kExitUsage);
  }
  // Before the output is opened, which empties it: a typo in --start must not cost old events.
  std::optional<StoreSpan> span;
  if (!options.prometheus.empty()) {
    auto parsed = ParseStoreSpan(options, *config);
    if (!parsed) {
      return Fail("replay: " + parsed.error().Text(), kExitUsage);
    }
    span = *std::move(parsed);
  }
  if (!span) {
    config = WithRecordedGroups(*std::move(config), options.inputs);
  }
  return options.ui ? ShowReplay(options, *std::move(config), *range)
                    : WriteEvents(options, *std::move(config), *range, std::move(span));
}

}  // namespace limpet
