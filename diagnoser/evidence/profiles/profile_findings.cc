#include "diagnoser/evidence/profiles/profile_findings.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

constexpr std::size_t kMaxMetrics = 3;
constexpr double kOfNote = 1;  // standard deviation
constexpr double kMaxDifference = 1000;

// How one metric of a node stands against its peers; nullopt when it or all of theirs are missing.
std::optional<Evidence> Compare(const NodeAverage& own, std::size_t metric, double sigma,
                                std::span<const NodeAverage> averages) {
  std::vector<double> peers;
  for (const auto& other : averages) {
    if (other.node != own.node && !IsMissing(other.average[metric])) {
      peers.push_back(other.average[metric]);
    }
  }
  const double mean = own.average[metric];
  if (peers.empty() || IsMissing(mean)) {
    return std::nullopt;
  }
  const double median = Median(std::move(peers));
  // On the scale of the profiles (model.h), where a deviation means the same for each metric.
  const double difference = (std::log(mean + 1) - std::log(median + 1)) / sigma;
  return Evidence{.component = std::string(own.node),
                  .group = kProfilesGroup,
                  .metric = std::string(HostMetrics()[metric].name),
                  .degree = std::min(kMaxDifference, std::abs(difference)),
                  .s = std::nullopt,
                  .threshold = kOfNote,
                  .direction = difference > 0 ? Direction::kHigh : Direction::kLow,
                  .effect = std::nullopt,
                  .mean = mean,
                  .peer_median = median};
}

}  // namespace

std::vector<VerdictEvent> ProfileFindings(const ProfileModel& model, const ProfileStatus& status,
                                          std::span<const NodeAverage> averages) {
  std::vector<VerdictEvent> findings;
  for (const auto& node : status.nodes) {
    const auto own =
        std::find_if(averages.begin(), averages.end(),
                     [&](const NodeAverage& average) { return average.node == node.node; });
    // After a restart a node may be indicted before it has been seen again.
    if (!node.indicted || own == averages.end()) {
      continue;
    }
    // A threshold of 0 is met by any difference at all.
    const double degree = model.threshold > 0 ? node.distance / model.threshold : kMaxDegree;
    VerdictEvent finding{.node = node.node, .cause = Cause::kBehaviour, .degree = degree};
    finding.evidence.push_back(
        {.component = node.node,
         .group = kProfilesGroup,
         .metric = std::string(kProfileMetric),
         .degree = degree,
         .s = node.distance,
         .threshold = model.threshold,
         .threshold_origin = model.trained ? ThresholdOrigin::kTrained : ThresholdOrigin::kDefault,
         .peers = averages.size() - 1});
    std::vector<Evidence> metrics;
    for (std::size_t i = 0; i < model.metrics.size(); ++i) {
      if (auto one = Compare(*own, Index(model.metrics[i]), model.sigma[i], averages)) {
        metrics.push_back(std::move(*one));
      }
    }
    std::stable_sort(metrics.begin(), metrics.end(),
                     [](const Evidence& a, const Evidence& b) { return a.degree > b.degree; });
    for (std::size_t i = 0; i < std::min(metrics.size(), kMaxMetrics); ++i) {
      // The one that differs most is named in any case: a verdict without a number convinces
      // nobody.
      if (i == 0 || metrics[i].degree >= kOfNote) {
        finding.evidence.push_back(std::move(metrics[i]));
      }
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace limpet
