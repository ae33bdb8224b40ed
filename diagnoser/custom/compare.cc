#include "diagnoser/custom/compare.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "diagnoser/detect/comparison.h"
#include "diagnoser/detect/wasserstein/wasserstein.h"
#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

constexpr double kZ = 3;
constexpr double kMinSpread = 0.02;
constexpr double kFloorSpreads = 100;
constexpr double kMadToSigma = 1.4826;
constexpr double kEffect = 0.25;
// A view of a histogram needs so many requests, whatever the metric's min_count.
constexpr double kMinTail = 30;
constexpr double kBeyondQuantile = 10;  // requests, before evidence names it

struct View {
  double tail;
  double effect;  // that is a degree of 1: tails differ more among the healthy
};
constexpr View kViews[] = {{1, kEffect}, {0.1, 0.5}, {0.01, 1}};

struct Graded {
  double effect = 0;
  double z = 0;
  double degree = 0;
};

// Of a component from its peers.
struct Difference {
  double s = 0;
  double away = 0;  // mean less the median
  double requests = kManyRequests;
  double load = 1;  // requests over its peers', at least 1 and beyond chance
};

// Chernoff's bound for a mean of exponential times: exp(-n (e - ln(1 + e))).
bool IsChance(double effect, double requests) {
  constexpr double kExponent = 10;
  return requests * (effect - std::log1p(effect)) < kExponent;
}

// Of each component. Gauges and rates have no requests, and nobody's load is known by them. Counts
// scatter: what two standard deviations explain is no load.
std::vector<double> Loads(std::span<const double> requests) {
  const double median = Median({requests.begin(), requests.end()});
  std::vector<double> loads;
  for (const double own : requests) {
    loads.push_back(
        own < kManyRequests && median > 0 ? std::max(1.0, (own - 2 * std::sqrt(own)) / median) : 1);
  }
  return loads;
}

// What is left of an effect where whoever has more to do may take longer in proportion.
double BeyondLoad(double effect, const Difference& its) {
  return its.away > 0 ? std::max(0.0, (1 + effect) / its.load - 1) : effect;
}

// What the gates of w1 say of a metric without gates of its own.
Graded Grade(const CustomMetric& metric, const Difference& its, double median, double spread,
             double effect_of_one) {
  const auto quotient = [](double value, double by) {
    return value <= 0 ? 0.0 : by > 0 ? std::min(value / by, kMaxDegree) : kMaxDegree;
  };
  Graded result;
  result.effect = quotient(its.s, std::max(median, metric.noise_floor));
  result.z = quotient(
      its.s, std::max({spread, kMinSpread * std::abs(median), metric.noise_floor / kFloorSpreads}));
  const bool counts = metric.direction == Direction::kNone ||
                      (metric.direction == Direction::kHigh) == (its.away > 0);
  const double beyond = BeyondLoad(result.effect, its);
  if (counts && beyond > 0 && std::abs(its.away) > metric.noise_floor &&
      !IsChance(beyond, its.requests)) {
    result.degree = std::min(beyond / effect_of_one, result.z * (beyond / result.effect) / kZ);
  }
  return result;
}

// What most of the others have: from the tenth to the ninetieth of a hundred.
class PeerRange {
 public:
  explicit PeerRange(std::vector<double> values) : sorted_(std::move(values)) {
    std::ranges::sort(sorted_);
  }
  void Tell(double own, StorageReading& reading) const {
    const auto last = sorted_.size() - 1;
    const auto cut = last / 10;
    reading.own = own;
    reading.peers_low = sorted_[cut + (own <= sorted_[cut] ? 1U : 0U)];
    reading.peers_high = sorted_[last - cut - (own >= sorted_[last - cut] ? 1U : 0U)];
  }

 private:
  std::vector<double> sorted_;
};

void Resize(CustomComparison& result, const CustomMetric& metric, std::size_t n) {
  result.s.resize(n);
  result.effect.resize(n);
  result.z.resize(n);
  result.degree.resize(n);
  result.direction.resize(n, Direction::kNone);
  result.reading.resize(n);
  for (auto& reading : result.reading) {
    reading.text = metric.text;
    reading.unit = metric.unit;
  }
}

// For the event of the window.
void SetRange(CustomComparison& result) {
  const auto [least, most] = std::ranges::minmax(result.mean);
  result.lo = least;
  result.hi = most;
  result.median_mean = Median(result.mean);
}

// A standard deviation that a few sick components do not widen.
double Scatter(std::span<const double> means, double median) {
  std::vector<double> away;
  for (const double mean : means) {
    away.push_back(std::abs(mean - median));
  }
  return kMadToSigma * Median(std::move(away));
}

