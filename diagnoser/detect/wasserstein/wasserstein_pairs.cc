#include "diagnoser/detect/wasserstein/wasserstein_pairs.h"

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "diagnoser/detect/kernels/pruning.h"
#include "diagnoser/detect/kernels/sort_kernels.h"
#include "diagnoser/detect/wasserstein/distance.h"

namespace limpet {
namespace {

// Up to so many, a column of distances is sorted faster than its m-th largest is chosen.
constexpr std::size_t kMaxSorted = 256;

// One stretch of [0, 1] in which two quantile functions of m and n samples are constant.
struct Stretch {
  std::size_t a;  // sample of the one
  std::size_t b;  // sample of the other
};
struct CommonGrid {
  std::vector<Stretch> stretches;
  std::vector<double> weights;  // their lengths
};

// In units of 1/(mn), so that lengths are exact until the last division.
CommonGrid MakeGrid(std::size_t m, std::size_t n) {
  CommonGrid grid;
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t at = 0;
  while (a < m && b < n) {
    const std::size_t end_a = (a + 1) * n;
    const std::size_t end_b = (b + 1) * m;
    const std::size_t end = std::min(end_a, end_b);
    grid.stretches.push_back({a, b});
    grid.weights.push_back(static_cast<double>(end - at) / static_cast<double>(m * n));
    at = end;
    a += end_a == end ? 1U : 0U;
    b += end_b == end ? 1U : 0U;
  }
  return grid;
}

}  // namespace

WassersteinPairs::WassersteinPairs(const SampleSet& sorted) : sorted_(&sorted) {
  std::map<std::size_t, std::vector<std::size_t>> by_count;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    by_count[sorted.Of(i).size()].push_back(i);
  }
  for (auto& [count, who] : by_count) {
    auto& panels = panels_.emplace_back(who.size(), count);
    for (std::size_t i = 0; i < who.size(); ++i) {
      panels.Put(i, sorted.Of(who[i]));
    }
    classes_.push_back(std::move(who));
  }
}

// A single class is written where it belongs at once.
void WassersteinPairs::AgainstEqual(std::span<const double> rows, std::size_t count,
                                    std::size_t which_class, std::span<double> out) {
  const auto& who = classes_[which_class];
  const auto& panels = panels_[which_class];
  const bool single = classes_.size() == 1;
  std::vector<double> sums(single ? 0 : count * kPanelWidth);
  for (std::size_t first = 0; first < who.size(); first += kPanelWidth) {
    const std::size_t columns = std::min(kPanelWidth, who.size() - first);
    InPieces(Tile<double>{.rows = rows.data(),
                          .stride = panels.Depth(),
                          .count = count,
                          .panel = panels.Panel(first / kPanelWidth),
                          .depth = panels.Depth(),
                          .columns = columns,
                          .sums = single ? out.data() + first : sums.data(),
                          .sums_stride = single ? Stride() : kPanelWidth},
             [&](const Tile<double>& piece, std::size_t) { AddAbsolute(piece); });
    for (std::size_t r = 0; r < count && !single; ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        out[r * Stride() + who[first + c]] =
            sums[r * kPanelWidth + c] / static_cast<double>(panels.Depth());
      }
    }
  }
}

double WassersteinPairs::Divisor() const {
  return classes_.size() == 1 ? static_cast<double>(panels_.front().Depth()) : 1;
}

// Distances are symmetric to the bit. So those of a panel's components to all others are its
// columns when all components pass as rows; those above the panel itself stand in the panels
// before. Sorted side by side the columns show every m-th largest.
std::vector<double> WassersteinPairs::AllDegrees() {
  const std::size_t n = Size();
  if (classes_.size() != 1 || n > kMaxSorted) {
    return Pairs::AllDegrees();
  }
  const auto& panels = panels_.front();
  const std::size_t depth = panels.Depth();
  const auto sums =
      std::make_unique_for_overwrite<PanelRow<double>[]>(PaddedToPanels(n) / kPanelWidth * n);
  const auto panel_of = [&](std::size_t first) {
    return std::span(sums.get() + first / kPanelWidth * n, n);
  };
  for (std::size_t first = 0; first < n; first += kPanelWidth) {
    InPieces(Tile<double>{.rows = sorted_->All().data() + first * depth,
                          .stride = depth,
                          .count = n - first,
                          .panel = panels.Panel(first / kPanelWidth),
                          .depth = depth,
                          .columns = std::min(kPanelWidth, n - first),
                          .sums = panel_of(first)[first].lanes,
                          .sums_stride = kPanelWidth},
             [&](const Tile<double>& piece, std::size_t) { AddAbsolute(piece); });
  }
  std::vector<double> degrees(n);
  for (std::size_t first = (n - 1) / kPanelWidth * kPanelWidth;; first -= kPanelWidth) {
    const auto panel = panel_of(first);
    const std::size_t columns = std::min(kPanelWidth, n - first);
    // From the last panel back: those above are read before they are sorted.
    for (std::size_t r = 0; r < first; ++r) {
      const auto above = panel_of(r);  // not sorted yet
      for (std::size_t c = 0; c < columns; ++c) {
        panel[r].lanes[c] = above[first + c].lanes[r % kPanelWidth];
      }
    }
    SortColumns(panel, columns);
    for (std::size_t c = 0; c < columns; ++c) {
      degrees[first + c] = panel[n - MajorityRank(n)].lanes[c] / Divisor();
    }
    if (first == 0) {
      return degrees;
    }
  }
}

