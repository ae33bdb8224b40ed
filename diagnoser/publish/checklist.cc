#include "diagnoser/publish/checklist.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>

#include "diagnoser/metrics/catalog.h"
#include "diagnoser/publish/explain.h"

namespace limpet {
namespace {

Symptom FindSymptom(const Evidence& evidence) {
  const auto* row = FindMetric(evidence.metric);
  return row == nullptr ? Symptom::kNone : row->checklist.symptom;
}

bool IsBalance(Symptom symptom) {
  return symptom == Symptom::kUnsent || symptom == Symptom::kUnreceived;
}

bool IsProfile(const Evidence& one) { return one.group == kProfilesGroup; }

// Whether a flag bears on the question of a step.
bool Answers(const Evidence& one, const CauseStep& step) {
  const auto symptom = FindSymptom(one);
  return symptom != Symptom::kNone &&
         std::ranges::find(step.symptoms, symptom) != std::end(step.symptoms) &&
         (step.direction == Direction::kNone || step.direction == one.direction);
}

bool HasAll(const std::vector<Evidence>& evidence, std::span<const Symptom> symptoms) {
  return std::ranges::all_of(symptoms, [&](Symptom symptom) {
    return std::ranges::any_of(evidence,
                               [&](const Evidence& one) { return FindSymptom(one) == symptom; });
  });
}

template <class Test>
std::string JoinFindings(const std::vector<Evidence>& evidence, Test test) {
  constexpr std::size_t kMax = 4;
  std::string text;
  std::size_t found = 0;
  for (const auto& one : evidence) {
    if (test(one) && ++found <= kMax) {
      text += (text.empty() ? "" : "; ") + Explain(one);
    }
  }
  return found > kMax ? text + fmt::format("; and {} more", found - kMax) : text;
}

std::vector<ChecklistStep> Walk(std::span<const CauseStep> steps, const VerdictEvent& verdict) {
  std::vector<ChecklistStep> list;
  for (const auto& step : steps) {
    const auto number = list.size() + 1;
    const auto findings =
        JoinFindings(verdict.evidence, [&](const Evidence& one) { return Answers(one, step); });
    const bool found = !findings.empty() && (!step.both || HasAll(verdict.evidence, step.symptoms));
    // Evidence that does not bear on the cause is left out of a verdict by balance, so a step that
    // found something and has the verdict's cause is the one that decided.
    const bool decided = found && step.cause == verdict.cause;
    list.push_back(
        {.step = number,
         .found = found,
         .decided = decided,
         .text = std::string(step.question) + (found ? " Yes: " + findings + "." : " No.")});
    if (decided) {
      break;
    }
  }
  return list;
}

bool IsJudgedByBalance(const VerdictEvent& verdict) {
  // A hog by balance has a surplus or deficit; of the other causes `local` is all that tells.
  return std::any_of(verdict.evidence.begin(), verdict.evidence.end(),
                     [](const Evidence& one) { return IsBalance(FindSymptom(one)); });
}

std::string_view Device(std::string_view component) {
  const auto slash = component.find('/');
  return slash == std::string_view::npos ? component : component.substr(slash + 1);
}

// The disk to look at: that with the largest degree.
std::string WorstDisk(const VerdictEvent& verdict) {
  const Evidence* worst = nullptr;
  for (const auto& one : verdict.evidence) {
    const bool is_disk = one.component.find('/') != std::string::npos;
    if (is_disk && (worst == nullptr || one.degree > worst->degree)) {
      worst = &one;
    }
  }
  return worst == nullptr ? "its disks" : std::string(Device(worst->component));
}

}  // namespace

std::vector<ChecklistStep> ExplainChecklist(const VerdictEvent& verdict) {
  const auto& row = RowOf(verdict.cause);
  // A metric of the configuration may prove any cause, and is on no checklist.
  const bool of_metrics = std::ranges::all_of(
      verdict.evidence, [](const Evidence& one) { return one.storage.has_value(); });
  if (of_metrics && row.question.empty() && !verdict.evidence.empty()) {
    return {{.step = 1,
             .found = true,
             .decided = true,
             .text = fmt::format(
                 "Does the storage itself say so? Yes: {}.",
                 JoinFindings(verdict.evidence, [](const Evidence&) { return true; }))}};
  }
  if (row.source == CauseSource::kChecklist || row.source == CauseSource::kRoundTrips) {
    return Walk(CauseSteps(IsJudgedByBalance(verdict)), verdict);
  }
  const auto bears = [&](const Evidence& one) {
    return row.source != CauseSource::kProfiles || IsProfile(one);
  };
  return {
      {.step = 1,
       .found = true,
       .decided = true,
       .text = fmt::format("{} Yes: {}.", row.question, JoinFindings(verdict.evidence, bears))}};
}

std::vector<std::string> ListFacts(const VerdictEvent& verdict) {
  std::vector<std::string> facts;
  for (const auto& [component, kind] : verdict.luns) {
    facts.push_back(kind == LunKind::kComponent
                        ? component +
                              ": its requests take longer though it has no more to do than "
                              "its peers: the component itself."
                        : component +
                              ": its requests take longer and it has more to do than its "
                              "peers: the workload.");
  }
  if (verdict.secondary) {
    facts.emplace_back("Another server is far worse, and probably explains this one.");
  }
  if (verdict.local) {
    facts.emplace_back("No other server's fault can bring this about.");
  }
  for (const auto& fact : verdict.facts) {
    facts.push_back(Explain(fact) + ".");
  }
  for (const auto& one : verdict.evidence) {
    facts.push_back(one.metric + " of " + one.component + ": " + Background(one) + ".");
  }
  return facts;
}

std::string AdviseNextStep(const VerdictEvent& verdict) {
  return FillIn(RowOf(verdict.cause).next_step, verdict.node, WorstDisk(verdict));
}

}  // namespace limpet
