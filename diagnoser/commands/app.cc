#include "diagnoser/commands/app.h"

#include "diagnoser/commands/act.h"
#include "diagnoser/commands/answer.h"
#include "diagnoser/commands/cases.h"
#include "diagnoser/commands/check_config.h"
#include "diagnoser/commands/convert.h"
#include "diagnoser/commands/explain.h"
#include "diagnoser/commands/export.h"
#include "diagnoser/commands/federate.h"
#include "diagnoser/commands/history.h"
#include "diagnoser/commands/mcp.h"
#include "diagnoser/commands/presets.h"
#include "diagnoser/commands/replay.h"
#include "diagnoser/commands/report.h"
#include "diagnoser/commands/serve.h"
#include "diagnoser/commands/suggest_config.h"
#include "diagnoser/commands/top.h"
#include "diagnoser/commands/train.h"

namespace limpet {
namespace {

int RunServe(const ServeOptions& options) {
  Signals signals;  // before any thread is started
  return Serve(options, signals);
}

int RunFederate(const FederateOptions& options) {
  Signals signals;
  return Federate(options, signals);
}

int RunActUntilStop(const ActOptions& options) {
  Signals signals;
  return RunAct(options, signals);
}

}  // namespace

Program DiagnoserProgram() {
  return {
      .name = "limpet-diagnoser",
      .description = "Finds the limping server of a parallel file system by comparing peers.",
      .commands =
          {
              MakeSubcommand<ServeOptions>(
                  "serve", "scrape targets, compare peers, publish verdicts (the default)",
                  RunServe),
              MakeSubcommand<ReplayOptions>("replay", "diagnose recordings, or the past of a store",
                                            RunReplay),
              MakeSubcommand<TrainOptions>(
                  "train", "learn thresholds from recordings without faults", RunTrain),
              MakeSubcommand<TopOptions>(
                  "top", "list the most persistent anomalies, live or in recordings", RunTop),
              MakeSubcommand<ExplainOptions>(
                  "explain", "say what is wrong with a node, since when, why and what to do",
                  RunExplain),
              MakeSubcommand<FederateOptions>(
                  "federate", "one page and API above several diagnosers: shards, sites",
                  RunFederate),
              MakeSubcommand<ActOptions>(
                  "act", "run the programs that the diagnoser orders (actions, armed)",
                  RunActUntilStop),
              MakeSubcommand<AnswerOptions>(
                  "answer", "say what an incident was: fixed, false alarm, known, maintenance",
                  RunAnswer),
              MakeSubcommand<CasesOptions>(
                  "cases", "answered incidents as tests of a configuration, with recordings",
                  RunCases),
              MakeSubcommand<HistoryOptions>("history", "incidents of months as CSV or JSON lines",
                                             RunHistory),
              MakeSubcommand<McpOptions>(
                  "mcp", "serve verdicts and history to programs by the Model Context Protocol",
                  RunMcp),
              MakeSubcommand<ReportOptions>(
                  "report", "one HTML file about recordings, or the past of a store", RunReport),
              MakeSubcommand<ExportOptions>(
                  "export", "recordings as OpenMetrics text, for promtool and other stores",
                  RunExport),
              MakeSubcommand<ConvertOptions>(
                  "convert", "recordings from text into columns, a fifth of the size, or back",
                  RunConvert),
              MakeSubcommand<CheckConfigOptions>(
                  "check-config", "check a configuration and summarise it", RunCheckConfig),
              MakeSubcommand<SuggestConfigOptions>(
                  "suggest-config", "ask exporters what they have and print a first configuration",
                  RunSuggestConfig),
              MakeSubcommand<PresetsOptions>("presets", "print built-in presets as YAML",
                                             RunPresets),
          },
      .default_command = "serve",
  };
}

}  // namespace limpet
