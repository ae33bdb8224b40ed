#include "diagnoser/detect/wasserstein/wasserstein.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "diagnoser/detect/group_window.h"
#include "diagnoser/detect/kernels/sorted_samples.h"
#include "diagnoser/detect/pair_degrees.h"
#include "diagnoser/detect/wasserstein/distance.h"
#include "diagnoser/detect/wasserstein/gate_facts.h"
#include "diagnoser/detect/wasserstein/gates.h"
#include "diagnoser/detect/wasserstein/like_devices.h"
#include "diagnoser/detect/wasserstein/scatter.h"
#include "diagnoser/detect/wasserstein/wasserstein_pairs.h"
#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

void FillRange(const SampleSet& sorted, Comparison& result) {
  result.lo = sorted.All().front();
  result.hi = result.lo;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    result.lo = std::min(result.lo, sorted.Of(i).front());
    result.hi = std::max(result.hi, sorted.Of(i).back());
  }
}

double MedianIqr(const SampleSet& sorted) {
  std::vector<double> iqr;
  iqr.reserve(sorted.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    iqr.push_back(SortedIqr(sorted.Of(i)));
  }
  return Median(std::move(iqr));
}

std::size_t MostSamples(const SampleSet& samples) {
  std::size_t most = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    most = std::max(most, samples.Of(i).size());
  }
  return most;
}

// Of a threshold: what stands out less needs no look at its peers.
constexpr double kWorthALook = 0.5;

// Where servers have several devices each, each beside the others' devices in its place.
class InPlace {
 public:
  InPlace(const ServersOfDevices& servers, std::span<const GateFacts> facts,
          const MetricWindow& window)
      : window_(&window),
        by_mean_(servers, window.comparison.mean),
        by_slowdown_(servers, Slowdowns(facts, window)) {}

  void Add(std::size_t component, GateFacts& own) const {
    const auto& comparison = window_->comparison;
    auto like = by_mean_.FindLike(component, comparison.mean[component] > comparison.median_mean);
    own.like_scatter = PairScatter(like);
    own.like = Median(std::move(like));
    if (own.slowdown) {
      *own.slowdown /= std::max(1.0, Median(by_slowdown_.FindLike(component, true)));
      own.svctm_effect = std::max(0.0, *own.slowdown - 1);
    }
  }

 private:
  static std::vector<double> Slowdowns(std::span<const GateFacts> facts,
                                       const MetricWindow& window) {
    std::vector<double> all;
    for (const auto member : window.who) {
      all.push_back(facts[member].slowdown.value_or(1));
    }
    return all;
  }

  const MetricWindow* window_;
  LikeDevices by_mean_;
  LikeDevices by_slowdown_;
};

// Holds the devices that stand out against those in their place on the other servers.
void GradeInPlace(const GroupSamples& group, const PresetSettings& preset,
                  std::span<const GateFacts> facts, MetricWindow& window) {
  const auto& metric = group.metrics[window.metric];
  auto& comparison = window.comparison;
  // Trained ones are at least 1.
  const double least =
      kWorthALook * preset.threshold_factor * std::min(1.0, preset.DefaultThreshold(metric.name));
  // A balance is one of a whole server.
  if (!preset.device_kinds || group.per_node || metric.gate == Gate::kBalance ||
      std::ranges::none_of(comparison.degree, [&](double degree) { return degree > least; })) {
    return;
  }
  const ServersOfDevices servers(group, window.who);
  if (!servers.HaveSeveral()) {
    return;
  }
  const InPlace in_place(servers, facts, window);
  comparison.common_degree.resize(comparison.degree.size());
  for (std::size_t i = 0; i < comparison.degree.size(); ++i) {
    auto& degree = comparison.degree[i];
    if (degree > least) {
      auto own = facts[window.who[i]];
      in_place.Add(i, own);
      const double alone = GateDegree(comparison, i, metric, preset, own).degree;
      comparison.common_degree[i] = alone < degree ? degree : 0;
      degree = alone;
    }
  }
}

void GradeWindow(const GroupSamples& group, const PresetSettings& preset,
                 std::span<const GateFacts> facts, MetricWindow& window) {
  const auto& metric = group.metrics[window.metric];
  auto& comparison = window.comparison;
  const std::size_t n = comparison.s.size();
  comparison.degree.resize(n);
  comparison.effect.resize(n);
  comparison.z.resize(n);
  if (metric.judged_with) {
    comparison.device_time.resize(n);
  }
  const bool balance = metric.gate == Gate::kBalance;
  const double scatter = balance ? PairScatter(comparison.mean) : 0;
  for (std::size_t i = 0; i < n; ++i) {
    auto own = facts[window.who[i]];
    own.means_scatter = scatter;
    if (balance && !group.traffic.empty()) {
      own.carried = group.traffic[window.metric][window.who[i]];
    }
    const auto gated = GateDegree(comparison, i, metric, preset, own);
    comparison.degree[i] = gated.degree;
    comparison.effect[i] = gated.effect;
    comparison.z[i] = gated.z;
    if (metric.judged_with) {
      comparison.device_time[i] = own.device_time;
    }
  }
}

