#include "diagnoser/commands/explain.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "diagnoser/commands/messages.h"
#include "diagnoser/commands/recordings.h"
#include "diagnoser/commands/state_history.h"
#include "diagnoser/commands/time_range.h"
#include "diagnoser/config/config.h"
#include "diagnoser/publish/explain_node.h"
#include "diagnoser/sources/address.h"
#include "exporter/common/utf8.h"

namespace limpet {
namespace {

int ExplainLive(const ExplainOptions& options, const std::string& node) {
  const auto verdicts = AskDiagnoser(options.diagnoser, "api/v1/verdicts");
  const auto judged =
      verdicts ? AskDiagnoser(options.diagnoser, "api/v1/judged?all=1") : Result<std::string>("");
  for (const auto* answer : {&verdicts, &judged}) {
    if (!*answer) {
      return Fail(answer->error().Text(),
                  answer->error().code == ErrorCode::kInvalid ? kExitUsage : kExitFailed);
    }
  }
  const auto said = ExplainNode(*verdicts, *judged, node, RealClock().Now());
  if (!said) {
    return Fail("explain: " + said.error().Text(), kExitFailed);
  }
  const auto printed = PrintAll(PrintableLines(said->text), "explain");
  return said->judged ? printed : kExitFailed;
}

// Of a server without incidents: that it is like its peers is said only of what was compared.
int PrintQuiet(const ReplayReport& report, const ReplayRules& rules, const std::string& node) {
  const auto all = JudgeReplay(report, rules);
  const auto* const found = all.Find(node);
  if (found == nullptr) {
    return Fail(fmt::format("explain: no server of the recordings is called {}", node),
                kExitFailed);
  }
  if (found->standing == Standing::kNotJudged && found->compared) {
    return PrintAll(PrintableLines(fmt::format("{}: like its peers until {}, then {}\n", node,
                                               IsoTime(*found->compared), found->text)),
                    "explain");
  }
  const auto printed =
      PrintAll(PrintableLines(fmt::format("{}: {}\n", node, found->text)), "explain");
  return found->standing == Standing::kNotJudged ? kExitFailed : printed;
}

int ExplainRecordings(const ExplainOptions& options, const std::string& node) {
  const std::vector<std::string> inputs(options.inputs.begin() + 1, options.inputs.end());
  auto loaded = LoadConfigFor(inputs, options.config_file, options.thresholds_file);
  if (!loaded) {
    return RefuseConfig(loaded.error(), options.config_file);
  }
  auto config = WithRecordedGroups(*std::move(loaded), inputs);
  std::map<std::string, Duration> apart;
  for (const auto& preset : config.pipeline.presets) {
    // One window without a verdict is no recovery: 3 of 5 decide.
    apart[preset.name] = 3 * preset.step * static_cast<Duration::rep>(preset.shift);
  }
  NodeIncidents incidents(node, std::move(apart));
  const auto log = StderrLog(config.log_level);
  LogNotes(config.notes, log);
  const auto rules = RulesOf(config);
  Workers workers(HelperThreads(options.jobs));
  const auto report = ReplayWithProgress(
      {.doing = "replaying"}, std::move(config.pipeline), {.paths = inputs, .workers = &workers},
      {.events = ForEachEvent([&](const Event& event) {
         if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
           incidents.Add(*verdict);
         }
       })},
      log);
  if (!report) {
    return Fail(report.error().Text(), kExitFailed);
  }
  if (const auto misfit = FindMisfit(*report, rules); !misfit.empty()) {
    return Fail("explain: " + misfit, kExitFailed);
  }
  LogDamage(*report, log);
  const auto text = incidents.Text();
  return text.empty() ? PrintQuiet(*report, rules, node)
                      : PrintAll(PrintableLines(text), "explain");
}

// No incident says nothing about whether the server was compared at all.
int ExplainMonths(const ExplainOptions& options, const std::string& node) {
  const auto range = ParseTimeRange(options.from, options.to);
  if (!range) {
    return Fail("explain: " + range.error().Text(), kExitUsage);
  }
  const auto span = ReadHistory(options.state_folder, *range, RealClock().Now(), node);
  if (!span) {
    return Fail("explain: " + span.error().Text(), kExitFailed);
  }
  const auto text = ExplainHistory(*span, node);
  return text.empty() ? Fail(fmt::format("explain: the history has no incident of {} in that time, "
                                         "whether it was compared or not",
                                         node),
                             kExitFailed)
                      : PrintAll(text, "explain");
}

}  // namespace

void ExplainOptions::Bind(Flags& flags) {
  diagnoser.Bind(flags);
  BindConfigFile(flags, config_file);
  BindThresholdsFile(flags, thresholds_file);
  flags.Add(state_folder, "--state-dir", "DIR",
            "instead: the node's incidents in the history of this folder");
  flags.Add(from, "--from", "TIME", "with --state-dir: incidents that were there at this time");
  flags.Add(to, "--to", "TIME", "with --state-dir: or until this time");
  BindJobs(flags, jobs);
  flags.AddInputs(inputs, "NODE", "the node; then, if not --url, recordings or folders of them");
}

int RunExplain(const ExplainOptions& options) {
  if (options.inputs.empty() || !IsNodeName(options.inputs.front())) {
    return Fail("explain: expected the name of a node, such as io03", kExitUsage);
  }
  if (const auto problem = options.diagnoser.Problem(); !problem.empty()) {
    return Fail("explain: " + problem, kExitUsage);
  }
  if (options.diagnoser.url && options.inputs.size() > 1) {
    return Fail("explain: expected either --url or recordings, not both", kExitUsage);
  }
  const auto& node = options.inputs.front();
  const bool months = !options.state_folder.empty();
  if (months ? options.diagnoser.url || options.inputs.size() > 1
             : !options.from.empty() || !options.to.empty()) {
    return Fail(
        "explain: expected --state-dir, perhaps with --from and --to, without --url or recordings",
        kExitUsage);
  }
  if (months) {
    return ExplainMonths(options, node);
  }
  return options.inputs.size() == 1 ? ExplainLive(options, node) : ExplainRecordings(options, node);
}

}  // namespace limpet
