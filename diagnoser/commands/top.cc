#include "diagnoser/commands/top.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <utility>

#include "diagnoser/commands/messages.h"
#include "diagnoser/commands/recordings.h"
#include "diagnoser/commands/state_history.h"
#include "diagnoser/commands/time_range.h"
#include "diagnoser/config/config.h"
#include "diagnoser/publish/top.h"
#include "diagnoser/sources/address.h"

namespace limpet {
namespace {

// As https://no-color.org has it: nobody may want colours, and only a terminal understands them.
bool WantsColours() {
  const auto is_set = [](const char* name) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
    return value != nullptr && *value != '\0';
  };
  return ::isatty(STDOUT_FILENO) == 1 && !is_set("NO_COLOR");
}

// JSON as the API has it, bounded and checked, or tables.
int PrintList(const TopList& list, const TopOptions& options) {
  return PrintAll(options.json ? TopJson(list) : TopTable(list, options.metric, WantsColours()),
                  "top");
}

int AskForTop(const TopOptions& options) {
  const auto answer =
      AskDiagnoser(options.diagnoser, fmt::format("api/v1/persistent?metric={}&limit={}",
                                                  UrlEncoded(options.metric), options.limit));
  if (!answer) {
    return Fail(answer.error().Text(),
                answer.error().code == ErrorCode::kInvalid ? kExitUsage : kExitFailed);
  }
  const auto list = ParseTopJson(*answer);
  if (!list) {
    return Fail("top: " + list.error().Text(), kExitFailed);
  }
  return PrintList(*list, options);
}

// As [Kasick12 Fig. 5] prints them.
std::string HourlyText(const SummaryEvent& summary) {
  auto text = fmt::format("preset {}\nDate.Hour: Value PG:LUN-server\n", summary.preset);
  for (const auto& row : summary.hourly) {
    text += row + "\n";
  }
  return text + "\n";
}

int ReadRecordings(const TopOptions& options) {
  auto config = LoadConfigFor(options.inputs, options.config_file, options.thresholds_file);
  if (!config) {
    return RefuseConfig(config.error(), options.config_file);
  }
  // The hourly list is that of the metric asked for, whatever the configuration says.
  for (auto& preset : config->pipeline.presets) {
    preset.hourly_metric = options.metric.empty() ? preset.hourly_metric : options.metric;
  }
  const auto log = StderrLog(config->log_level);
  LogNotes(config->notes, log);
  std::string hours;
  const auto rules = RulesOf(*config);
  Workers workers(HelperThreads(options.jobs));
  const auto report = ReplayWithProgress(
      {.doing = "replaying", .style = options.progress}, std::move(config->pipeline),
      {.paths = options.inputs, .workers = &workers},
      {.events = ForEachEvent([&](const Event& event) {
         if (const auto* summary = std::get_if<SummaryEvent>(&event)) {
           hours += HourlyText(*summary);
         }
       })},
      log);
  if (!report) {
    return Fail(report.error().Text(), kExitFailed);
  }
  if (const auto misfit = FindMisfit(*report, rules); !misfit.empty()) {
    return Fail("top: " + misfit, kExitFailed);
  }
  if (options.hourly) {
    return PrintAll(hours, "top");
  }
  auto view = report->view;
  view.judgements = JudgeReplay(*report, rules);
  const auto list = MakeTopList(view, options.metric, options.limit);
  return options.json ? PrintList(list, options)
                      : PrintAll(hours + TopTable(list, options.metric, WantsColours()), "top");
}

int ReadMonths(const TopOptions& options) {
  const auto range = ParseTimeRange(options.from, options.to);
  if (!range) {
    return Fail("top: " + range.error().Text(), kExitUsage);
  }
  const auto span = ReadHistory(options.state_folder, *range, RealClock().Now());
  if (!span) {
    return Fail("top: " + span.error().Text(), kExitFailed);
  }
  return PrintAll(
      options.json ? TopOfHistoryJson(*span, options.limit) : TopOfHistory(*span, options.limit),
      "top");
}

}  // namespace

void TopOptions::Bind(Flags& flags) {
  diagnoser.Bind(flags);
  BindConfigFile(flags, config_file);
  BindThresholdsFile(flags, thresholds_file);
  flags.Add(metric, "--metric", "METRIC",
            "metric whose anomalies to list, such as await; default: all");
  flags.Add(json, "--json", "print JSON, as /api/v1/persistent has it");
  flags.Add(hourly, "--hourly",
            "with recordings: only who was worst, hour by hour, as [Kasick12 Fig. 5] prints it");
  flags.AddNumber(limit, "--limit", "NUMBER", "how many components to list for each preset", 1,
                  kMaxTopEntries);
  flags.Add(state_folder, "--state-dir", "DIR",
            "instead: the servers that were longest in incidents, by the history in this folder");
  flags.Add(from, "--from", "TIME", "with --state-dir: incidents that were there at this time");
  flags.Add(to, "--to", "TIME", "with --state-dir: or until this time");
  BindJobs(flags, jobs);
  BindProgress(flags, progress);
  BindRecordings(flags, inputs);
}

int RunTop(const TopOptions& options) {
  const bool months = !options.state_folder.empty();
  if (months ? options.diagnoser.url || !options.inputs.empty() || !options.metric.empty()
             : !options.from.empty() || !options.to.empty()) {
    return Fail(
        "top: expected --state-dir, perhaps with --from and --to, without --url, --metric or "
        "recordings",
        kExitUsage);
  }
  if (months) {
    return ReadMonths(options);
  }
  if (options.diagnoser.url && !options.inputs.empty()) {
    return Fail("top: expected either --url or recordings, not both", kExitUsage);
  }
  if (options.hourly && (options.inputs.empty() || options.json)) {
    return Fail("top: expected recordings with --hourly, and no --json", kExitUsage);
  }
  if (!options.metric.empty() && !IsTopMetric(options.metric)) {
    return Fail(
        "top: --metric: expected a metric such as await, read_bytes, write_bytes, receive_bytes or "
        "cwnd_client, got \"" +
            options.metric + "\"",
        kExitUsage);
  }
  if (const auto problem = options.diagnoser.Problem(); !problem.empty()) {
    return Fail("top: " + problem, kExitUsage);
  }
  return options.inputs.empty() ? AskForTop(options) : ReadRecordings(options);
}

}  // namespace limpet
