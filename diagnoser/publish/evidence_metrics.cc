#include "diagnoser/publish/evidence_metrics.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "diagnoser/metrics/catalog.h"
#include "diagnoser/publish/explain.h"
#include "diagnoser/publish/storage_text.h"
#include "exporter/common/exposition/catalog/verdicts.h"

namespace limpet {
namespace {

using NodeCause = std::pair<std::string, Cause>;

// Against next to nothing a ratio says little: the difference does.
constexpr double kMaxRatio = 1000;

// When the indictments began in the data, and when they were named; of several presets the
// earliest.
std::pair<Family, Family> BegunFamilies(const PipelineView& view, const VerdictLog& log) {
  std::map<NodeCause, VerdictLog::Begun> begun;
  for (const auto& node : view.nodes) {
    const auto found = log.Find(node.preset, node.node, node.cause);
    if (node.indicted && found) {
      const auto [place, is_new] = begun.emplace(NodeCause(node.node, node.cause), *found);
      place->second.since = std::min(place->second.since, found->since);
      place->second.named = std::min(place->second.named, found->named);
    }
  }
  Family since{.info = &catalog::kIndictedSince, .samples = {}};
  Family named{.info = &catalog::kIndictedNamed, .samples = {}};
  for (const auto& [key, one] : begun) {
    const auto labels = MakeLabels({{"node", key.first}, {"cause", Name(key.second)}});
    since.samples.push_back({labels, ToSeconds(one.since.time_since_epoch())});
    named.samples.push_back({labels, ToSeconds(one.named.time_since_epoch())});
  }
  return {std::move(since), std::move(named)};
}

std::map<NodeCause, const Evidence*> LeadingEvidence(const PipelineView& view) {
  std::map<NodeCause, const Evidence*> leading;
  for (const auto& verdict : view.verdicts) {
    // Nobody is paged for who suffers from another.
    if (verdict.secondary || verdict.cause == Cause::kNone) {
      continue;
    }
    const auto* const one = FindLeading(verdict);
    if (one == nullptr || !HasNumbers(*one)) {
      continue;
    }
    auto& best = leading[{verdict.node, verdict.cause}];
    best = best == nullptr || one->degree > best->degree ? one : best;
  }
  return leading;
}

LabelSet::Pairs LabelsOf(const NodeCause& key, const Evidence& evidence) {
  LabelSet::Pairs pairs{
      {"node", key.first}, {"cause", Name(key.second)}, {"peer_group", evidence.group}};
  if (const auto slash = evidence.component.find('/'); slash != std::string::npos) {
    pairs.emplace_back("device", evidence.component.substr(slash + 1));
  }
  pairs.emplace_back("metric", MetricLabel(evidence.metric));
  return pairs;
}

}  // namespace

Families EvidenceFamilies(const PipelineView& view, const VerdictLog& log) {
  Family ratios{.info = &catalog::kEvidenceRatio, .samples = {}};
  Family differences{.info = &catalog::kEvidenceDifference, .samples = {}};
  Family peers{.info = &catalog::kEvidencePeers, .samples = {}};
  for (const auto& [key, evidence] : LeadingEvidence(view)) {
    auto pairs = LabelsOf(key, *evidence);
    const auto labels = MakeLabels(pairs);
    if (*evidence->peer_median > 0 && *evidence->mean / *evidence->peer_median < kMaxRatio) {
      ratios.samples.push_back({labels, *evidence->mean / *evidence->peer_median});
    }
    if (evidence->peers > 0) {
      peers.samples.push_back({labels, static_cast<double>(evidence->peers)});
    }
    const auto* row = FindMetric(evidence->metric);
    auto display = row == nullptr ? Display() : row->display;
    if (evidence->storage) {
      display = StorageDisplay(evidence->storage->unit, *evidence->mean);
      display.unit = display.unit.empty() ? evidence->storage->unit : display.unit;
    }
    // The text of an alert cannot multiply: it gets the number that people read, and its unit.
    pairs.emplace_back("unit", display.unit);
    differences.samples.push_back(
        {MakeLabels(pairs), (*evidence->mean - *evidence->peer_median) * display.factor});
  }
  Families families;
  auto [since, named] = BegunFamilies(view, log);
  families.push_back(std::move(since));
  families.push_back(std::move(named));
  families.push_back(std::move(ratios));
  families.push_back(std::move(differences));
  families.push_back(std::move(peers));
  return families;
}

}  // namespace limpet
