#include "diagnoser/detect/histogram/cdf_pairs.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "diagnoser/detect/kernels/huge_array.h"
#include "diagnoser/detect/kernels/pruning.h"

namespace limpet {
namespace {

constexpr std::size_t kBytesOfWord = 8;
constexpr std::size_t kMaxInMatrix = 8192;  // components: 128 MiB of distances

// Bytes may be looked at through any other type's memory.
std::uint8_t* AsBytes(std::uint64_t* words) { return reinterpret_cast<std::uint8_t*>(words); }
const std::uint8_t* AsBytes(const std::uint64_t* words) {
  return reinterpret_cast<const std::uint8_t*>(words);
}

void Accumulate(std::span<const double> samples, const BinRange& bins,
                std::span<std::uint8_t> cumulative) {
  for (const double x : samples) {
    ++cumulative[FindBin(x, bins)];
  }
  std::uint8_t below = 0;
  for (std::uint8_t& bin : cumulative) {
    // Cannot wrap: rows of more than kMaxSamples never get here.
    below = static_cast<std::uint8_t>(below + bin);
    bin = below;
  }
}

std::uint64_t SumOfBytes(std::span<const std::uint64_t> words) {
  const auto* bytes = AsBytes(words.data());
  return std::accumulate(bytes, bytes + words.size() * kBytesOfWord, std::uint64_t{0});
}

}  // namespace

CdfPairs::CdfPairs(const SampleSet& samples, const BinRange& bins)
    : bins_(bins.count),
      words_((bins.count + kBytesOfWord - 1) / kBytesOfWord),
      rows_(samples.size() * words_) {
  std::map<std::size_t, std::vector<std::size_t>> by_count;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto words = std::span(rows_).subspan(i * words_, words_);
    // What pads the last word is m as well, so nothing differs there.
    Accumulate(samples.Of(i), bins, {AsBytes(words.data()), words_ * kBytesOfWord});
    totals_.push_back(SumOfBytes(words));
    counts_.push_back(static_cast<std::uint8_t>(samples.Of(i).size()));
    by_count[counts_.back()].push_back(i);
  }
  for (auto& [count, who] : by_count) {
    auto& panels = panels_.emplace_back(who.size(), words_);
    auto& rises = rises_.emplace_back(PaddedToPanels(who.size()) / kPanelWidth);
    for (std::size_t i = 0; i < who.size(); ++i) {
      const auto row = std::span(rows_).subspan(who[i] * words_, words_);
      panels.Put(i, row);
      auto& rise = rises[i / kPanelWidth];
      rise = Both(rise, FindRise(row, counts_[who[i]]));
    }
    classes_.push_back(std::move(who));
  }
}

std::span<const std::uint8_t> CdfPairs::Bytes(std::size_t i) const {
  return {AsBytes(rows_.data() + i * words_), bins_};
}

CdfPairs::Rise CdfPairs::FindRise(std::span<const std::uint64_t> row, std::uint8_t count) const {
  const std::uint64_t full = 0x0101010101010101U * count;
  Rise rise{.first = 0, .end = words_};
  while (rise.first < words_ && row[rise.first] == 0) {
    ++rise.first;
  }
  while (rise.end > rise.first && row[rise.end - 1] == full) {
    --rise.end;
  }
  return rise;
}

// Below the rise of both all bytes are 0 and above it all are m: neither adds to a distance.
std::uint64_t CdfPairs::SumMaxima(std::span<const std::uint64_t> rows, std::size_t count,
                                  Rise rise_of_rows, std::size_t which_class, std::size_t panel,
                                  std::size_t columns, std::span<std::uint64_t> sums) const {
  const auto rise = Both(rise_of_rows, rises_[which_class][panel]);
  const auto samples = counts_[classes_[which_class].front()];
  // All columns stand still where all rows do: nothing differs.
  if (rise.first >= rise.end) {
    std::fill(sums.begin(), sums.end(), std::uint64_t{0});
    return kBytesOfWord * (words_ - rise.first) * samples;
  }
  InPieces(
      Tile<std::uint64_t>{.rows = rows.data() + rise.first,
                          .stride = words_,
                          .count = count,
                          .panel = panels_[which_class].Panel(panel) + rise.first * kPanelWidth,
                          .depth = rise.end - rise.first,
                          .columns = columns,
                          .sums = sums.data(),
                          .sums_stride = kPanelWidth},
      [&](const Tile<std::uint64_t>& piece, std::size_t) { AddMaxima(piece, samples); });
  return kBytesOfWord * (words_ - rise.end) * samples;
}

