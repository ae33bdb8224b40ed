#include "diagnoser/detect/kernels/plain_pairs.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "diagnoser/detect/kernels/pruning.h"

namespace limpet {

PlainPairs::PlainPairs(Kind kind, std::vector<double> rows, std::size_t depth)
    : kind_(kind),
      depth_(depth),
      rows_(std::move(rows)),
      classes_(1, std::vector<std::size_t>(rows_.size() / depth)),
      panels_(rows_.size() / depth, depth) {
  std::iota(classes_.front().begin(), classes_.front().end(), std::size_t{0});
  for (std::size_t i = 0; i < Size(); ++i) {
    panels_.Put(i, std::span(rows_).subspan(i * depth, depth));
  }
}

void PlainPairs::Against(std::span<const double> rows, std::size_t count, std::span<double> out) {
  const std::size_t n = Size();
  for (std::size_t first = 0; first < n; first += kPanelWidth) {
    InPieces(Tile<double>{.rows = rows.data(),
                          .stride = depth_,
                          .count = count,
                          .panel = panels_.Panel(first / kPanelWidth),
                          .depth = depth_,
                          .columns = std::min(kPanelWidth, n - first),
                          .sums = out.data() + first,
                          .sums_stride = Stride()},
             [&](const Tile<double>& piece, std::size_t) {
               kind_ == Kind::kAbsolute ? AddAbsolute(piece) : AddDivergence(piece);
             });
  }
}

void PlainPairs::Distances(std::size_t /*which_class*/, std::span<const std::size_t> who,
                           std::span<double> out) {
  // Kernels want rows that follow one another.
  std::vector<double> block(who.size() * depth_);
  for (std::size_t r = 0; r < who.size(); ++r) {
    const auto row = std::span(rows_).subspan(who[r] * depth_, depth_);
    std::copy(row.begin(), row.end(), block.begin() + static_cast<std::ptrdiff_t>(r * depth_));
  }
  Against(block, who.size(), out);
}

std::vector<double> PlainPairs::ToPivot() {
  // No triangle inequality, so no bound by a pivot.
  if (kind_ != Kind::kAbsolute) {
    return {};
  }
  const auto pivot = MiddleRow(depth_, classes_.front(),
                               [&](std::size_t who) { return rows_.data() + who * depth_; });
  std::vector<double> distances(Stride());
  Against(pivot, 1, distances);
  distances.resize(Size());
  return distances;
}

}  // namespace limpet
