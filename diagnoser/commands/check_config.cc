#include "diagnoser/commands/check_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "diagnoser/commands/ask.h"
#include "diagnoser/commands/ask_store.h"
#include "diagnoser/commands/messages.h"
#include "diagnoser/config/config.h"
#include "diagnoser/config/custom_slips.h"
#include "diagnoser/config/folder_slips.h"
#include "diagnoser/config/review.h"
#include "diagnoser/config/shard.h"
#include "diagnoser/detect/detectors.h"
#include "diagnoser/detect/preset_fields.h"
#include "diagnoser/detect/time_scales.h"
#include "diagnoser/publish/explain.h"
#include "diagnoser/sources/discovery.h"
#include "exporter/common/regular_file.h"
#include "exporter/common/utf8.h"
#include "exporter/common/web/web_config.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kNamed = 5;        // members of a group
constexpr std::size_t kOfAServer = 100;  // components and metrics, with 12 disks

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
  if (!config.custom.empty()) {
    fmt::print("metrics: {}\n", JoinedNames(config.custom));
  }
  if (config.shard.count > 1) {
    fmt::print("shard: {} of 0 to {}: {} of {} peer groups\n", config.shard.index,
               config.shard.count - 1, groups.size(), config.all_groups.size());
  }
  if (config.publish.detail == Detail::kAuto && config.targets.size() > kShownInFull / kOfAServer) {
    fmt::print(
        "note: of more than {} components and metrics (some {} servers of 12 disks) /metrics shows "
        "those alone that are or were flagged; publish.detail: all shows all\n",
        kShownInFull, kShownInFull / kOfAServer);
  }
}

// How soon a difference is named, by how large it is.
void PrintNamingTimes(const std::vector<PresetSettings>& presets) {
  for (const auto& preset : presets) {
    // Degrees without a natural scale name whatever their thresholds were trained to.
    if (!MakeDetector(preset)->Training().in_tenths) {
      const auto naming = FindNamingTime(preset);
      // Rounded up, so that the promise holds.
      const Duration most =
          naming.most < 2min ? naming.most : std::chrono::ceil<std::chrono::minutes>(naming.most);
      fmt::print("{}: what reaches {:.3g} times its peers is named after {}, at most {}\n",
                 preset.name, naming.times, ForPeople(naming.usual), ForPeople(most));
    }
  }
}

// What readings may be late or missing by, and why.
void PrintPatience(const DiagnoserConfig& config) {
  fmt::print(
      "readings: more than {:g} s apart they leave a gap (max_gap); a late or lost one does "
      "not\n",
      ToSeconds(config.pipeline.presets.front().MaxGap()));
  if (config.store) {
    fmt::print(
        "windows: judged once the store has been read beyond their end, {:g} s behind the "
        "clock (lag)\n",
        ToSeconds(config.store->lag));
    return;
  }
  fmt::print("windows: judged {:g} s after their end (lateness), {}\n", ToSeconds(config.lateness),
             config.fixed_lateness ? "as the file says"
                                   : "the longest interval and a second for the answer");
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
  fmt::print("source: prometheus at {}: every {:g} s\n", FormatUrl(store.endpoint),
             ToSeconds(store.step));
  const auto wants = WantsOf(groups, store.step);
  const bool left_out = std::any_of(groups.begin(), groups.end(), [&](const PeerGroupRule& group) {
    return !wants.kinds.contains(KindRow(group.kind).also);
  });
  // Not an error: losses and the other groups of the same file work with a longer step.
  if (left_out) {
    fmt::print(
        "note: congestion windows are not read: they need a step of at most 2.5 s; losses are told "
        "by segments sent again\n");
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
    fmt::print("refused: {}\n", PrintableLines(problem));
  }
}

// What is to be compared as far as it is known, with the pages of whoever has been asked.
struct Asked {
  DiagnoserConfig config;
  std::optional<Answers> answers;     // nullopt: nobody was asked
  std::vector<std::string> warnings;  // of the store
  bool empty = false;                 // the store has nothing to compare
};

