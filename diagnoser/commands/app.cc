#include "diagnoser/commands/app.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "diagnoser/commands/replay.h"
#include "diagnoser/commands/serve.h"
#include "diagnoser/commands/top.h"
#include "diagnoser/commands/train.h"
#include "diagnoser/commands/train_profiles.h"
#include "diagnoser/config/config.h"
#include "diagnoser/sources/discovery.h"
#include "exporter/common/flags.h"
#include "exporter/common/service.h"

namespace limpet {
namespace {

const Flag kConfig{"--config", "FILE", "configuration file", "/etc/limpet/diagnoser.yml"};
const Flag kThresholds{"--thresholds", "FILE", "thresholds that training has written", ""};

Program Commands() {
  return {
      .name = "limpet-diagnoser",
      .description = "Finds the limping server of a parallel file system by comparing peers.",
      .commands =
          {{.name = "serve",
            .help = "scrape the targets, diagnose, publish (the default)",
            .flags = {kConfig,
                      kThresholds,
                      {"--web.listen-address", "ADDRESS", "where to publish", ":9837"},
                      {"--web.config.file", "FILE", "TLS and basic authentication", ""},
                      {"--state-dir", "DIR", "what must survive a restart; none: nothing does", ""},
                      {"--log.level", "LEVEL", "debug, info, warning or error", ""}},
            .inputs = {}},
           {.name = "replay",
            .help = "diagnose recordings, faster than they were made",
            .flags = {kConfig,
                      kThresholds,
                      {"--output", "FILE", "where the events go; - is standard output", "-"},
                      {"--format", "FORMAT", "jsonl, or text: verdicts for people", "jsonl"},
                      {"--prometheus", "URL", "read a store instead of recordings", ""},
                      {"--start", "TIME", "with it: from 2026-01-31T10:00:00Z or Unix seconds", ""},
                      {"--end", "TIME", "with it: to this time", ""},
                      {"--step", "TIME", "with it: that of its scrapes; else the configuration's",
                       ""}},
            .inputs = "INPUT"},
           {.name = "train",
            .help = "make thresholds of recordings without faults",
            .flags = {kConfig,
                      {"--output", "FILE", "the file of thresholds to write, for --thresholds", ""},
                      {"--profiles", "",
                       "make behaviour profiles of host metrics instead, for profiles.model", ""},
                      {"--seed", "NUMBER", "of the profiles' random starts", "1"}},
            .inputs = "INPUT"},
           {.name = "top",
            .help = "list the anomalies that last: of a running diagnoser, or of recordings",
            .flags = {{"--url", "URL", "the running diagnoser to ask", "http://localhost:9837"},
                      {"--username", "NAME", "for its basic authentication", ""},
                      {"--password-file", "FILE", "with --username", ""},
                      {"--ca-file", "FILE", "https: the authority of its certificate", ""},
                      {"--config", "FILE", "with INPUT: configuration file",
                       "/etc/limpet/diagnoser.yml"},
                      {"--thresholds", "FILE", "with INPUT: what training has written", ""},
                      {"--metric", "METRIC", "whose accumulators", "await"},
                      {"--limit", "NUMBER", "components of each preset", "20"}},
            .inputs = "INPUT"},
           {.name = "check-config",
            .help = "say whether the configuration can be used",
            .flags = {kConfig, kThresholds},
            .inputs = {}}},
      .default_command = "serve"};
}

int CheckConfig(const CommandLine& line) {
  const auto file = line.Value("--config");
  const auto config = LoadDiagnoserConfig(file, line.Value("--thresholds"));
  if (!config) {
    std::fprintf(stderr, "%s\n", config.error().Text().c_str());
    return 2;
  }
  std::string presets;
  for (const auto& preset : config->pipeline.presets) {
    presets += (presets.empty() ? "" : ", ") + preset.name;
  }
  std::vector<SdSource> readable;  // a URL is not asked: only a running diagnoser does that
  for (const auto& source : config->discovery) {
    if (!source.http) {
      readable.push_back(source);
    }
  }
  const RealClock clock;
  Discovery lists(config->fixed_targets, readable, clock, [](LogLevel, std::string_view) {});
  (void)lists.Poll();
  const auto with_lists = WithTargets(*config, lists.Targets());
  std::string groups;
  for (const auto& group : with_lists.pipeline.groups) {
    groups += (groups.empty() ? "" : ", ") + group.name;
  }
  std::printf("%s: ok\ntargets: %zu\npeer groups: %s\npresets: %s\n", file.c_str(),
              with_lists.targets.size(), groups.c_str(), presets.c_str());
  if (config->shard.count > 1) {
    std::printf("shard: %zu of 0 to %zu: %zu of %zu peer groups\n", config->shard.index,
                config->shard.count - 1, with_lists.pipeline.groups.size(),
                with_lists.all_groups.size());
  }
  if (config->store) {
    std::printf("source: prometheus at %s: every %g s, %g s behind the clock\n",
                FormatUrl(config->store->endpoint).c_str(), ToSeconds(config->store->step),
                ToSeconds(config->store->lag));
    const auto wants = WantsOf(config->all_groups, config->store->step);
    const auto& all = config->all_groups;
    if (!wants.windows && std::any_of(all.begin(), all.end(), [](const PeerGroupRule& group) {
          return group.kind == GroupKind::kCwnd;
        })) {
      std::printf("note: congestion windows are not read: they want a step of at most 2.5 s\n");
    }
  }
  for (const auto& status : lists.Status()) {
    std::printf("file_sd %s: %zu targets, %zu refused\n", status.name.c_str(), status.targets,
                status.refused);
  }
  for (const auto& source : config->discovery) {
    if (source.http) {
      std::printf("http_sd %s: asked by serve\n", source.name.c_str());
    }
  }
  for (const auto& problem : lists.Problems()) {
    std::printf("refused: %s\n", problem.c_str());
  }
  for (const auto& note : config->notes) {
    std::printf("note: %s\n", note.c_str());
  }
  return lists.Problems().empty() ? 0 : 1;
}

}  // namespace

int RunDiagnoser(int argc, const char* const* argv) {
  const auto parsed = ParseCommandLine(Commands(), argc, argv);
  if (const auto* exit = std::get_if<Exit>(&parsed)) {
    std::fputs(exit->text.c_str(), exit->code == 0 ? stdout : stderr);
    return exit->code;
  }
  const auto& line = std::get<CommandLine>(parsed);
  if (line.command == "check-config") {
    return CheckConfig(line);
  }
  if (line.command == "replay") {
    return RunReplay({.config_file = line.Value("--config"),
                      .thresholds_file = line.Value("--thresholds"),
                      .output = line.Value("--output"),
                      .format = line.Value("--format"),
                      .inputs = line.inputs,
                      .prometheus = line.Value("--prometheus"),
                      .start = line.Value("--start"),
                      .end = line.Value("--end"),
                      .step = line.Value("--step")});
  }
  if (line.command == "train") {
    if (line.Given("--profiles")) {
      return RunProfileTrain({.config_file = line.Value("--config"),
                              .output = line.Value("--output"),
                              .seed = line.Value("--seed"),
                              .inputs = line.inputs});
    }
    return RunTrain({.config_file = line.Value("--config"),
                     .output = line.Value("--output"),
                     .inputs = line.inputs});
  }
  if (line.command == "top") {
    if (line.Given("--url") && !line.inputs.empty()) {
      std::fputs("top: expected either --url or recordings, not both\n", stderr);
      return 2;
    }
    return RunTop({.url = line.Value("--url"),
                   .username = line.Value("--username"),
                   .password_file = line.Value("--password-file"),
                   .ca_file = line.Value("--ca-file"),
                   .config_file = line.Value("--config"),
                   .thresholds_file = line.Value("--thresholds"),
                   .metric = line.Value("--metric"),
                   .limit = line.Value("--limit"),
                   .inputs = line.inputs});
  }
  const auto level = line.Value("--log.level");
  if (!level.empty() && !ParseLogLevel(level)) {
    std::fprintf(stderr, "--log.level: expected debug, info, warning or error, got \"%s\"\n",
                 level.c_str());
    return 2;
  }
  Signals signals;
  return Serve({.config_file = line.Value("--config"),
                .thresholds_file = line.Value("--thresholds"),
                .listen_address = line.Value("--web.listen-address"),
                .web_config_file = line.Value("--web.config.file"),
                .state_folder = line.Value("--state-dir"),
                .log_level = level},
               signals);
}

}  // namespace limpet
