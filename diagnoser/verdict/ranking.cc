#include "diagnoser/verdict/ranking.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "diagnoser/metrics/catalog.h"

namespace limpet {

namespace {

void SortWorstFirst(std::vector<VerdictEvent>& verdicts) {
  std::sort(verdicts.begin(), verdicts.end(), [](const VerdictEvent& a, const VerdictEvent& b) {
    // Names break ties, so that two runs print the same list.
    return std::tie(b.degree, a.node) < std::tie(a.degree, b.node);
  });
}

enum class MetricFamily : std::uint8_t { kDisk, kTraffic, kWindow, kLoss, kDelay, kOther };
constexpr std::size_t kFamilies = 6;

MetricFamily FindFamily(std::string_view metric) {
  const auto* row = FindMetric(metric);
  switch (row == nullptr ? Symptom::kNone : row->checklist.symptom) {
    case Symptom::kThroughput:
    case Symptom::kLatency:
      return MetricFamily::kDisk;
    case Symptom::kReceived:
    case Symptom::kSent:
    case Symptom::kUnreceived:
    case Symptom::kUnsent:
      return MetricFamily::kTraffic;
    case Symptom::kWindow:
      return MetricFamily::kWindow;
    case Symptom::kRetransmitted:
      return MetricFamily::kLoss;
    case Symptom::kDelay:
      return MetricFamily::kDelay;
    case Symptom::kNone:
      break;
  }
  return MetricFamily::kOther;
}

using FamilyDegrees = std::array<double, kFamilies>;  // 0: no evidence in it
FamilyDegrees LargestDegrees(const VerdictEvent& verdict) {
  FamilyDegrees largest{};
  for (const auto& one : verdict.evidence) {
    auto& degree = largest[static_cast<std::size_t>(FindFamily(one.metric))];
    degree = std::max(degree, one.degree);
  }
  return largest;
}

// Degrees of different metrics cannot be compared, so only who is worse in the same ones can be
// the reason for what another server shows.
bool IsExplained(const FamilyDegrees& own, const FamilyDegrees& by) {
  for (std::size_t family = 0; family < kFamilies; ++family) {
    if (own[family] > by[family]) {
      return false;
    }
  }
  return true;
}

// What is local needs no explanation; of the rest, what a server with local evidence explains.
void MarkExplained(std::vector<VerdictEvent>& verdicts) {
  for (auto& verdict : verdicts) {
    const auto own = LargestDegrees(verdict);
    verdict.secondary =
        !verdict.local && std::ranges::any_of(verdicts, [&](const VerdictEvent& other) {
          return other.local && IsExplained(own, LargestDegrees(other));
        });
  }
}

}  // namespace

std::vector<VerdictEvent> Ranked(std::vector<VerdictEvent> verdicts, double rho, bool marks) {
  SortWorstFirst(verdicts);
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    verdicts[i].rank = i + 1;
    // What waits for the worst server is slow as well, but less so.
    verdicts[i].secondary = marks && verdicts[i].degree < verdicts.front().degree / rho;
  }
  if (marks && std::ranges::any_of(verdicts, &VerdictEvent::local)) {
    MarkExplained(verdicts);
  }
  return verdicts;
}

std::vector<VerdictEvent> RankedWithin(
    std::vector<VerdictEvent> verdicts, double rho, bool marks,
    const std::function<std::size_t(const std::string&)>& set_of) {
  std::map<std::size_t, std::vector<VerdictEvent>> sets;
  for (auto& verdict : verdicts) {
    sets[set_of(verdict.node)].push_back(std::move(verdict));
  }
  std::vector<VerdictEvent> all;
  for (auto& [number, of_set] : sets) {
    auto ranked = Ranked(std::move(of_set), rho, marks);
    all.insert(all.end(), std::make_move_iterator(ranked.begin()),
               std::make_move_iterator(ranked.end()));
  }
  // Ranks stay those within the sets; only the order is common.
  SortWorstFirst(all);
  return all;
}

std::vector<VerdictEvent> WithBehaviour(std::vector<VerdictEvent> checklist, Behaviour behaviour,
                                        double rho, bool marks) {
  std::erase_if(behaviour.verdicts, [&](const VerdictEvent& one) {
    return std::any_of(checklist.begin(), checklist.end(),
                       [&](const VerdictEvent& other) { return other.node == one.node; });
  });
  const bool explained =
      marks && std::any_of(checklist.begin(), checklist.end(), [&](const VerdictEvent& one) {
        return behaviour.peers.contains(one.node);
      });
  const auto before = checklist.size();
  for (auto& one : Ranked(std::move(behaviour.verdicts), rho, marks)) {
    // Profiles' distances and checklist degrees have no common scale: theirs come after.
    one.rank += before;
    one.secondary = one.secondary || explained;
    checklist.push_back(std::move(one));
  }
  return checklist;
}

}  // namespace limpet
