#include "diagnoser/commands/report.h"

#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <utility>

#include "diagnoser/commands/messages.h"
#include "diagnoser/commands/recordings.h"
#include "diagnoser/commands/replay.h"
#include "diagnoser/commands/running_diagnoser.h"
#include "diagnoser/commands/state_history.h"
#include "diagnoser/commands/store_span.h"
#include "diagnoser/commands/time_range.h"
#include "diagnoser/config/config.h"
#include "diagnoser/publish/history_report.h"
#include "diagnoser/publish/report.h"
#include "diagnoser/publish/report_collector.h"
#include "exporter/common/atomic_file.h"

namespace limpet {
namespace {

// Empty: nothing is wrong with the flags taken together.
std::string Contradiction(const ReportOptions& options) {
  if (options.output.empty()) {
    return "report: expected --output FILE.html";
  }
  const auto sources = (options.inputs.empty() ? 0 : 1) + (options.prometheus.empty() ? 0 : 1) +
                       (options.state_folder.empty() ? 0 : 1);
  return sources == 1 ? ""
                      : "report: expected either recordings to read, --prometheus URL or "
                        "--state-dir DIR; see limpet-diagnoser report --help";
}

// Keeps the first warnings beside writing all of them; readers on other threads warn, too.
class Warnings {
 public:
  explicit Warnings(LogSink log) : log_(std::move(log)) {}

  [[nodiscard]] LogSink Sink() {
    return [this](LogLevel level, std::string_view text) {
      log_(level, text);
      const std::lock_guard lock(mutex_);
      if (level >= LogLevel::kWarning && kept_.size() < kMaxKept) {
        kept_.emplace_back(text);
      }
    };
  }
  [[nodiscard]] std::vector<std::string> Kept() {
    const std::lock_guard lock(mutex_);
    return kept_;
  }

