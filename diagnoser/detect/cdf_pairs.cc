#include "diagnoser/detect/cdf_pairs.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "diagnoser/detect/pruning.h"

namespace limpet {
namespace {

constexpr std::size_t kBytesOfWord = 8;
constexpr std::size_t kMostInMatrix = 8192;  // components: 128 MiB of distances

// Bytes may be looked at through any other type's memory.
std::uint8_t* AsBytes(std::uint64_t* words) { return reinterpret_cast<std::uint8_t*>(words); }
const std::uint8_t* AsBytes(const std::uint64_t* words) {
  return reinterpret_cast<const std::uint8_t*>(words);
}

void Accumulate(std::span<const double> samples, const BinRange& bins,
                std::span<std::uint8_t> cumulative) {
  for (const double x : samples) {
    ++cumulative[BinOfSample(x, bins)];
  }
  std::uint8_t below = 0;
  for (std::uint8_t& bin : cumulative) {
    below = static_cast<std::uint8_t>(below + bin);
    bin = below;
  }
}

}  // namespace

CdfPairs::CdfPairs(const SampleSet& samples, const BinRange& bins)
    : bins_(bins.count),
      words_((bins.count + kBytesOfWord - 1) / kBytesOfWord),
      rows_(samples.size() * words_) {
  std::map<std::size_t, std::vector<std::size_t>> by_count;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::span<std::uint8_t> row(AsBytes(rows_.data() + i * words_), bins_);
    Accumulate(samples.Of(i), bins, row);
    totals_.push_back(std::accumulate(row.begin(), row.end(), std::uint64_t{0}));
    counts_.push_back(static_cast<std::uint8_t>(samples.Of(i).size()));
    by_count[counts_.back()].push_back(i);
  }
  for (auto& [count, who] : by_count) {
    auto& panels = panels_.emplace_back(who.size(), words_);
    for (std::size_t i = 0; i < who.size(); ++i) {
      panels.Put(i, std::span(rows_).subspan(who[i] * words_, words_));
    }
    classes_.push_back(std::move(who));
  }
}

std::span<const std::uint8_t> CdfPairs::Bytes(std::size_t i) const {
  return {AsBytes(rows_.data() + i * words_), bins_};
}

void CdfPairs::AgainstEqual(std::span<const std::uint64_t> rows, std::size_t count,
                            std::size_t which_class, std::span<double> out) {
  const auto& who = classes_[which_class];
  const auto samples = counts_[who.front()];
  std::vector<std::uint64_t> row_totals(count);
  for (std::size_t r = 0; r < count; ++r) {
    const auto* bytes = AsBytes(rows.data() + r * words_);
    row_totals[r] = std::accumulate(bytes, bytes + bins_, std::uint64_t{0});
  }
  std::vector<std::uint64_t> sums(count * kPanelWidth);
  for (std::size_t first = 0; first < who.size(); first += kPanelWidth) {
    const std::size_t columns = std::min(kPanelWidth, who.size() - first);
    InPieces(Tile<std::uint64_t>{.rows = rows.data(),
                                 .stride = words_,
                                 .count = count,
                                 .panel = panels_[which_class].Panel(first / kPanelWidth),
                                 .depth = words_,
                                 .columns = columns,
                                 .sums = sums.data(),
                                 .sums_stride = kPanelWidth},
             [&](const Tile<std::uint64_t>& piece, std::size_t) { AddMaxima(piece, samples); });
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        const std::size_t j = who[first + c];
        const auto apart = 2 * sums[r * kPanelWidth + c] - row_totals[r] - totals_[j];
        const auto distance = static_cast<double>(apart);
        out[r * Stride() + j] = classes_.size() == 1 ? distance : distance / samples;
      }
    }
  }
}

double CdfPairs::Divisor() const { return classes_.size() == 1 ? counts_.front() : 1; }

// `rows`: cumulative histograms in [0, 1].
void CdfPairs::AgainstOther(std::span<const double> rows, std::size_t count,
                            std::size_t columns_class, std::span<double> out) {
  const auto& who = classes_[columns_class];
  Panels<double> panel(kPanelWidth, bins_);
  std::vector<double> column(bins_);
  std::vector<double> sums(count * kPanelWidth);
  for (std::size_t first = 0; first < who.size(); first += kPanelWidth) {
    const std::size_t columns = std::min(kPanelWidth, who.size() - first);
    for (std::size_t c = 0; c < columns; ++c) {
      const std::size_t j = who[first + c];
      std::transform(Bytes(j).begin(), Bytes(j).end(), column.begin(),
                     [&](std::uint8_t below) { return static_cast<double>(below) / counts_[j]; });
      panel.Put(c, column);
    }
    InPieces(Tile<double>{.rows = rows.data(),
                          .stride = bins_,
                          .count = count,
                          .panel = panel.Panel(0),
                          .depth = bins_,
                          .columns = columns,
                          .sums = sums.data(),
                          .sums_stride = kPanelWidth},
             [&](const Tile<double>& piece, std::size_t) { AddAbsolute(piece); });
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        out[r * Stride() + who[first + c]] = sums[r * kPanelWidth + c];
      }
    }
  }
}

