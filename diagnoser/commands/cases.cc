#include "diagnoser/commands/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "diagnoser/commands/kept_cases.h"
#include "diagnoser/commands/messages.h"
#include "diagnoser/commands/recordings.h"
#include "diagnoser/commands/running_diagnoser.h"
#include "diagnoser/commands/state_history.h"
#include "diagnoser/config/config.h"
#include "diagnoser/incidents/proposals.h"
#include "diagnoser/metrics/catalog.h"
#include "diagnoser/publish/api_json.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr Duration kEarlier = 5min;  // between a verdict's begin by one configuration and another

Result<std::vector<Case>> ReadCases(const IncidentStore& store) {
  const auto answers = store.AnswersSince(UnixTime());
  if (!answers) {
    return answers.error();
  }
  std::map<std::string, const IncidentAnswer*> latest;
  for (const auto& one : *answers) {
    if (one.answer.kind != AnswerKind::kMaintenance) {
      latest[one.answer.incident] = &one.answer;
    }
  }
  std::vector<Case> cases;
  for (const auto& [id, answer] : latest) {
    auto record = store.Find(id);
    if (!record) {
      return record.error();
    }
    if (*record) {
      cases.push_back({.record = **std::move(record), .answer = *answer, .folder = {}});
    }
  }
  return cases;
}

// Those of the history, and those kept in folders, whose history may be elsewhere or gone.
Result<std::vector<Case>> AllCases(const CasesOptions& options) {
  auto kept = FindKeptCases(options.inputs);
  const auto store = OpenStateHistory(options.state_folder, Database::Access::kReadOnly);
  auto cases = store ? ReadCases(*store) : Result<std::vector<Case>>(store.error());
  if (!cases && kept.empty()) {
    return cases.error();
  }
  auto all = cases ? *std::move(cases) : std::vector<Case>();
  for (auto& one : kept) {
    const auto known =
        std::ranges::find(all, one.record.id, [](const Case& c) { return c.record.id; });
    if (known == all.end()) {
      all.push_back(std::move(one));
    } else {
      known->folder = one.folder;
    }
  }
  std::ranges::sort(all, {}, [](const Case& one) { return one.record.since; });
  return all;
}

const MetricRow* FindByLabel(const std::string& label) {
  for (const auto rows : MetricTable()) {
    for (const auto& row : rows) {
      if (MetricLabel(row.name) == label) {
        return &row;
      }
    }
  }
  return nullptr;
}

// The evidence of the incident's worst window, in the units of a preset's noise_floor.
LabelledIncident ReadEvidence(const Case& one) {
  LabelledIncident labelled{.fault = one.IsFault(), .differences = {}};
  const auto json = nlohmann::json::parse(one.record.document, nullptr, false);
  const auto list = json.is_object() ? json.value("evidence", nlohmann::json()) : nlohmann::json();
  for (const auto& evidence : list.is_array() ? list : nlohmann::json::array()) {
    const auto mean = evidence.value("mean", nlohmann::json());
    const auto peers = evidence.value("peer_median", nlohmann::json());
    const auto* row = FindByLabel(evidence.value("metric", std::string()));
    if (row == nullptr || row->noise_floor <= 0 || !mean.is_number() || !peers.is_number()) {
      labelled.other_evidence = true;
      continue;
    }
    labelled.differences.push_back(
        {std::string(row->name),
         std::abs(mean.get<double>() - peers.get<double>()) / ApiFactor(row->name)});
  }
  return labelled;
}

std::string Line(const Case& one, const std::string& more) {
  return fmt::format("{} {} {} {}: {}{}\n", IsoTime(one.record.since), one.record.id,
                     one.record.node, one.record.cause, Name(one.answer.kind), more);
}

std::vector<FloorProposal> Propose(std::span<const Case> cases) {
  std::vector<LabelledIncident> labelled;
  labelled.reserve(cases.size());
  for (const auto& one : cases) {
    labelled.push_back(ReadEvidence(one));
  }
  return ProposeFloors(labelled);
}

// Of so many cases that were judged.
struct Tally {
  std::size_t gone = 0;
  std::size_t alarms = 0;
  std::size_t kept = 0;
  std::size_t faults = 0;

  [[nodiscard]] std::string Text() const {
    return fmt::format("{} of {} false alarms gone, {} of {} faults kept\n", gone, alarms, kept,
                       faults);
  }
};

std::string ProposalText(const FloorProposal& one, std::string_view by, const Tally& tally) {
  return fmt::format("noise_floor: {{{}: {}}}  # {}: {}", one.metric, one.floor, by, tally.Text());
}

int List(std::span<const Case> cases) {
  std::string text;
  for (const auto& one : cases) {
    text += Line(one, "");
  }
  const auto* before = "\n";
  for (const auto& one : Propose(cases)) {
    text += std::exchange(before, "") +
            ProposalText(one, "by the evidence", {one.gone, one.alarms, one.faults, one.faults});
  }
  return PrintAll(text, "cases");
}

// When the server of the case is indicted by this configuration in its span, for anything; absent:
// it is not. `compared`: whether any window compared something.
struct Judged {
  std::optional<UnixTime> named;
  bool compared = false;
};