void WassersteinPairs::AgainstOther(std::span<const std::size_t> who, std::size_t which_class,
                                    std::size_t columns_class, std::span<double> out) {
  const auto& others = classes_[columns_class];
  // Cheaper one by one than laid out for the kernel. By the classes and not by the rows asked for:
  // the two ways round differently.
  constexpr std::size_t kFewPairs = 32;
  if (classes_[which_class].size() * others.size() <= kFewPairs) {
    for (std::size_t r = 0; r < who.size(); ++r) {
      for (const std::size_t j : others) {
        out[r * Stride() + j] = WassersteinDistance(sorted_->Of(who[r]), sorted_->Of(j));
      }
    }
    return;
  }
  const auto grid = MakeGrid(sorted_->Of(who.front()).size(), sorted_->Of(others.front()).size());
  const std::size_t depth = grid.stretches.size();
  std::vector<double> rows(who.size() * depth);
  for (std::size_t r = 0; r < who.size(); ++r) {
    const auto own = sorted_->Of(who[r]);
    for (std::size_t k = 0; k < depth; ++k) {
      rows[r * depth + k] = own[grid.stretches[k].a];
    }
  }
  Panels<double> panel(kPanelWidth, depth);
  std::vector<double> column(depth);
  std::vector<double> sums(who.size() * kPanelWidth);
  for (std::size_t first = 0; first < others.size(); first += kPanelWidth) {
    const std::size_t columns = std::min(kPanelWidth, others.size() - first);
    for (std::size_t c = 0; c < columns; ++c) {
      const auto own = sorted_->Of(others[first + c]);
      for (std::size_t k = 0; k < depth; ++k) {
        column[k] = own[grid.stretches[k].b];
      }
      panel.Put(c, column);
    }
    InPieces(Tile<double>{.rows = rows.data(),
                          .stride = depth,
                          .count = who.size(),
                          .panel = panel.Panel(0),
                          .depth = depth,
                          .columns = columns,
                          .sums = sums.data(),
                          .sums_stride = kPanelWidth},
             [&](const Tile<double>& piece, std::size_t begin) {
               AddWeighted(piece, grid.weights.data() + begin);
             });
    for (std::size_t r = 0; r < who.size(); ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        out[r * Stride() + others[first + c]] = sums[r * kPanelWidth + c];
      }
    }
  }
}

void WassersteinPairs::Distances(std::size_t which_class, std::span<const std::size_t> who,
                                 std::span<double> out) {
  std::vector<double> rows;
  rows.reserve(who.size() * panels_[which_class].Depth());
  for (const std::size_t i : who) {
    const auto own = sorted_->Of(i);
    rows.insert(rows.end(), own.begin(), own.end());
  }
  for (std::size_t other = 0; other < classes_.size(); ++other) {
    if (other == which_class) {
      AgainstEqual(rows, who.size(), other, out);
    } else {
      AgainstOther(who, which_class, other, out);
    }
  }
}

// The pivot has as many samples as most components; to the others it is compared one by one.
std::vector<double> WassersteinPairs::ToPivot() {
  const auto largest =
      std::max_element(classes_.begin(), classes_.end(),
                       [](const auto& a, const auto& b) { return a.size() < b.size(); });
  const auto number = static_cast<std::size_t>(largest - classes_.begin());
  const auto pivot = MiddleRow(panels_[number].Depth(), *largest,
                               [&](std::size_t who) { return sorted_->Of(who).data(); });
  std::vector<double> distances(Stride());
  AgainstEqual(pivot, 1, number, distances);
  for (double& distance : distances) {
    distance /= Divisor();
  }
  for (const auto& who : classes_) {
    if (&who != &*largest) {
      for (const std::size_t i : who) {
        distances[i] = WassersteinDistance(pivot, sorted_->Of(i));
      }
    }
  }
  distances.resize(Size());
  return distances;
}

}  // namespace limpet
