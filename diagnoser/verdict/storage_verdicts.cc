#include "diagnoser/verdict/storage_verdicts.h"

#include <algorithm>
#include <utility>

#include "diagnoser/metrics/catalog.h"
#include "diagnoser/verdict/ranking.h"

namespace limpet {
namespace {

// Configurations may say the label of a metric for its name.
bool IsMetric(const std::string& name, const std::string& wanted) {
  return name == wanted || MetricLabel(name) == MetricLabel(wanted);
}

// Flags that count only beside others, where these are not.
void DropLone(std::vector<StorageFlag>& flags, const VerdictEvent* verdict) {
  const auto all = flags;
  std::erase_if(flags, [&](const StorageFlag& flag) {
    const auto is_it = [&](const Evidence& one) { return IsMetric(one.metric, flag.beside); };
    return !flag.beside.empty() && std::ranges::none_of(all, is_it, &StorageFlag::evidence) &&
           (verdict == nullptr || std::ranges::none_of(verdict->evidence, is_it));
  });
}

// The worst flag says the cause, and is told first.
VerdictEvent MakeVerdict(const std::string& node, std::vector<StorageFlag> flags) {
  std::ranges::stable_sort(flags, [](const StorageFlag& a, const StorageFlag& b) {
    return a.evidence.degree > b.evidence.degree;
  });
  VerdictEvent verdict{
      .node = node, .cause = flags.front().cause, .degree = flags.front().evidence.degree};
  for (auto& flag : flags) {
    verdict.evidence.push_back(std::move(flag.evidence));
  }
  return verdict;
}

}  // namespace

std::vector<VerdictEvent> WithStorage(std::vector<VerdictEvent> checklist, StorageFindings findings,
                                      double rho, bool marks) {
  const bool explained = marks && std::ranges::any_of(checklist, [&](const VerdictEvent& one) {
                           return !one.secondary && findings.peers.contains(one.node);
                         });
  std::vector<VerdictEvent> slow;
  for (auto& [node, flags] : findings.flags) {
    const auto known = std::ranges::find(checklist, node, &VerdictEvent::node);
    DropLone(flags, known == checklist.end() ? nullptr : &*known);
    if (known != checklist.end()) {
      for (auto& flag : flags) {
        known->evidence.push_back(std::move(flag.evidence));
      }
    } else if (!flags.empty()) {
      slow.push_back(MakeVerdict(node, std::move(flags)));
    }
  }
  const auto before = checklist.size();
  for (auto& one : Ranked(std::move(slow), rho, marks)) {
    one.rank += before;
    one.secondary = one.secondary || explained;
    checklist.push_back(std::move(one));
  }
  return checklist;
}

}  // namespace limpet
