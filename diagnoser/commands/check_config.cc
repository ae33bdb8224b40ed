#include "diagnoser/commands/check_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "diagnoser/commands/ask.h"
#include "diagnoser/commands/messages.h"
#include "diagnoser/config/config.h"
#include "diagnoser/config/review.h"
#include "diagnoser/config/shard.h"
#include "diagnoser/detect/preset_fields.h"
#include "diagnoser/sources/discovery.h"
#include "exporter/common/regular_file.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr Duration kPatience = 10s;  // of a target that is asked
constexpr std::size_t kNamed = 5;    // members of a group

template <class Named>
std::string JoinedNames(const std::vector<Named>& all) {
  std::string names;
  for (const auto& one : all) {
    names += (names.empty() ? "" : ", ") + one.name;
  }
  return names;
}

// Lists behind URLs are left alone: a check must not depend on which servers answer just now.
std::vector<SdSource> ListsInFiles(const std::vector<SdSource>& sources) {
  std::vector<SdSource> files;
  std::copy_if(sources.begin(), sources.end(), std::back_inserter(files),
               [](const SdSource& source) { return !source.http; });
  return files;
}

void PrintGroups(const std::string& file, const DiagnoserConfig& config) {
  // Without those that kinds of disks may need, which only the targets can tell.
  const auto groups = SelectGroups(config.shard, config.all_groups);
  fmt::print("{}: ok\ntargets: {}\npeer groups: {}\npresets: {}\n", file, config.targets.size(),
             JoinedNames(groups), JoinedNames(config.pipeline.presets));
  if (config.shard.count > 1) {
    fmt::print("shard: {} of 0 to {}: {} of {} peer groups\n", config.shard.index,
               config.shard.count - 1, groups.size(), config.all_groups.size());
  }
}

// Every number that judges, one line a preset, so that two configurations can be compared.
void PrintResolved(const DiagnoserConfig& config) {
  fmt::print("\nlateness: {:g}s\n", ToSeconds(config.lateness));
  for (const auto& preset : config.pipeline.presets) {
    std::string text;
    for (const auto& field : PresetFields()) {
      fmt::format_to(std::back_inserter(text), "{}{}: {}", text.empty() ? "" : ", ", field.key,
                     PrintValue(field, preset));
    }
    fmt::print("preset: {{{}}}\n", text);
  }
}

void PrintStore(const StoreSettings& store, const std::vector<PeerGroupRule>& groups) {
  fmt::print("source: prometheus at {}: every {:g} s, {:g} s behind the clock\n",
             FormatUrl(store.endpoint), ToSeconds(store.step), ToSeconds(store.lag));
  const auto wants = WantsOf(groups, store.step);
  const bool left_out = std::any_of(groups.begin(), groups.end(), [&](const PeerGroupRule& group) {
    return !wants.kinds.contains(KindRow(group.kind).entity);
  });
  // Not an error: the other groups of the same file work with a longer step.
  if (left_out) {
    fmt::print("note: congestion windows are not read: they need a step of at most 2.5 s\n");
  }
}

void PrintLists(const Discovery& lists, const std::vector<SdSource>& sources) {
  for (const auto& status : lists.Status()) {
    fmt::print("file_sd {}: {} targets, {} refused\n", status.name, status.targets, status.refused);
  }
  for (const auto& source : sources) {
    if (source.http) {
      fmt::print("http_sd {}: asked by serve\n", source.name);
    }
  }
  for (const auto& problem : lists.Problems()) {
    fmt::print("refused: {}\n", problem);
  }
}

// Who is compared with whom, and what looks like a slip. Returns how many do.
std::size_t PrintReview(const DiagnoserConfig& config, bool ask) {
  std::optional<Answers> answers;
  if (ask) {
    answers =
        ReadAnswers(config.pipeline.groups, config.targets, AskAll(config.targets, kPatience));
  }
  const auto exists = [](const std::string& file) { return ReadRegularFile(file).has_value(); };
  const auto review = ReviewConfig(config, exists, answers ? &*answers : nullptr);
  fmt::print("\n{}", GroupTable(review.groups, kNamed));
  for (const auto& kinds : review.kinds) {
    fmt::print("{}\n", kinds);
  }
  for (const auto& warning : review.warnings) {
    fmt::print("warning: {}\n", warning);
  }
  return review.warnings.size();
}

}  // namespace

void CheckConfigOptions::Bind(Flags& flags) {
  BindConfigFile(flags, config_file);
  BindThresholdsFile(flags, thresholds_file);
  flags.Add(ask, "--ask",
            "ask each target for its page: who really is compared, and what is missing");
  flags.Add(resolved, "--resolved", "print every setting that judges, as it holds now");
  flags.Add(strict, "--strict", "exit 1 when there are warnings");
}

int RunCheckConfig(const CheckConfigOptions& options) {
  const auto config = LoadDiagnoserConfig(options.config_file, options.thresholds_file);
  if (!config) {
    return RefuseConfig(config.error(), options.config_file);
  }
  const RealClock clock;
  Discovery lists(config->fixed_targets, ListsInFiles(config->discovery), clock,
                  [](LogLevel, std::string_view) {});  // problems are printed below
  (void)lists.Poll();
  // Groups come after the lists: default groups are made of the roles that the targets have.
  const auto whole = WithTargets(*config, lists.Targets());
  PrintGroups(options.config_file, whole);
  if (config->store) {
    PrintStore(*config->store, config->all_groups);
  }
  PrintLists(lists, config->discovery);
  for (const auto& note : config->notes) {
    fmt::print("note: {}\n", note);
  }
  const auto slips = PrintReview(whole, options.ask);
  if (options.resolved) {
    PrintResolved(whole);
  }
  // serve goes on without the refused entries; who checks before a roll-out wants to be stopped.
  return lists.Problems().empty() && (slips == 0 || !options.strict) ? kExitOk : kExitFailed;
}

}  // namespace limpet