Result<Judged> Judge(const Case& one, const DiagnoserConfig& config, const CasesOptions& options,
                     const LogSink& log) {
  Judged judged;
  const auto rules = RulesOf(config);
  Workers workers(HelperThreads(options.jobs));
  const auto report =
      Replay(config.pipeline,
             {.paths = one.folder.empty() ? options.inputs : std::vector{one.folder},
              .range = one.Span(),
              .workers = &workers},
             {.events = ForEachEvent([&](const Event& event) {
                const auto* verdict = std::get_if<VerdictEvent>(&event);
                if (verdict != nullptr && verdict->node == one.record.node && !verdict->secondary &&
                    verdict->Since() >= one.record.since - kEarlier && !judged.named) {
                  judged.named = verdict->end;
                }
              })},
             log);
  if (!report) {
    return report.error();
  }
  judged.compared = FindMisfit(*report, rules).empty();
  return judged;
}

// `tell`: each case's line.
Result<Tally> JudgeAll(std::span<const Case> cases, const DiagnoserConfig& config,
                       const CasesOptions& options,
                       const std::function<void(const std::string&)>& tell) {
  const auto log = StderrLog(LogLevel::kError);
  Tally tally;
  for (const auto& one : cases) {
    const auto judged = Judge(one, config, options, log);
    if (!judged) {
      return judged.error();
    }
    std::string said = "; not judged: the recordings have nothing to compare then";
    if (judged->compared) {
      ++(one.IsFault() ? tally.faults : tally.alarms);
      tally.kept += one.IsFault() && judged->named ? 1U : 0U;
      tally.gone += !one.IsFault() && !judged->named ? 1U : 0U;
      said = judged->named ? fmt::format("; named after {:.0f} s",
                                         ToSeconds(*judged->named - one.record.since))
                           : "; not named";
    }
    tell(Line(one, said));
  }
  return tally;
}

// What the floors that the evidence proposes would really have changed.
Result<std::string> TryProposals(std::span<const Case> cases, const DiagnoserConfig& config,
                                 const CasesOptions& options) {
  constexpr std::size_t kMost = 3;  // each takes as long as the judgement before
  auto proposals = Propose(cases);
  proposals.resize(std::min(proposals.size(), kMost));
  std::string text;
  for (const auto& one : proposals) {
    auto changed = config;
    for (auto& preset : changed.pipeline.presets) {
      auto& floor = preset.noise_floor[one.metric];
      floor = std::max(floor, one.floor);
    }
    const auto tally = JudgeAll(cases, changed, options, [](const std::string&) {});
    if (!tally) {
      return tally.error();
    }
    text += ProposalText(one, "replayed", *tally);
  }
  return text;
}

// Prints as it goes: each case takes seconds.
int TellAll(std::span<const Case> cases, const DiagnoserConfig& config,
            const CasesOptions& options) {
  const auto tally = JudgeAll(cases, config, options, [](const std::string& line) {
    (void)PrintAll(line, "cases");
    (void)std::fflush(stdout);
  });
  if (!tally) {
    return Fail("cases: " + tally.error().Text(), kExitFailed);
  }
  auto text = tally->Text();
  if (tally->gone < tally->alarms) {
    const auto tried = TryProposals(cases, config, options);
    if (!tried) {
      return Fail("cases: " + tried.error().Text(), kExitFailed);
    }
    text += *tried;
  }
  return PrintAll(text, "cases");
}

int Keep(std::span<const Case> cases, const CasesOptions& options) {
  for (const auto& one : cases) {
    const auto kept =
        one.folder.empty() ? KeepCase(one, options.inputs, options.output) : Result<std::size_t>(0);
    if (!kept) {
      return Fail("cases: " + kept.error().Text(), kExitFailed);
    }
    if (const int code = PrintAll(Line(one, fmt::format("; {} recordings kept", *kept)), "cases");
        code != kExitOk) {
      return code;
    }
  }
  return kExitOk;
}

}  // namespace

void CasesOptions::Bind(Flags& flags) {
  BindStateFolder(flags, state_folder);
  BindConfigFile(flags, config_file);
  BindThresholdsFile(flags, thresholds_file);
  BindJobs(flags, jobs);
  flags.AddInputs(inputs, "INPUT",
                  "recordings, or folders of them: what --config says of each case");
  flags.Add(output, "--output", "FOLDER", "keep the recordings of each case's time there");
}

int RunCases(const CasesOptions& options) {
  const auto cases = AllCases(options);
  if (!cases) {
    return Fail("cases: " + cases.error().Text(), kExitFailed);
  }
  if (cases->empty()) {
    return Fail("cases: no incident has an answer: limpet-diagnoser answer ID --as false-alarm",
                kExitFailed);
  }
  if (options.inputs.empty()) {
    return options.output.empty()
               ? List(*cases)
               : Fail("cases: --output wants the recordings to keep from", kExitUsage);
  }
  if (!options.output.empty()) {
    return Keep(*cases, options);
  }
  auto config = LoadConfigFor(options.inputs, options.config_file, options.thresholds_file);
  if (!config) {
    return RefuseConfig(config.error(), options.config_file);
  }
  return TellAll(*cases, WithRecordedGroups(*std::move(config), options.inputs), options);
}

}  // namespace limpet