Asked AskWhoIsThere(DiagnoserConfig config, bool ask) {
  Asked asked{.config = std::move(config), .answers = std::nullopt, .warnings = {}, .empty = false};
  if (!ask) {
    return asked;
  }
  std::vector<FetchResult> pages;
  if (const auto& store = asked.config.store) {
    auto stored =
        AskStore(*store, WantsOf(asked.config.all_groups, store->step, asked.config.custom));
    asked.warnings = FindStoreSlips(*store, stored);
    asked.empty = stored.IsEmpty();
    asked.config = WithTargets(std::move(asked.config), stored.targets);
    // A shard has some of the store's nodes only.
    for (const auto& target : asked.config.targets) {
      const auto place = std::ranges::find(stored.targets, target.node, &Target::node);
      pages.push_back(
          std::move(stored.pages[static_cast<std::size_t>(place - stored.targets.begin())]));
    }
  } else {
    pages = AskAll(asked.config.targets);
  }
  asked.answers =
      ReadAnswers(asked.config.pipeline.groups, asked.config.custom, asked.config.targets, pages);
  std::ranges::move(FindCustomSlips(asked.config.custom, asked.answers->names),
                    std::back_inserter(asked.warnings));
  return asked;
}

// Who is compared with whom, and what looks like a slip. Returns how many do.
std::size_t PrintReview(const Asked& asked, const CheckConfigOptions& options) {
  const auto exists = [](const std::string& file) { return ReadRegularFile(file).has_value(); };
  const auto is_folder = [](const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored);
  };
  const auto review = ReviewConfig(asked.config, exists, asked.answers ? &*asked.answers : nullptr);
  fmt::print("\n{}", PrintableLines(GroupTable(review.groups, kNamed)));
  for (const auto& kinds : review.kinds) {
    fmt::print("{}\n", PrintableLines(kinds));
  }
  const auto folders = FindFolderSlips(asked.config, options.state_folder, is_folder);
  std::size_t count = 0;
  for (const auto* warnings : {&asked.warnings, &review.warnings, &folders}) {
    for (const auto& warning : *warnings) {
      fmt::print("warning: {}\n", PrintableLines(warning));
    }
    count += warnings->size();
  }
  return count;
}

}  // namespace

void CheckConfigOptions::Bind(Flags& flags) {
  BindConfigFile(flags, config_file);
  BindThresholdsFile(flags, thresholds_file);
  flags.Add(web_config_file, "--web.config.file", "FILE",
            "TLS and passwords, as for serve: checked as well");
  flags.Add(state_folder, "--state-dir", "DIR", "folder for the state, as for serve: looked for");
  flags.Add(ask, "--ask",
            "ask each target, or the store: who really is compared, and what is missing");
  flags.Add(resolved, "--resolved", "print every setting that judges, as it holds now");
  flags.Add(strict, "--strict", "exit 1 when there are warnings");
}

int RunCheckConfig(const CheckConfigOptions& options) {
  const auto config = LoadDiagnoserConfig(options.config_file, options.thresholds_file);
  if (!config) {
    return RefuseConfig(config.error(), options.config_file);
  }
  if (!options.web_config_file.empty()) {
    if (const auto web = web::LoadWebConfig(options.web_config_file); !web) {
      return Fail(web.error().Text(), kExitUsage);
    }
  }
  const RealClock clock;
  Discovery lists(config->fixed_targets, ListsInFiles(config->discovery), clock,
                  [](LogLevel, std::string_view) {});  // problems are printed below
  (void)lists.Poll();
  // Groups come after the lists: default groups are made of the roles that the targets have.
  const auto asked = AskWhoIsThere(WithTargets(*config, lists.Targets()), options.ask);
  PrintGroups(options.config_file, asked.config);
  PrintNamingTimes(asked.config.pipeline.presets);
  PrintPatience(asked.config);
  if (config->store) {
    PrintStore(*config->store, config->all_groups);
  }
  PrintLists(lists, config->discovery);
  for (const auto& note : config->notes) {
    fmt::print("note: {}\n", PrintableLines(note));
  }
  const auto slips = PrintReview(asked, options);
  if (options.resolved) {
    PrintResolved(asked.config);
  }
  // serve goes on without the refused entries, and waits for a store's series; who checks before a
  // roll-out wants to be stopped.
  return !asked.empty && lists.Problems().empty() && (slips == 0 || !options.strict) ? kExitOk
                                                                                     : kExitFailed;
}

}  // namespace limpet
