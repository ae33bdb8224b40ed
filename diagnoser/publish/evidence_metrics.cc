#include "diagnoser/publish/evidence_metrics.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "diagnoser/metrics/catalog.h"
#include "exporter/common/exposition/catalog/diagnoser.h"

namespace limpet {
namespace {

using NodeCause = std::pair<std::string, Cause>;

// Against next to nothing a ratio says little: the difference does.
constexpr double kMaxRatio = 1000;

Family SinceFamily(const PipelineView& view, const VerdictLog& log) {
  std::map<NodeCause, UnixTime> since;
  for (const auto& node : view.nodes) {
    const auto began = log.Since(node.preset, node.node, node.cause);
    if (node.indicted && began) {
      const auto [place, is_new] = since.emplace(NodeCause(node.node, node.cause), *began);
      place->second = std::min(place->second, *began);
    }
  }
  Family family{.info = &catalog::kIndictedSince, .samples = {}};
  for (const auto& [key, began] : since) {
    family.samples.push_back({MakeLabels({{"node", key.first}, {"cause", Name(key.second)}}),
                              ToSeconds(began.time_since_epoch())});
  }
  return family;
}

// Compared with peers in numbers, unlike what system calls say.
bool HasNumbers(const Evidence& evidence) {
  return evidence.mean && evidence.peer_median && !evidence.syscall;
}

std::map<NodeCause, const Evidence*> LeadingEvidence(const PipelineView& view) {
  std::map<NodeCause, const Evidence*> leading;
  for (const auto& verdict : view.verdicts) {
    // Nobody is paged for who suffers from another.
    if (verdict.secondary || verdict.cause == Cause::kNone) {
      continue;
    }
    for (const auto& evidence : verdict.evidence) {
      if (!HasNumbers(evidence)) {
        continue;
      }
      auto& best = leading[{verdict.node, verdict.cause}];
      if (best == nullptr || evidence.degree > best->degree) {
        best = &evidence;
      }
    }
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
    const auto display = row == nullptr ? Display() : row->display;
    // The text of an alert cannot multiply: it gets the number that people read, and its unit.
    pairs.emplace_back("unit", display.unit);
    differences.samples.push_back(
        {MakeLabels(pairs), (*evidence->mean - *evidence->peer_median) * display.factor});
  }
  Families families;
  families.push_back(SinceFamily(view, log));
  families.push_back(std::move(ratios));
  families.push_back(std::move(differences));
  families.push_back(std::move(peers));
  return families;
}

}  // namespace limpet
