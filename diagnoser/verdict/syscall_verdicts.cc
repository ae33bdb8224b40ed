#include "diagnoser/verdict/syscall_verdicts.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "diagnoser/verdict/ranking.h"

namespace limpet {
namespace {

VerdictEvent* FindNode(std::vector<VerdictEvent>& verdicts, const std::string& node) {
  const auto found = std::ranges::find(verdicts, node, &VerdictEvent::node);
  return found == verdicts.end() ? nullptr : &*found;
}

void AddEvidence(const VerdictEvent& from, VerdictEvent& to) {
  to.evidence.insert(to.evidence.end(), from.evidence.begin(), from.evidence.end());
}

// Faster than its peers is no fault, and often only means that a cache answers.
void KeepSlow(std::vector<VerdictEvent>& slow) {
  for (auto& verdict : slow) {
    std::erase_if(verdict.evidence,
                  [](const Evidence& one) { return one.direction != Direction::kHigh; });
    verdict.degree = 0;
    for (const auto& one : verdict.evidence) {
      verdict.degree = std::max(verdict.degree, one.degree);
    }
  }
  std::erase_if(slow, [](const VerdictEvent& one) { return one.evidence.empty(); });
}

// Slow calls of a node that has a verdict already.
void JoinSlow(std::vector<VerdictEvent>& verdicts, std::vector<VerdictEvent>& slow) {
  std::erase_if(slow, [&](const VerdictEvent& one) {
    auto* const known = FindNode(verdicts, one.node);
    if (known != nullptr) {
      AddEvidence(one, *known);
    }
    return known != nullptr;
  });
}

// A disk that is slow enough lets calls wait for half a minute: it is still the cause.
void JoinHangsOfSlowDisks(std::vector<VerdictEvent>& checklist, std::vector<VerdictEvent>& facts) {
  std::erase_if(facts, [&](const VerdictEvent& fact) {
    auto* const known = fact.cause == Cause::kServerHang ? FindNode(checklist, fact.node) : nullptr;
    const bool is_slow = known != nullptr && !known->secondary && known->cause == Cause::kDiskBusy;
    if (is_slow) {
      AddEvidence(fact, *known);
    }
    return is_slow;
  });
}

}  // namespace

std::vector<VerdictEvent> WithSyscalls(std::vector<VerdictEvent> checklist,
                                       SyscallFindings findings, const SyscallRules& rules) {
  if (findings.facts.empty() && findings.slow.empty()) {
    return checklist;
  }
  JoinHangsOfSlowDisks(checklist, findings.facts);
  auto verdicts = std::move(findings.facts);
  for (auto& fact : verdicts) {
    if (const auto* known = FindNode(checklist, fact.node)) {
      AddEvidence(*known, fact);
      fact.luns = known->luns;
    }
  }
  std::erase_if(checklist,
                [&](const VerdictEvent& one) { return FindNode(verdicts, one.node) != nullptr; });
  const bool stopped = std::ranges::any_of(
      verdicts, [](const VerdictEvent& one) { return RowOf(one.cause).stops_clients; });
  for (auto& one : checklist) {
    one.secondary = one.secondary || (rules.marks && stopped && !one.local);
  }
  std::move(checklist.begin(), checklist.end(), std::back_inserter(verdicts));
  if (rules.hog_direction) {
    KeepSlow(findings.slow);
  }
  JoinSlow(verdicts, findings.slow);
  const bool explained = rules.marks && std::ranges::any_of(verdicts, [&](const VerdictEvent& one) {
                           return !one.secondary && findings.peers.contains(one.node);
                         });
  for (auto& one : Ranked(std::move(findings.slow), rules.rho, rules.marks)) {
    // A server that waits for a slow one has slow calls itself.
    one.secondary = one.secondary || explained;
    verdicts.push_back(std::move(one));
  }
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    verdicts[i].rank = i + 1;
  }
  return verdicts;
}

}  // namespace limpet