// All distributions seen by one view, and those of them that have enough requests for it.
void AddView(const CustomMetric& metric, const View& view, std::span<const double> bounds,
             std::span<const BucketCounts> counts, std::span<const std::vector<double>> shares,
             CustomComparison& result) {
  const double least = std::max(kMinTail, static_cast<double>(metric.min_count));
  std::vector<std::size_t> who;
  std::vector<std::vector<double>> tails;
  std::vector<double> means;
  std::vector<double> requests;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (view.tail == 1 || counts[i].total * view.tail >= least) {
      who.push_back(i);
      tails.push_back(view.tail == 1 ? shares[i] : TailShares(shares[i], view.tail));
      means.push_back(MeanOf(bounds, tails.back()));
      requests.push_back(counts[i].total);
    }
  }
  if (who.size() < kMinPeers) {
    return;
  }
  const auto usual = MedianShares(tails);
  const double median = Median(means);
  const double scatter = Scatter(means, median);
  const auto loads = Loads(requests);
  for (std::size_t place = 0; place < who.size(); ++place) {
    const auto i = who[place];
    const double s = DistanceOf(bounds, tails[place], usual);
    Difference its{.s = s, .away = means[place] - median, .load = loads[place]};
    // Tails have little scatter beside their mean, and requests enough.
    if (view.tail == 1) {
      its.requests = requests[place];
    }
    const auto graded = Grade(metric, its, median, scatter, view.effect);
    // The view of all requests comes first; a tail counts where it says more.
    if (view.tail == 1 || graded.degree > result.degree[i]) {
      result.s[i] = s;
      result.effect[i] = graded.effect;
      result.z[i] = graded.z;
      result.degree[i] = graded.degree;
      result.direction[i] = FindDirection(means[place], median);
    }
  }
}

// The quantile in which each differs most from its peers, among those with enough requests beyond.
void NameQuantiles(std::span<const double> bounds, std::span<const BucketCounts> counts,
                   std::span<const std::vector<double>> shares, CustomComparison& result) {
  std::vector<double> largest(counts.size(), -1);
  for (const auto& [q, name] : kQuantiles) {
    std::vector<double> values;
    for (const auto& one : shares) {
      values.push_back(QuantileOf(bounds, one, q));
    }
    const double median = Median(values);
    const PeerRange range(values);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const double ratio = median > 0 ? std::abs(values[i] / median - 1) : 0;
      if (counts[i].total * (1 - q) < kBeyondQuantile || ratio <= largest[i]) {
        continue;
      }
      largest[i] = ratio;
      auto& reading = result.reading[i];
      reading.quantile = name;
      range.Tell(values[i], reading);
      reading.requests = counts[i].total;
    }
  }
}

}  // namespace

// Distances of all pairs, as for disks; bounds of them in groups that are too large for that.
CustomComparison CompareSamples(const CustomMetric& metric, const SampleSet& samples,
                                std::span<const double> requests, const PresetSettings& preset) {
  CustomComparison result;
  if (samples.size() < kMinPeers) {
    return result;
  }
  const auto loads = Loads(requests);
  const auto grade = [&](const Comparison& known, std::size_t i) {
    return Grade(metric,
                 {.s = known.s[i],
                  .away = known.mean[i] - known.median_mean,
                  .requests = requests[i],
                  .load = loads[i]},
                 known.median_mean, known.median_iqr, kEffect);
  };
  // Bounds do where even they are under the threshold; the spread is known by then.
  const auto bound_will_do = [&](const Comparison& known, std::size_t i) {
    return grade(known, i).degree <= 1;
  };
  const WassersteinDetector detector(preset);
  const auto compared =
      detector.Compare({.metric = nullptr, .samples = &samples},
                       samples.size() > preset.exact_up_to ? BoundWillDo(bound_will_do) : nullptr);
  if (compared.undetermined) {
    return result;
  }
  result.undetermined = false;
  result.mean = compared.mean;
  Resize(result, metric, samples.size());
  SetRange(result);
  const PeerRange range(compared.mean);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto graded = grade(compared, i);
    result.s[i] = compared.s[i];
    result.effect[i] = graded.effect;
    result.z[i] = graded.z;
    result.degree[i] = graded.degree;
    result.direction[i] = compared.direction[i];
    range.Tell(compared.mean[i], result.reading[i]);
  }
  return result;
}

// Distances to the median distribution cost a look at each, where pairs would cost its square.
CustomComparison CompareCounts(const CustomMetric& metric, std::span<const BucketCounts> counts) {
  CustomComparison result;
  std::vector<const BucketCounts*> all;
  for (const auto& one : counts) {
    all.push_back(&one);
  }
  const auto bounds = CommonBounds(all);
  if (counts.size() < kMinPeers || bounds.size() < 2) {
    return result;
  }
  result.undetermined = false;
  Resize(result, metric, counts.size());
  std::vector<std::vector<double>> shares;
  for (const auto& one : counts) {
    shares.push_back(Shares(one, bounds));
    result.mean.push_back(MeanOf(bounds, shares.back()));
  }
  SetRange(result);
  for (const auto& view : kViews) {
    AddView(metric, view, bounds, counts, shares, result);
  }
  NameQuantiles(bounds, counts, shares, result);
  return result;
}

}  // namespace limpet
