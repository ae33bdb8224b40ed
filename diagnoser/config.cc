#include "diagnoser/config.h"

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

Duration LongestInterval(const std::vector<Target>& targets) {
  Duration longest{};
  for (const auto& target : targets) {
    longest = std::max(longest, target.interval);
  }
  return longest;
}

// Without any, the untrained default at the step that the scrapes allow.
void ChoosePresets(yaml::MapReader& top, DiagnoserConfig& config) {
  const auto longest = LongestInterval(config.targets);
  if (config.pipeline.presets.empty()) {
    config.pipeline.presets.push_back(longest <= DefaultPreset().MaxGap() ? DefaultPreset()
                                                                          : SlowDefaultPreset());
  }
  for (const auto& preset : config.pipeline.presets) {
    if (longest > preset.MaxGap()) {
      top.Refuse("targets", "preset " + preset.name + " wants scrapes at most " +
                                std::to_string(preset.MaxGap() / 1ms) +
                                " ms apart, got an interval of " + std::to_string(longest / 1ms) +
                                " ms: every sample would be missing; scrape more often, or use "
                                "preset default-15s or a longer max_gap");
    }
  }
}

}  // namespace

Result<DiagnoserConfig> ParseDiagnoserConfig(std::string_view text, const std::string& file,
                                             const ReadTextFile& read_file) {
  const auto root = yaml::Parse(text, file);
  if (!root) {
    return root.error();
  }
  yaml::Problems problems{.file = file, .texts = {}};
  yaml::MapReader top(&*root, "", problems);
  DiagnoserConfig config;
  config.targets = ReadTargets(top, read_file);
  config.pipeline.groups = ReadGroups(top);
  config.pipeline.presets = ReadPresets(top);
  config.pipeline.addresses = top.TextMap("addresses");
  ReadMasks(top, read_file, config);
  const auto lateness = top.Time("lateness", 0s);
  ReadPublish(top, config);
  ReadEvents(top, config);
  ReadState(top, config);
  ReadLog(top, config);
  top.RefuseUnknown();
  if (config.pipeline.groups.empty()) {
    config.pipeline.groups = DefaultGroups(config.targets);
  }
  ChoosePresets(top, config);
  config.lateness = lateness.value_or(LongestInterval(config.targets) + 1s);
  if (problems.empty()) {  // else the texts would come twice
    for (const auto& problem : CheckPipelineConfig(config.pipeline)) {
      problems.texts.push_back(file + ": " + problem);
    }
  }
  if (!problems.empty()) {
    return Error{ErrorCode::kInvalid, problems.Joined(), ""};
  }
  return config;
}

Result<DiagnoserConfig> LoadDiagnoserConfig(const std::string& file,
                                            const std::string& thresholds) {
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
  auto config = ParseDiagnoserConfig(*text, file, read_file);
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
  auto notes = UseThresholds(std::move(*parsed), thresholds, config->targets, config->pipeline);
  if (!notes) {
    return notes.error();
  }
  config->notes = std::move(*notes);
  return config;
}

}  // namespace limpet
