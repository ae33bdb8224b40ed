#include "diagnoser/verdict/bimodality.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <span>
#include <utility>

#include "diagnoser/series/stats.h"

namespace limpet {
namespace {

constexpr double kMinSideShare = 0.25;
constexpr double kMinSeparation = 4;
constexpr double kChance = 1e-3;  // of a gap among peers that are evenly spread
constexpr double kMinGap = 0.35;
constexpr double kTrim = 0.05;
constexpr double kMinRatio = 1.25;
constexpr double kMinAgreement = 0.9;

// Where the squares within the two parts of ascending values are least: the size of the low part.
std::size_t BestCut(std::span<const double> x, std::size_t least) {
  double total = 0;
  for (const double value : x) {
    total += value;
  }
  std::size_t best = 0;
  double most_between = -1;
  double low_sum = 0;
  for (std::size_t cut = 1; cut + least <= x.size(); ++cut) {
    low_sum += x[cut - 1];
    if (cut < least) {
      continue;
    }
    const auto low = static_cast<double>(cut);
    const auto high = static_cast<double>(x.size() - cut);
    const double distance = (total - low_sum) / high - low_sum / low;
    // Between and within add up to a constant: the most between is the least within.
    const double between = low * high * distance * distance;
    if (between > most_between) {
      most_between = between;
      best = cut;
    }
  }
  return best;
}

double SortedMedian(std::span<const double> sorted) { return SortedQuantile(sorted, 0.5); }

// The spread of a part: at least a hundredth of the parts' distance, so that equal values do not
// make it 0.
double MeasureSpread(std::span<const double> part, double distance) {
  return std::max(MedianScatter({part.begin(), part.end()}), 0.01 * distance);
}

// The share of the range that a gap must have: of n evenly spread values a given spacing is at
// least g of their range with probability (1 - g)^(n - 2), and there are `cuts` of them.
double LeastGap(std::size_t n, std::size_t cuts) {
  const double share = kChance / static_cast<double>(cuts);
  return std::max(kMinGap, 1 - std::pow(share, 1 / static_cast<double>(n - 2)));
}

// Ashman's D when `cut` parts ascending values into two populations.
std::optional<double> Separation(std::span<const double> all, std::size_t cut, std::size_t cuts) {
  const auto low = all.first(cut);
  const auto high = all.subspan(cut);
  const double distance = SortedMedian(high) - SortedMedian(low);
  if (!(distance > 0)) {
    return std::nullopt;
  }
  // Trimmed at both ends, so that one odd component fills no gap and stretches no range.
  const double gap = SortedQuantile(high, kTrim) - SortedQuantile(low, 1 - kTrim);
  const double range = SortedQuantile(all, 1 - kTrim) - SortedQuantile(all, kTrim);
  const double separation = std::sqrt(2.0) * distance /
                            std::hypot(MeasureSpread(low, distance), MeasureSpread(high, distance));
  const bool two = gap >= LeastGap(all.size(), cuts) * range && separation >= kMinSeparation;
  return two ? std::optional(separation) : std::nullopt;
}

std::vector<std::string> ListNames(const std::vector<PeerMedian>& peers) {
  std::vector<std::string> names;
  names.reserve(peers.size());
  for (const auto& peer : peers) {
    names.push_back(peer.component);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string FindValue(const PeerMedian& peer, const std::string& label) {
  const auto found = peer.labels.find(label);
  return found == peer.labels.end() ? std::string() : found->second;
}

// How well one label tells the sides apart; nullopt when it does not.
std::optional<SplittingLabel> Judge(const std::string& name, const std::vector<PeerMedian>& low,
                                    const std::vector<PeerMedian>& high) {
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;  // on the low and high side
  for (const auto& peer : low) {
    ++counts[FindValue(peer, name)].first;
  }
  for (const auto& peer : high) {
    ++counts[FindValue(peer, name)].second;
  }
  const std::size_t all = low.size() + high.size();
  // A value for each component or two names them; it explains nothing.
  if (counts.size() < 2 || 2 * counts.size() > all) {
    return std::nullopt;
  }
  SplittingLabel label{.name = name, .low = {}, .high = {}, .agreement = 0};
  std::size_t right = 0;
  for (const auto& [value, count] : counts) {
    (count.first >= count.second ? label.low : label.high).push_back(value);
    right += std::max(count.first, count.second);
  }
  label.agreement = static_cast<double>(right) / static_cast<double>(all);
  if (label.low.empty() || label.high.empty() || label.agreement < kMinAgreement) {
    return std::nullopt;
  }
  return label;
}

// How many components from `begin` on are all those of one node; 0: of none, or too few.
template <class Iterator>
std::size_t CountOfOneNode(Iterator begin, Iterator end) {
  const std::string label(kNodeLabel);
  const auto node = FindValue(*begin, label);
  const auto is_other = [&](const PeerMedian& peer) { return FindValue(peer, label) != node; };
  const auto other = std::find_if(begin, end, is_other);
  const auto first = static_cast<std::size_t>(std::distance(begin, other));
  const bool apart = std::all_of(other, end, is_other);
  return apart && !node.empty() && first >= kMinKind && other != end ? first : 0;
}

// Where the slowest, or fastest, node ends; `peers` ascending.
std::optional<std::size_t> FindNodeCut(const std::vector<PeerMedian>& peers) {
  if (const auto fast = CountOfOneNode(peers.begin(), peers.end()); fast > 0) {
    return fast;
  }
  const auto slow = CountOfOneNode(peers.rbegin(), peers.rend());
  return slow > 0 ? std::optional(peers.size() - slow) : std::nullopt;
}

struct Cut {
  std::size_t place = 0;
  double separation = 0;
};

// Of ascending values: the best one that leaves a quarter on each side.
std::optional<Cut> FindEvenCut(std::span<const double> x) {
  const auto quarter =
      static_cast<std::size_t>(std::ceil(kMinSideShare * static_cast<double>(x.size())));
  const auto least = std::max(kMinKind, quarter);
  if (x.size() < 2 * least) {
    return std::nullopt;
  }
  const auto place = BestCut(x, least);
  const auto separation = Separation(x, place, x.size() - 2 * least + 1);
  return separation ? std::optional(Cut{place, *separation}) : std::nullopt;
}

std::optional<Cut> FindCut(std::span<const double> x, const std::vector<PeerMedian>& peers) {
  if (auto even = FindEvenCut(x)) {
    return even;
  }
  // That all of a node and nobody else stands apart is no chance, however small its part is.
  const auto place = x.size() < 2 * kMinKind ? std::nullopt : FindNodeCut(peers);
  const auto separation = place ? Separation(x, *place, 2) : std::nullopt;
  return separation ? std::optional(Cut{*place, *separation}) : std::nullopt;
}

}  // namespace

std::optional<SplittingLabel> FindSplittingLabel(const std::vector<PeerMedian>& low,
                                                 const std::vector<PeerMedian>& high) {
  std::set<std::string> names;
  for (const auto* side : {&low, &high}) {
    for (const auto& peer : *side) {
      for (const auto& [name, value] : peer.labels) {
        names.insert(name);
      }
    }
  }
  std::optional<SplittingLabel> best;
  const auto values = [](const SplittingLabel& label) {
    return label.low.size() + label.high.size();
  };
  for (const auto& name : names) {
    auto label = Judge(name, low, high);
    if (label && (!best || label->agreement > best->agreement ||
                  (label->agreement == best->agreement && values(*label) < values(*best)))) {
      best = std::move(label);
    }
  }
  return best;
}

std::optional<Bimodality> FindTwoKinds(std::vector<PeerMedian> peers, double floor) {
  if (peers.empty()) {
    return std::nullopt;
  }
  std::sort(peers.begin(), peers.end(), [](const PeerMedian& a, const PeerMedian& b) {
    return a.median != b.median ? a.median < b.median : a.component < b.component;
  });
  std::vector<double> x;
  x.reserve(peers.size());
  for (const auto& peer : peers) {
    // On a logarithmic scale twice as fast is as far at 1 ms as at 100 ms.
    x.push_back(peers.front().median > 0 ? std::log(peer.median) : peer.median);
  }
  const auto found = FindCut(x, peers);
  if (!found) {
    return std::nullopt;
  }
  const auto cut = static_cast<std::ptrdiff_t>(found->place);
  const std::vector<PeerMedian> low(peers.begin(), peers.begin() + cut);
  const std::vector<PeerMedian> high(peers.begin() + cut, peers.end());
  const auto median_of = [](const std::vector<PeerMedian>& side) {
    std::vector<double> medians;
    medians.reserve(side.size());
    for (const auto& peer : side) {
      medians.push_back(peer.median);
    }
    return Median(std::move(medians));
  };
  Bimodality result{.low = ListNames(low),
                    .high = ListNames(high),
                    .low_median = median_of(low),
                    .high_median = median_of(high),
                    .separation = found->separation,
                    .label = std::nullopt};
  if (result.high_median < kMinRatio * result.low_median ||
      result.high_median - result.low_median <= floor) {
    return std::nullopt;
  }
  result.label = FindSplittingLabel(low, high);
  return result;
}

}  // namespace limpet