void CdfPairs::AgainstEqual(std::span<const std::uint64_t> rows, std::size_t count,
                            std::size_t which_class, std::span<double> out) {
  const auto& who = classes_[which_class];
  const auto samples = counts_[who.front()];
  std::vector<std::uint64_t> row_totals(count);
  Rise rise;
  for (std::size_t r = 0; r < count; ++r) {
    const auto row = rows.subspan(r * words_, words_);
    row_totals[r] = SumOfBytes(row);
    rise = Both(rise, FindRise(row, samples));
  }
  std::vector<std::uint64_t> sums(count * kPanelWidth);
  for (std::size_t first = 0; first < who.size(); first += kPanelWidth) {
    const std::size_t columns = std::min(kPanelWidth, who.size() - first);
    const auto above =
        SumMaxima(rows, count, rise, which_class, first / kPanelWidth, columns, sums);
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        const std::size_t j = who[first + c];
        const auto apart = 2 * (sums[r * kPanelWidth + c] + above) - row_totals[r] - totals_[j];
        const auto distance = static_cast<double>(apart);
        // Undivided in a single class: Divisor then costs one division a component, not one a pair.
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
  // A distance is at most B m, which then fits into two bytes.
  const bool fits = bins_ * counts_.front() <= 65'535 && Size() <= kMaxInMatrix;
  return classes_.size() == 1 && fits ? SymmetricDegrees() : Pairs::AllDegrees();
}

// The distances of a block of rows to the panels from its own on, each written to both its places.
std::vector<double> CdfPairs::SymmetricDegrees() {
  const std::size_t n = Size();
  const HugeArray<std::uint16_t> matrix(n * n);
  std::uint64_t sums[kPanelWidth * kPanelWidth];
  std::uint64_t totals[kPanelWidth] = {};
  std::uint16_t tile[kPanelWidth][kPanelWidth];
  for (std::size_t top = 0; top < n; top += kPanelWidth) {
    const std::size_t count = std::min(kPanelWidth, n - top);
    const auto rows = std::span(rows_).subspan(top * words_, count * words_);
    for (std::size_t first = top; first < n; first += kPanelWidth) {
      const std::size_t columns = std::min(kPanelWidth, n - first);
      std::copy_n(totals_.begin() + static_cast<std::ptrdiff_t>(first), columns, totals);
      const auto above = SumMaxima(rows, count, rises_.front()[top / kPanelWidth], 0,
                                   first / kPanelWidth, columns, sums);
      for (std::size_t r = 0; r < count; ++r) {
        SubtractTotals(sums + r * kPanelWidth, totals_[top + r] - 2 * above, totals, tile[r]);
        std::copy(tile[r], tile[r] + columns, matrix.data() + (top + r) * n + first);
      }
      // Writing row by row on the other side, too, keeps whole cache lines together.
      for (std::size_t c = 0; c < columns; ++c) {
        std::uint16_t* const mirrored = matrix.data() + (first + c) * n + top;
        for (std::size_t r = 0; r < count; ++r) {
          mirrored[r] = tile[r][c];
        }
      }
    }
  }
  std::vector<double> degrees(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto s =
        KthLargest(std::span<const std::uint16_t>(matrix.data() + i * n, n), MajorityRank(n));
    degrees[i] = static_cast<double>(s) / counts_.front();
  }
  return degrees;
}

std::vector<double> CdfPairs::ToPivot() {
  // From the largest class: most distances to the pivot are then sums of bytes.
  const auto largest =
      std::max_element(classes_.begin(), classes_.end(),
                       [](const auto& a, const auto& b) { return a.size() < b.size(); });
  const auto number = static_cast<std::size_t>(largest - classes_.begin());
  const auto pivot = MiddleRow(bins_, *largest, [&](std::size_t who) { return Bytes(who).data(); });
  std::vector<std::uint64_t> row(words_);
  // What pads the last word is m here as well.
  std::fill_n(AsBytes(row.data()), words_ * kBytesOfWord, counts_[largest->front()]);
  std::copy(pivot.begin(), pivot.end(), AsBytes(row.data()));
  std::vector<double> distances(Stride());
  AgainstEqual(row, 1, number, distances);
  for (double& distance : distances) {
    distance /= Divisor();
  }
  if (classes_.size() > 1) {
    std::vector<double> fractions;
    fractions.reserve(pivot.size());
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