 private:
  static constexpr std::size_t kMaxKept = 100;
  LogSink log_;
  std::mutex mutex_;
  std::vector<std::string> kept_;
};

Result<ReplayReport> ReplayFiles(const ReportOptions& options, PipelineConfig config,
                                 const TimeRange& range, ReportCollector& collector,
                                 const LogSink& log) {
  Workers workers(HelperThreads(options.jobs));
  auto report = ReplayWithProgress(
      {.doing = "replaying", .style = options.progress}, std::move(config),
      {.paths = options.inputs, .range = range, .workers = &workers},
      {.events = [&](const std::vector<Event>& events) { collector.Add(events); }}, log);
  return report;
}

Result<ReplayReport> ReplayPast(const ReportOptions& options, PipelineConfig config, StoreSpan span,
                                ReportCollector& collector, const LogSink& log) {
  ProgressLine progress({.doing = "replaying", .style = options.progress, .to = span.end});
  auto report = ReplayStore(
      std::move(config), std::move(span), [&](const Event& event) { collector.Add({event}); }, log,
      [&](UnixTime at, const ReplayReport& so_far) { progress.Show(at, so_far); });
  progress.Clear(report ? &*report : nullptr);
  if (report && report->samples == 0) {
    return Error{ErrorCode::kNotFound, kEmptyStore, options.prometheus};
  }
  return report;
}

// The flags that ParseStoreSpan wants.
ReplayOptions StoreFlags(const ReportOptions& options) {
  ReplayOptions flags;
  flags.prometheus = options.prometheus;
  flags.from = options.from;
  flags.to = options.to;
  flags.step = options.step;
  return flags;
}

int WriteReport(const ReportOptions& options, const ReportCollector& collector,
                ReplayReport replayed, std::vector<std::string> warnings) {
  ReportData data{
      .program = std::string("limpet-diagnoser ") + LIMPET_VERSION,
      .inputs = options.prometheus.empty() ? options.inputs : std::vector{options.prometheus},
      .first = replayed.first,
      .last = replayed.last,
      .incidents = {},
      .group_events = {},
      .windows = {},
      .wwns = std::move(replayed.wwns),
      .hourly = {},
      .view = std::move(replayed.view),
      .quality = {.samples = replayed.samples,
                  .mapped = replayed.mapped,
                  .bad_lines = replayed.bad_lines,
                  .late = replayed.late,
                  .foreign = replayed.foreign,
                  .cut = std::move(replayed.cut),
                  .late_files = std::move(replayed.late_files),
                  .clock_skew = std::move(replayed.clock_skew),
                  .warnings = std::move(warnings)}};
  collector.Finish(data);
  if (const auto written = WriteFileAtomically(options.output, ReportHtml(data)); !written) {
    return Fail(written.error().Text(), kExitFailed);
  }
  fmt::print("wrote {}\n", options.output);
  return kExitOk;
}

// Incidents of months as a diagnoser has kept them; nothing is replayed.
int ReportHistory(const ReportOptions& options, const TimeRange& range) {
  const auto span = ReadHistory(options.state_folder, range, RealClock().Now());
  if (!span) {
    return Fail("report: " + span.error().Text(), kExitFailed);
  }
  const auto page = HistoryReportHtml(*span, std::string("limpet-diagnoser ") + LIMPET_VERSION);
  if (const auto written = WriteFileAtomically(options.output, page); !written) {
    return Fail(written.error().Text(), kExitFailed);
  }
  return PrintAll("wrote " + options.output + "\n", "report");
}

}  // namespace

void ReportOptions::Bind(Flags& flags) {
  BindConfigFile(flags, config_file);
  BindThresholdsFile(flags, thresholds_file);
  flags.Add(output, "--output", "FILE", "HTML file to write (required); replaced as a whole");
  flags.Add(from, "--from", "TIME",
            "first instant, such as 2026-01-31T10:00:00Z or Unix seconds; by default all there is");
  flags.Add(to, "--to", "TIME", "last instant");
  flags.Add(prometheus, "--prometheus", "URL",
            "read from this Prometheus-compatible store instead of recordings");
  flags.Add(state_folder, "--state-dir", "DIR",
            "the incidents that a diagnoser has kept in its state folder");
  flags.Add(step, "--step", "DURATION",
            "with --prometheus: its scrape interval; by default the configuration's");
  BindJobs(flags, jobs);
  BindProgress(flags, progress);
  BindRecordings(flags, inputs);
}

int RunReport(const ReportOptions& options) {
  if (const auto wrong = Contradiction(options); !wrong.empty()) {
    return Fail(wrong, kExitUsage);
  }
  const auto range = ParseTimeRange(options.from, options.to);
  if (!range) {
    return Fail("report: " + range.error().Text(), kExitUsage);
  }
  if (!options.state_folder.empty()) {
    return ReportHistory(options, *range);
  }
  const bool from_store = !options.prometheus.empty();
  auto config = from_store
                    ? LoadDiagnoserConfig(options.config_file, options.thresholds_file)
                    : LoadConfigFor(options.inputs, options.config_file, options.thresholds_file);
  if (!config) {
    return RefuseConfig(config.error(), options.config_file);
  }
  std::optional<StoreSpan> span;
  if (from_store) {
    auto parsed = ParseStoreSpan(StoreFlags(options), *config);
    if (!parsed) {
      return Fail("report: " + parsed.error().Text(), kExitUsage);
    }
    span = *std::move(parsed);
  } else {
    config = WithRecordedGroups(*std::move(config), options.inputs);
  }
  Warnings warnings(StderrLog(config->log_level));
  LogNotes(config->notes, warnings.Sink());
  ReportCollector collector(config->pipeline.presets);
  const auto rules = RulesOf(*config);
  auto replayed =
      span ? ReplayPast(options, std::move(config->pipeline), *std::move(span), collector,
                        warnings.Sink())
           : ReplayFiles(options, std::move(config->pipeline), *range, collector, warnings.Sink());
  if (!replayed) {
    return Fail(replayed.error().Text(), kExitFailed);
  }
  // A page about nothing would read as a page about health.
  if (const auto misfit = FindMisfit(*replayed, rules); !misfit.empty()) {
    return Fail("report: " + misfit, kExitFailed);
  }
  replayed->view.judgements = JudgeReplay(*replayed, rules);
  return WriteReport(options, collector, *std::move(replayed), warnings.Kept());
}

}  // namespace limpet
