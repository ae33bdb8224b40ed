#include "diagnoser/commands/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

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

// Smoothing, balance and accumulators have settled; the end is judged, too.
constexpr Duration kBefore = 15min;
constexpr Duration kAfter = 5min;

// An incident by the latest answer that says whether it was a fault.
struct Case {
  IncidentRecord record;
  IncidentAnswer answer;

  [[nodiscard]] bool IsFault() const {
    return answer.kind == AnswerKind::kFixed || answer.kind == AnswerKind::kKnown;
  }
};

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
      cases.push_back({**std::move(record), *answer});
    }
  }
  std::ranges::sort(cases, {}, [](const Case& one) { return one.record.since; });
  return cases;
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

std::string ProposalText(std::span<const Case> cases) {
  std::vector<LabelledIncident> labelled;
  labelled.reserve(cases.size());
  for (const auto& one : cases) {
    labelled.push_back(ReadEvidence(one));
  }
  std::string text;
  for (const auto& one : ProposeFloors(labelled)) {
    text += fmt::format(
        "noise_floor: {{{}: {}}}  # by the evidence: {} of {} false alarms gone, {} of {} faults "
        "kept\n",
        one.metric, one.floor, one.gone, one.alarms, one.faults, one.faults);
  }
  return text;
}

int List(std::span<const Case> cases) {
  std::string text;
  for (const auto& one : cases) {
    text += Line(one, "");
  }
  const auto proposed = ProposalText(cases);
  text += proposed.empty() ? "" : "\n" + proposed;
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
             {.paths = options.inputs,
              .range = {.from = one.record.since - kBefore,
                        .to = one.record.ended.value_or(one.record.last) + kAfter},
              .workers = &workers},
             {.events = ForEachEvent([&](const Event& event) {
                const auto* verdict = std::get_if<VerdictEvent>(&event);
                if (verdict != nullptr && verdict->node == one.record.node && !verdict->secondary &&
                    verdict->Since() >= one.record.since - kAfter && !judged.named) {
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

int JudgeAll(std::span<const Case> cases, const DiagnoserConfig& config,
             const CasesOptions& options) {
  const auto log = StderrLog(LogLevel::kError);
  std::size_t gone = 0;
  std::size_t alarms = 0;
  std::size_t kept = 0;
  std::size_t faults = 0;
  for (const auto& one : cases) {
    const auto judged = Judge(one, config, options, log);
    if (!judged) {
      return Fail("cases: " + judged.error().Text(), kExitFailed);
    }
    std::string said = "; not judged: the recordings have nothing to compare then";
    if (judged->compared) {
      ++(one.IsFault() ? faults : alarms);
      kept += one.IsFault() && judged->named ? 1U : 0U;
      gone += !one.IsFault() && !judged->named ? 1U : 0U;
      said = judged->named ? fmt::format("; named after {:.0f} s",
                                         ToSeconds(*judged->named - one.record.since))
                           : "; not named";
    }
    if (const int code = PrintAll(Line(one, said), "cases"); code != kExitOk) {
      return code;
    }
  }
  return PrintAll(
      fmt::format("{} of {} false alarms gone, {} of {} faults kept\n", gone, alarms, kept, faults),
      "cases");
}

}  // namespace

void CasesOptions::Bind(Flags& flags) {
  BindStateFolder(flags, state_folder);
  BindConfigFile(flags, config_file);
  BindThresholdsFile(flags, thresholds_file);
  BindJobs(flags, jobs);
  flags.AddInputs(inputs, "INPUT",
                  "recordings, or folders of them: what --config says of each case");
}

int RunCases(const CasesOptions& options) {
  const auto store = OpenStateHistory(options.state_folder, Database::Access::kReadOnly);
  if (!store) {
    return Fail("cases: " + store.error().Text(), kExitFailed);
  }
  const auto cases = ReadCases(*store);
  if (!cases) {
    return Fail("cases: " + cases.error().Text(), kExitFailed);
  }
  if (cases->empty()) {
    return Fail("cases: no incident has an answer: limpet-diagnoser answer ID --as false-alarm",
                kExitFailed);
  }
  if (options.inputs.empty()) {
    return List(*cases);
  }
  auto config = LoadConfigFor(options.inputs, options.config_file, options.thresholds_file);
  if (!config) {
    return RefuseConfig(config.error(), options.config_file);
  }
  return JudgeAll(*cases, WithRecordedGroups(*std::move(config), options.inputs), options);
}

}  // namespace limpet
