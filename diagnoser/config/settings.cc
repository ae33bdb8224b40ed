#include "diagnoser/config/settings.h"

#include <algorithm>
#include <utility>

#include "diagnoser/config/byte_count.h"
#include "diagnoser/config/custom_metrics.h"
#include "diagnoser/config/groups.h"
#include "diagnoser/config/incidents.h"
#include "diagnoser/config/masks.h"
#include "diagnoser/config/presets.h"
#include "diagnoser/detect/default_presets.h"
#include "exporter/common/text.h"
#include "exporter/common/yaml.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

void ReadPublish(yaml::MapReader& top, DiagnoserSettings& settings) {
  auto section = top.Map("publish");
  if (const auto detail = section.OneOf("detail", {"auto", "all", "flagged", "top"})) {
    settings.publish.detail = *detail == "auto"      ? Detail::kAuto
                              : *detail == "all"     ? Detail::kAll
                              : *detail == "flagged" ? Detail::kFlagged
                                                     : Detail::kTop;
  }
  if (const auto top_count = section.Integer("top", 1, 100'000)) {
    settings.publish.top = static_cast<std::size_t>(*top_count);
  }
  auto history = section.Map("history");
  settings.history.duration = history.Time("duration", 0s).value_or(settings.history.duration);
  if (const auto bytes = history.Text("max_bytes")) {
    // Less than this and a single window of a large cluster would not fit.
    constexpr std::size_t kMin = std::size_t{1} << 20U;
    const auto number = ParseByteCount(*bytes);
    if (!number || *number < kMin) {
      history.Refuse("max_bytes", "expected at least 1MiB, such as 32MiB, got \"" + *bytes + "\"");
    }
    settings.history.max_bytes = number.value_or(settings.history.max_bytes);
  }
  history.RefuseUnknown();
  section.RefuseUnknown();
}

void ReadEvents(yaml::MapReader& top, DiagnoserSettings& settings) {
  auto section = top.Map("events");
  settings.events.file = section.Text("file").value_or("");
  settings.events.windows = section.Bool("windows").value_or(false);
  section.RefuseUnknown();
}

void ReadState(yaml::MapReader& top, DiagnoserSettings& settings) {
  auto section = top.Map("state");
  settings.state_interval = section.Time("interval", 100ms).value_or(settings.state_interval);
  section.RefuseUnknown();
}

void ReadLog(yaml::MapReader& top, DiagnoserSettings& settings) {
  auto section = top.Map("log");
  if (const auto level = section.OneOf("level", {"debug", "info", "warning", "error"})) {
    settings.log_level = *ParseLogLevel(*level);
  }
  section.RefuseUnknown();
}

void ReadMasks(yaml::MapReader& top, const ReadTextFile& read_file, DiagnoserSettings& settings) {
  auto masked = top.TextsOrMaps("masked");
  settings.masked = std::move(masked.texts);
  for (auto& entry : masked.maps) {
    if (auto mask = ReadTimedMask(entry)) {
      settings.timed_masks.push_back(*std::move(mask));
    }
  }
  settings.masked_file = top.Text("masked_file").value_or("");
  if (settings.masked_file.empty()) {
    return;
  }
  // Read here although the running diagnosis reads it again and again: a start without it would
  // judge servers in maintenance.
  const auto text = read_file(settings.masked_file);
  auto masks = text ? ParseMasks(*text, settings.masked_file)
                    : Result<std::vector<std::string>>(text.error());
  if (!masks) {
    top.Refuse("masked_file",
               masks.error().Text() + (text ? "" : "; create it, even if nobody is masked now"));
    return;
  }
  settings.masks_of_file = *std::move(masks);
}

void ReadShard(yaml::MapReader& top, DiagnoserSettings& settings) {
  auto section = top.Map("shard");
  const bool given = top.Has("shard");
  const auto index = section.Integer("index", 0, 9999);
  const auto count = section.Integer("count", 1, 10'000);
  section.RefuseUnknown();
  if (!given) {
    return;
  }
  // Also of a shard that is wrong: what follows from it is checked all the same.
  settings.sharded = true;
  if (!index || !count) {
    section.Refuse(index ? "count" : "index", "expected both, such as {index: 0, count: 4}");
  } else if (*index >= *count) {
    section.Refuse(
        "index", "expected 0 to " + std::to_string(*count - 1) + ", got " + std::to_string(*index));
  } else {
    settings.shard = {.index = static_cast<std::size_t>(*index),
                      .count = static_cast<std::size_t>(*count)};
  }
}

// A shard beyond the sets of the file's groups would have nothing to do, ever. Groups made of roles
// are not counted: roles may come while we run.
void CheckShard(yaml::MapReader& top, const DiagnoserSettings& settings) {
  const auto sets = GroupSets(settings.groups).size();
  if (settings.shard.index >= sets && !settings.groups.empty()) {
    top.Map("shard").Refuse("count", "there are " + std::to_string(sets) +
                                         " sets of peer groups that share no server, so shard " +
                                         std::to_string(settings.shard.index) +
                                         " has none; expected a count of at most " +
                                         std::to_string(sets) +
                                         ", or groups told apart by roles or plain label values");
  }
}

Duration LongestSpacing(const DiagnoserSettings& settings) {
  return std::max(LongestInterval(settings, settings.fixed_targets),
                  settings.data_step.value_or(Duration::zero()));
}

// Scrapes come some milliseconds late, and one may be missing: neither is a gap, unless the file
// says so.
void WidenGaps(Duration spacing, std::vector<PresetSettings>& presets) {
  for (auto& preset : presets) {
    const bool is_ours = !preset.max_gap || preset.IsScale();
    if (is_ours && spacing <= preset.MaxGap() && spacing * 3 / 2 > preset.MaxGap()) {
      preset.max_gap = spacing * 5 / 2;
    }
  }
}

void CheckIntervals(yaml::MapReader& top, DiagnoserSettings& settings) {
  const auto longest = LongestInterval(settings, settings.fixed_targets);
  Duration told{};  // the gap of the preset that a time scale belongs to
  for (const auto& preset : settings.presets) {
    if (preset.IsScale() && preset.MaxGap() == told) {
      continue;
    }
    told = preset.MaxGap();
    // A gap between two readings that is longer than max_gap makes every sample in it missing.
    if (longest > preset.MaxGap()) {
      const auto text = "preset " + preset.name + " wants scrapes at most " +
                        std::to_string(preset.MaxGap() / 1ms) + " ms apart, got an interval of " +
                        std::to_string(longest / 1ms) +
                        " ms: every sample would be missing; scrape more often, give it a longer "
                        "step or max_gap, or leave presets out: what fits is chosen then";
      if (settings.store) {
        top.Map("prometheus").Refuse("step", text);
      } else {
        top.Refuse("targets", text);
      }
    }
    // Entries of lists are held to the same when they come.
    for (auto& source : settings.discovery) {
      source.base.longest_interval = std::min(source.base.longest_interval, preset.MaxGap());
    }
  }
}

void CheckSource(yaml::MapReader& top, const DiagnoserSettings& settings) {
  if (settings.store && (!settings.fixed_targets.empty() || !settings.discovery.empty())) {
    top.Refuse("targets",
               "with source: prometheus the nodes are those of the store; expected none");
  }
  // A store has what exporters said, but not where they are.
  if (settings.store && settings.probe.enabled) {
    top.Map("probe").Refuse("enabled",
                            "exporters are asked for probes, and with source: prometheus none is "
                            "known; expected false");
  }
}

void CheckProfiles(yaml::MapReader& top, const DiagnoserSettings& settings) {
  if (!top.Has("profiles")) {
    return;
  }
  if (settings.store) {
    top.Refuse("profiles",
               "behaviour profiles want every second of a node, which no store's steps have; "
               "expected none with source: prometheus");
  }
  if (!settings.discovery.empty() && settings.profiles.plan.roles.empty()) {
    top.Map("profiles")
        .Refuse("roles",
                "expected the roles that do the same work; those of targets that "
                "are yet to be found are not known");
  }
}

}  // namespace

Result<DiagnoserSettings> ParseSettings(std::string_view text, const std::string& file,
                                        const ReadTextFile& read_file, ConfigUse use,
                                        std::optional<Duration> data_step) {
  const auto root = yaml::Parse(text, file);
  if (!root) {
    return root.error();
  }
  yaml::Problems problems{.file = file, .texts = {}};
  yaml::MapReader top(&*root, "", problems);
  DiagnoserSettings settings;
  settings.data_step = data_step;
  auto sections = ReadTargets(top, read_file);
  settings.fixed_targets = std::move(sections.targets);
  settings.discovery = std::move(sections.discovery);
  // In the order of the shipped file, so that problems are told in the order in which one reads it.
  settings.groups = ReadGroups(top);
  settings.store = ReadStore(top, read_file);
  ReadShard(top, settings);
  // After the targets: which preset is implied depends on how often they are scraped.
  auto chosen = ReadPresets(top, DefaultPresetFor(LongestSpacing(settings)));
  settings.presets = std::move(chosen.presets);
  WidenGaps(LongestSpacing(settings), settings.presets);
  settings.notes = std::move(chosen.notes);
  settings.addresses = top.TextMap("addresses");
  ReadMasks(top, read_file, settings);
  settings.profiles =
      ReadProfiles(top, settings.fixed_targets, use == ConfigUse::kDiagnose, read_file);
  settings.syscalls = ReadSyscalls(top);
  settings.custom = ReadCustomMetrics(top, read_file, problems);
  if (use == ConfigUse::kTrain) {
    settings.custom.clear();  // their thresholds are those of the untrained
  }
  settings.probe = ReadProbe(top);
  settings.fixed_lateness = top.Time("lateness", 0s);
  ReadPublish(top, settings);
  ReadEvents(top, settings);
  ReadState(top, settings);
  ReadLog(top, settings);
  settings.incidents = ReadIncidents(top, read_file);
  settings.web = ReadWeb(top);
  top.RefuseUnknown();
  // What only sections together can get wrong comes last.
  CheckSource(top, settings);
  CheckShard(top, settings);
  CheckIntervals(top, settings);
  CheckProfiles(top, settings);
  if (!problems.empty()) {
    return Error{ErrorCode::kInvalid, problems.Joined(), ""};
  }
  return settings;
}

Duration LongestInterval(const DiagnoserSettings& settings, const std::vector<Target>& targets) {
  auto longest = settings.store ? settings.store->step : Duration::zero();
  for (const auto& target : targets) {
    longest = std::max(longest, target.interval);
  }
  for (const auto& source : settings.discovery) {
    longest = std::max(longest, source.base.target.interval);
  }
  return longest;
}

}  // namespace limpet