void MarkBounds(const MetricRow& metric, const GroupWindow& group, std::span<const GateFacts> facts,
                MetricWindow& window) {
  if (!metric.judged_with) {
    return;
  }
  for (std::size_t i = 0; i < window.who.size(); ++i) {
    const auto number = window.who[i];
    if (facts[number].svctm_effect && group.IsBound(*metric.judged_with, number)) {
      window.comparison.is_bound.resize(window.who.size());
      window.comparison.is_bound[i] = true;
    }
  }
}

}  // namespace

Comparison WassersteinDetector::Compare(const WindowSamples& window,
                                        const BoundWillDo& bound_will_do) const {
  const auto& samples = *window.samples;
  auto result = CompareMeans(samples);
  if (result.undetermined) {
    return result;
  }
  const auto sorted = SortedSamples(samples);
  FillRange(sorted, result);
  result.median_iqr = MedianIqr(sorted);
  if (preset_->scatter == Scatter::kResiduals) {
    // With too many holes nobody's residuals are known, and the own spread has to do.
    result.median_iqr = ResidualIqr(samples, preset_->window).value_or(result.median_iqr);
  }
  WassersteinPairs pairs(sorted);
  // With different counts a distance has up to m + n - 1 terms.
  FillDegrees(pairs, 2 * MostSamples(sorted), bound_will_do, result);
  return result;
}

void WassersteinDetector::Grade(const GroupSamples& group, GroupWindow& window) const {
  const auto facts = FindGateFacts(group, window, *preset_);
  for (auto& one : window.windows) {
    if (!one.comparison.undetermined) {
      const auto& metric = group.metrics[one.metric];
      GradeWindow(group, *preset_, facts, one);
      GradeInPlace(group, *preset_, facts, one);
      MarkBounds(metric, window, facts, one);
    }
  }
}

bool WassersteinDetector::BoundSuffices(const MetricRow& metric, const Comparison& comparison,
                                        std::size_t component, const Candidate& candidate) const {
  // Facts that other metrics have yet to say are taken for open gates.
  const bool may_be_flash = !candidate.member->rotates || IsFlash(*candidate.member) ||
                            IsVirtualDisk(candidate.member->device);
  const GateFacts open{.requests = candidate.samples->requests,
                       .flash = may_be_flash,
                       .timed_flash = may_be_flash,
                       .mean_difference = std::numeric_limits<double>::infinity(),
                       .await_effect = std::numeric_limits<double>::infinity(),
                       .carried = {.excess = std::numeric_limits<double>::infinity()}};
  return GatedBoundSuffices(comparison, component, metric, *preset_, open, candidate.threshold);
}

PeerDistances WassersteinDetector::Explain(const WindowSamples& window,
                                           const Comparison& comparison, std::size_t component,
                                           double threshold) const {
  PeerDistances result{.to = std::vector<double>(window.samples->size(), 0.0)};
  if (comparison.undetermined) {
    return result;
  }
  const auto sorted = SortedSamples(*window.samples);
  const auto own = sorted.Of(component);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    result.to[i] = WassersteinDistance(own, sorted.Of(i));
  }
  result.far = FarDistance(comparison, component, threshold);
  return result;
}

TrainingRule WassersteinDetector::Training() const {
  constexpr std::array kScatters = {"own", "residuals"};
  constexpr std::array kGates = {"always", "busy", "either", "off", "uncapped"};
  constexpr std::array kServiceTimes = {"request", "device"};
  return {
      .in_tenths = false,
      .scale = preset_->training_scale,
      .cap = preset_->training_cap,
      .deviant_as_group = preset_->training_deviant == TrainingDeviant::kGroup,
      .largest = std::nullopt,
      .settings = {{"hog_direction", preset_->hog_direction ? "true" : "false"},
                   {"scatter", kScatters[static_cast<std::size_t>(preset_->scatter)]},
                   {"service_time", kServiceTimes[static_cast<std::size_t>(preset_->service_time)]},
                   {"svctm_gate", kGates[static_cast<std::size_t>(preset_->svctm_gate)]}}};
}

}  // namespace limpet