void CdfPairs::Distances(std::size_t which_class, std::span<const std::size_t> who,
                         std::span<double> out) {
  std::vector<std::uint64_t> rows;
  rows.reserve(who.size() * words_);
  std::vector<double> fractions;
  for (const std::size_t i : who) {
    const auto row = std::span(rows_).subspan(i * words_, words_);
    rows.insert(rows.end(), row.begin(), row.end());
    if (classes_.size() > 1) {
      for (const std::uint8_t below : Bytes(i)) {
        fractions.push_back(static_cast<double>(below) / counts_[i]);
      }
    }
  }
  for (std::size_t other = 0; other < classes_.size(); ++other) {
    if (other == which_class) {
      AgainstEqual(rows, who.size(), other, out);
    } else {
      AgainstOther(fractions, who.size(), other, out);
    }
  }
}

std::vector<double> CdfPairs::AllDegrees() {
  const bool fits = bins_ * counts_.front() <= 65'535 && Size() <= kMostInMatrix;
  return classes_.size() == 1 && fits ? SymmetricDegrees() : Pairs::AllDegrees();
}

// The distances of a block of rows to the panels from its own on, each written to both its places.
std::vector<double> CdfPairs::SymmetricDegrees() {
  const std::size_t n = Size();
  const auto matrix = std::make_unique_for_overwrite<std::uint16_t[]>(n * n);
  constexpr std::size_t kHeight = 64;
  std::uint64_t sums[kHeight * kPanelWidth];
  std::uint16_t tile[kHeight][kPanelWidth];
  for (std::size_t top = 0; top < n; top += kHeight) {
    const std::size_t count = std::min(kHeight, n - top);
    for (std::size_t first = top; first < n; first += kPanelWidth) {
      const std::size_t columns = std::min(kPanelWidth, n - first);
      InPieces(Tile<std::uint64_t>{.rows = rows_.data() + top * words_,
                                   .stride = words_,
                                   .count = count,
                                   .panel = panels_.front().Panel(first / kPanelWidth),
                                   .depth = words_,
                                   .columns = columns,
                                   .sums = sums,
                                   .sums_stride = kPanelWidth},
               [&](const Tile<std::uint64_t>& piece, std::size_t) {
                 AddMaxima(piece, counts_.front());
               });
      for (std::size_t r = 0; r < count; ++r) {
        for (std::size_t c = 0; c < columns; ++c) {
          tile[r][c] = static_cast<std::uint16_t>(2 * sums[r * kPanelWidth + c] - totals_[top + r] -
                                                  totals_[first + c]);
        }
        std::copy(tile[r], tile[r] + columns, matrix.get() + (top + r) * n + first);
      }
      for (std::size_t c = 0; c < columns; ++c) {
        std::uint16_t* const mirrored = matrix.get() + (first + c) * n + top;
        for (std::size_t r = 0; r < count; ++r) {
          mirrored[r] = tile[r][c];
        }
      }
    }
  }
  std::vector<double> degrees(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto s =
        KthLargest(std::span<const std::uint16_t>(matrix.get() + i * n, n), MajorityRank(n));
    degrees[i] = static_cast<double>(s) / counts_.front();
  }
  return degrees;
}

std::vector<double> CdfPairs::ToPivot() {
  const auto largest =
      std::max_element(classes_.begin(), classes_.end(),
                       [](const auto& a, const auto& b) { return a.size() < b.size(); });
  const auto number = static_cast<std::size_t>(largest - classes_.begin());
  const auto pivot = MiddleOf(bins_, *largest, [&](std::size_t who) { return Bytes(who).data(); });
  std::vector<std::uint64_t> row(words_);
  std::copy(pivot.begin(), pivot.end(), AsBytes(row.data()));
  std::vector<double> distances(Stride());
  AgainstEqual(row, 1, number, distances);
  for (double& distance : distances) {
    distance /= Divisor();
  }
  if (classes_.size() > 1) {
    std::vector<double> fractions;
    for (const std::uint8_t below : pivot) {
      fractions.push_back(static_cast<double>(below) / counts_[largest->front()]);
    }
    for (std::size_t other = 0; other < classes_.size(); ++other) {
      if (other != number) {
        AgainstOther(fractions, 1, other, distances);
      }
    }
  }
  distances.resize(Size());
  return distances;
}

}  // namespace limpet
