#include "diagnoser/custom/histogram.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace limpet {
namespace {

// A page is written while requests complete, so a larger bucket may lag behind by a few.
constexpr double kLagging = 2;
constexpr double kLaggingShare = 0.01;

}  // namespace

std::optional<BucketCounts> MakeCounts(std::span<const double> bounds,
                                       std::span<const double> increases, double total) {
  BucketCounts counts;
  double most = 0;
  const double slack = std::max(kLagging, kLaggingShare * total);
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (increases[i] < most - slack) {
      return std::nullopt;
    }
    most = std::max(most, increases[i]);
    if (std::isfinite(bounds[i])) {
      counts.bounds.push_back(bounds[i]);
      counts.at_most.push_back(most);
    }
  }
  if (total < most - slack || counts.bounds.size() < 2) {
    return std::nullopt;
  }
  counts.total = std::max(total, most);
  return counts;
}

// Mostly all have those of the first one.
std::vector<std::size_t> FindComparable(std::span<const BucketCounts> counts) {
  std::map<std::vector<double>, std::size_t> having;
  const std::vector<double>* usual = counts.empty() ? nullptr : &counts.front().bounds;
  std::size_t most = static_cast<std::size_t>(
      std::ranges::count_if(counts, [&](const BucketCounts& one) { return one.bounds == *usual; }));
  if (most < counts.size()) {
    for (const auto& one : counts) {
      const auto count = ++having[one.bounds];
      if (count > most) {
        most = count;
        usual = &one.bounds;
      }
    }
  }
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    std::vector<double> both;
    if (counts[i].bounds != *usual) {
      std::ranges::set_intersection(*usual, counts[i].bounds, std::back_inserter(both));
    }
    if (counts[i].bounds == *usual || (both.size() >= 2 && 2 * both.size() >= usual->size())) {
      found.push_back(i);
    }
  }
  return found;
}

// Mostly all have the same bounds, which costs a comparison each.
std::vector<double> CommonBounds(std::span<const BucketCounts* const> all) {
  std::vector<double> common;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == 0) {
      common = all[i]->bounds;
    } else if (all[i]->bounds != common) {
      std::vector<double> both;
      std::ranges::set_intersection(common, all[i]->bounds, std::back_inserter(both));
      common = std::move(both);
    }
  }
  return common;
}

std::vector<double> Shares(const BucketCounts& counts, std::span<const double> bounds) {
  std::vector<double> shares;
  shares.reserve(bounds.size());
  std::size_t at = 0;
  for (const double bound : bounds) {
    while (counts.bounds[at] < bound) {
      ++at;
    }
    shares.push_back(counts.at_most[at] / counts.total);
  }
  return shares;
}

// What lies below the tail counts as nothing, the rest as a whole.
std::vector<double> TailShares(std::span<const double> shares, double tail) {
  std::vector<double> result;
  result.reserve(shares.size());
  for (const double share : shares) {
    result.push_back(std::clamp((share - (1 - tail)) / tail, 0.0, 1.0));
  }
  return result;
}

// Requests below the first bound lie between 0 and it, unless the bound itself is negative.
double MeanOf(std::span<const double> bounds, std::span<const double> shares) {
  double mean = std::min(bounds.front(), 0.0);
  double before = mean;
  double share = 0;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    mean += (bounds[i] - before) * (1 - (share + shares[i]) / 2);
    before = bounds[i];
    share = shares[i];
  }
  return mean;
}

// Shares are lines between bounds, and so is their difference.
double DistanceOf(std::span<const double> bounds, std::span<const double> a,
                  std::span<const double> b) {
  double distance = 0;
  double before = std::min(bounds.front(), 0.0);
  double left = 0;  // difference at `before`
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const double right = a[i] - b[i];
    const double width = bounds[i] - before;
    // The difference is a line between two bounds; where it changes its sign it is two triangles.
    distance += left * right < 0
                    ? width * (left * left + right * right) / (2 * std::abs(left - right))
                    : width * (std::abs(left) + std::abs(right)) / 2;
    before = bounds[i];
    left = right;
  }
  return distance;
}

// At each bound alone: medians of rising shares rise, too.
std::vector<double> MedianShares(std::span<const std::vector<double>> all) {
  std::vector<double> median(all.empty() ? 0 : all.front().size());
  std::vector<double> column(all.size());
  for (std::size_t i = 0; i < median.size(); ++i) {
    for (std::size_t of = 0; of < all.size(); ++of) {
      column[of] = all[of][i];
    }
    const auto middle = column.begin() + static_cast<std::ptrdiff_t>(column.size() / 2);
    std::nth_element(column.begin(), middle, column.end());
    median[i] = column.size() % 2 == 1 ? *middle
                                       : (*middle + *std::max_element(column.begin(), middle)) / 2;
  }
  return median;
}

// Within its bucket the quantile lies where the share does between those of both bounds.
double QuantileOf(std::span<const double> bounds, std::span<const double> shares, double q) {
  double before = std::min(bounds.front(), 0.0);
  double share = 0;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (shares[i] >= q) {
      const double inside = shares[i] - share;
      return inside > 0 ? before + (bounds[i] - before) * (q - share) / inside : bounds[i];
    }
    before = bounds[i];
    share = shares[i];
  }
  return bounds.back();
}

}  // namespace limpet
