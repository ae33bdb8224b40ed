#include "diagnoser/config/config.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "diagnoser/config/groups.h"
#include "diagnoser/config/masks.h"
#include "diagnoser/config/presets.h"
#include "diagnoser/config/trained.h"
#include "exporter/common/files.h"
#include "exporter/common/yaml.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

void ReadPublish(yaml::MapReader& top, DiagnoserConfig& config) {
  auto section = top.Map("publish");
  if (const auto detail = section.OneOf("detail", {"all", "flagged", "top"})) {
    config.publish.detail = *detail == "all"       ? Detail::kAll
                            : *detail == "flagged" ? Detail::kFlagged
                                                   : Detail::kTop;
  }
  if (const auto top_count = section.Integer("top", 1, 100'000)) {
    config.publish.top = static_cast<std::size_t>(*top_count);
  }
  section.RefuseUnknown();
}

void ReadEvents(yaml::MapReader& top, DiagnoserConfig& config) {
  auto section = top.Map("events");
  config.events.file = section.Text("file").value_or("");
  config.events.windows = section.Bool("windows").value_or(false);
  section.RefuseUnknown();
}

void ReadState(yaml::MapReader& top, DiagnoserConfig& config) {
  auto section = top.Map("state");
  config.state_interval = section.Time("interval", 100ms).value_or(config.state_interval);
  section.RefuseUnknown();
}

void ReadLog(yaml::MapReader& top, DiagnoserConfig& config) {
  auto section = top.Map("log");
  if (const auto level = section.OneOf("level", {"debug", "info", "warning", "error"})) {
    config.log_level = *ParseLogLevel(*level);
  }
  section.RefuseUnknown();
}

void ReadMasks(yaml::MapReader& top, const ReadTextFile& read_file, DiagnoserConfig& config) {
  config.masked = top.Texts("masked");
  config.pipeline.masked = config.masked;
  config.masked_file = top.Text("masked_file").value_or("");
  if (config.masked_file.empty()) {
    return;
  }
  const auto text = read_file(config.masked_file);
  const auto masks =
      text ? ParseMasks(*text, config.masked_file) : Result<std::vector<std::string>>(text.error());
  if (!masks) {
    top.Refuse("masked_file", masks.error().Text());
    return;
  }
  config.pipeline.masked.insert(config.pipeline.masked.end(), masks->begin(), masks->end());
}

Duration LongestInterval(const std::vector<Target>& targets, const DiagnoserConfig& config) {
  auto longest = config.store ? config.store->step : Duration::zero();
  for (const auto& target : targets) {
    longest = std::max(longest, target.interval);
  }
  for (const auto& source : config.discovery) {
    longest = std::max(longest, source.base.target.interval);
  }
  return longest;
}

void ReadShard(yaml::MapReader& top, DiagnoserConfig& config) {
  auto section = top.Map("shard");
  const bool given = top.Has("shard");
  const auto index = section.Integer("index", 0, 9999);
  const auto count = section.Integer("count", 1, 10'000);
  section.RefuseUnknown();
  if (!given) {
    return;
  }
  if (!index || !count) {
    section.Refuse(index ? "count" : "index", "expected both, such as {index: 0, count: 4}");
  } else if (*index >= *count) {
    section.Refuse(
        "index", "expected 0 to " + std::to_string(*count - 1) + ", got " + std::to_string(*index));
  } else {
    config.shard = {.index = static_cast<std::size_t>(*index),
                    .count = static_cast<std::size_t>(*count)};
  }
}

// Roles that are known before any list is.
std::vector<Target> WithTemplates(const DiagnoserConfig& config) {
  auto targets = config.fixed_targets;
  for (const auto& source : config.discovery) {
    targets.push_back(source.base.target);
  }
  if (config.store) {
    targets.push_back({.node = {}, .role = config.store->role});
  }
  return targets;
}

void ChooseGroups(yaml::MapReader& top, DiagnoserConfig& config) {
  config.default_groups = config.all_groups.empty();
  if (config.default_groups) {
    config.all_groups = DefaultGroups(WithTemplates(config));
  }
  config.pipeline.groups = GroupsOf(config.shard, config.all_groups);
  const auto sets = GroupSets(config.all_groups).size();
  if (config.shard.index >= sets && !config.default_groups) {
    top.Map("shard").Refuse("count", "there are " + std::to_string(sets) +
                                         " sets of peer groups that share no server, so shard " +
                                         std::to_string(config.shard.index) +
                                         " has none; expected a count of at most " +
                                         std::to_string(sets) +
                                         ", or groups told apart by roles or plain label values");
  }
}

// What nobody chose: the untrained default at the step that the scrapes allow.
PresetSettings ImpliedPreset(const DiagnoserConfig& config) {
  return LongestInterval(config.fixed_targets, config) <= DefaultPreset().MaxGap()
             ? DefaultPreset()
             : SlowDefaultPreset();
}

void CheckIntervals(yaml::MapReader& top, DiagnoserConfig& config) {
  const auto longest = LongestInterval(config.fixed_targets, config);
  for (const auto& preset : config.pipeline.presets) {
    if (longest > preset.MaxGap()) {
      const auto text = "preset " + preset.name + " wants scrapes at most " +
                        std::to_string(preset.MaxGap() / 1ms) + " ms apart, got an interval of " +
                        std::to_string(longest / 1ms) +
                        " ms: every sample would be missing; scrape more often, or use "
                        "preset default-15s or a longer max_gap";
      if (config.store) {
        top.Map("prometheus").Refuse("step", text);
      } else {
        top.Refuse("targets", text);
      }
    }
    for (auto& source : config.discovery) {
      source.base.longest_interval = std::min(source.base.longest_interval, preset.MaxGap());
    }
  }
}

}  // namespace

Result<DiagnoserConfig> ParseDiagnoserConfig(std::string_view text, const std::string& file,
                                             const ReadTextFile& read_file, ConfigUse use) {
  const auto root = yaml::Parse(text, file);
  if (!root) {
    return root.error();
  }
  yaml::Problems problems{.file = file, .texts = {}};
  yaml::MapReader top(&*root, "", problems);
  DiagnoserConfig config;
  auto sections = ReadTargets(top, read_file);
  config.fixed_targets = std::move(sections.targets);
  config.discovery = std::move(sections.discovery);
  config.all_groups = ReadGroups(top);
  config.store = ReadStore(top, read_file);
  if (config.store && (!config.fixed_targets.empty() || !config.discovery.empty())) {
    top.Refuse("targets",
               "with source: prometheus the nodes are those of the store; expected none");
  }
  ReadShard(top, config);
  config.pipeline.presets = ReadPresets(top, ImpliedPreset(config));
  config.pipeline.addresses = top.TextMap("addresses");
  ReadMasks(top, read_file, config);
  config.profiles = ReadProfiles(top, config.fixed_targets, use == ConfigUse::kDiagnose, read_file);
  const auto lateness = top.Time("lateness", 0s);
  ReadPublish(top, config);
  ReadEvents(top, config);
  ReadState(top, config);
  ReadLog(top, config);
  top.RefuseUnknown();
  ChooseGroups(top, config);
  CheckIntervals(top, config);
  if (top.Has("profiles") && config.store) {
    top.Refuse("profiles",
               "behaviour profiles want every second of a node, which no store's steps have; "
               "expected none with source: prometheus");
  }
  const bool more_targets = !config.discovery.empty();
  if (top.Has("profiles") && more_targets && config.profiles.plan.roles.empty()) {
    top.Map("profiles")
        .Refuse("roles",
                "expected the roles that do the same work; those of targets that "
                "are yet to be found are not known");
  }
  if (top.Has("shard")) {  // no shard knows whom the others name
    for (auto& preset : config.pipeline.presets) {
      preset.ranking_scope = RankingScope::kPeers;
    }
  }
  if (config.store) {
    config.pipeline.limits.future += (kMaxSteps + 2) * config.store->step;
  }
  config.default_lateness = !lateness.has_value();
  config.lateness = lateness.value_or(0s);
  auto targets = config.fixed_targets;
  config = WithTargets(std::move(config), std::move(targets));
  if (!config.profiles.model.empty() && use == ConfigUse::kDiagnose) {
    auto& plan = config.pipeline.profiles.emplace(config.profiles.plan);
    plan.wait = config.profiles.wait.value_or(false);
    plan.events = config.profiles.events.value_or(false);
  }
  if (problems.empty()) {  // else the texts would come twice
    for (const auto& problem : CheckPipelineConfig(config.pipeline)) {
      problems.texts.emplace_back(file).append(": ").append(problem);
    }
  }
  if (!problems.empty()) {
    return Error{ErrorCode::kInvalid, problems.Joined(), ""};
  }
  return config;
}

DiagnoserConfig WithTargets(DiagnoserConfig config, std::vector<Target> targets) {
  if (config.default_lateness) {
    config.lateness = LongestInterval(targets, config) + 1s;
    if (config.store) {  // the store's own way, and the diagnosis one step behind it
      config.lateness += config.store->lag + config.store->step;
    }
  }
  if (config.default_groups && (config.store || !config.discovery.empty())) {
    config.all_groups = DefaultGroupsWith(config.all_groups, targets);
    config.pipeline.groups = GroupsOf(config.shard, config.all_groups);
  }
  config.targets =
      config.shard.count > 1 ? TargetsFor(config.pipeline.groups, targets) : std::move(targets);
  return config;
}

Result<DiagnoserConfig> LoadDiagnoserConfig(const std::string& file, const std::string& thresholds,
                                            ConfigUse use) {
  const auto files = OpenRealFiles("");
  const ReadTextFile read_file = [&](const std::string& path) -> Result<std::string> {
    // The reader wants paths below its root.
    const auto content = files->ReadOnce(std::filesystem::absolute(path).relative_path().string());
    return content ? Result<std::string>(std::string(*content)) : content.error();
  };
  const auto text = read_file(file);
  if (!text) {
    return text.error();
  }
  auto config = ParseDiagnoserConfig(*text, file, read_file, use);
  if (!config || thresholds.empty()) {
    return config;
  }
  const auto trained = read_file(thresholds);
  if (!trained) {
    return trained.error();
  }
  auto parsed = ParseThresholds(*trained, thresholds);
  if (!parsed) {
    return parsed.error();
  }
  // Thresholds are those of all shards, of targets that may not have been found yet.
  std::swap(config->pipeline.groups, config->all_groups);
  auto notes = UseThresholds(
      std::move(*parsed), thresholds,
      config->discovery.empty() ? config->fixed_targets : std::vector<Target>(), config->pipeline);
  std::swap(config->pipeline.groups, config->all_groups);
  if (!notes) {
    return notes.error();
  }
  config->notes = std::move(*notes);
  return config;
}

}  // namespace limpet
