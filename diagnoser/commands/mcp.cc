#include "diagnoser/commands/mcp.h"

#include <cstdio>
#include <string>

#include "diagnoser/commands/mcp_server.h"
#include "diagnoser/commands/messages.h"
#include "diagnoser/commands/recordings.h"
#include "diagnoser/commands/time_range.h"
#include "diagnoser/publish/incident_text.h"

namespace limpet {
namespace {

// nullopt at the end. Of a line that is too long only so much is kept that it is refused.
std::optional<std::string> ReadLine() {
  std::string line;
  int c = std::getc(stdin);
  if (c == EOF) {
    return std::nullopt;
  }
  for (; c != EOF && c != '\n'; c = std::getc(stdin)) {
    if (line.size() <= McpServer::kMaxLine) {
      line += static_cast<char>(c);
    }
  }
  return line;
}

// The incidents of the span, a line each.
Result<std::string> ReplaySpan(const McpOptions& options, const std::string& from,
                               const std::string& to) {
  const auto range = ParseTimeRange(from, to);
  if (!range) {
    return range.error();
  }
  auto loaded = LoadConfigFor(options.inputs, options.config_file, "");
  if (!loaded) {
    return loaded.error();
  }
  auto config = WithRecordedGroups(*std::move(loaded), options.inputs);
  const auto rules = RulesOf(config);
  IncidentText incidents(config.pipeline.presets);
  std::string text;
  Workers workers(HelperThreads(0));
  const auto report = Replay(
      std::move(config.pipeline), {.paths = options.inputs, .range = *range, .workers = &workers},
      {.events = ForEachEvent([&](const Event& event) { text += incidents.Add(event); })},
      StderrLog(LogLevel::kError));
  if (!report) {
    return report.error();
  }
  if (auto misfit = FindMisfit(*report, rules); !misfit.empty()) {
    return Error{ErrorCode::kNotFound, std::move(misfit)};
  }
  text += incidents.Finish();
  return text + JudgeReplay(*report, rules).text + "\n";
}

}  // namespace

void McpOptions::Bind(Flags& flags) {
  diagnoser.Bind(flags);
  BindConfigFile(flags, config_file);
  flags.AddInputs(inputs, "INPUT", "recordings, or folders of them, for the tool replay");
}

// One request at a time, in their order: an answer takes milliseconds.
int RunMcp(const McpOptions& options) {
  if (const auto problem = options.diagnoser.Problem(); !problem.empty()) {
    return Fail("mcp: " + problem, kExitUsage);
  }
  const McpServer server(
      [&](const std::string& path) { return AskDiagnoser(options.diagnoser, path); },
      options.inputs.empty()
          ? McpServer::Replay()
          : [&](const std::string& from,
                const std::string& to) { return ReplaySpan(options, from, to); });
  while (const auto line = ReadLine()) {
    if (line->empty()) {
      continue;
    }
    if (const auto answer = server.Handle(*line)) {
      if (const int code = PrintAll(*answer + "\n", "mcp"); code != kExitOk) {
        return code;
      }
    }
  }
  return kExitOk;
}

}  // namespace limpet
