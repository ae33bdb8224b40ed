#include "diagnoser/detect/kernels/sorted_samples.h"

#include <algorithm>
#include <map>
#include <vector>

#include "diagnoser/detect/kernels/sort_kernels.h"

namespace limpet {
namespace {

constexpr std::size_t kFewColumns = 3;  // cheaper one by one

void SortOneByOne(SampleSet& samples, std::span<const std::size_t> who) {
  for (const auto component : who) {
    const auto own = samples.Mutable(component);
    std::sort(own.begin(), own.end());
  }
}

void SortSideBySide(SampleSet& samples, std::span<const std::size_t> who,
                    std::vector<PanelRow<double>>& rows) {
  for (std::size_t column = 0; column < who.size(); ++column) {
    const auto own = samples.Of(who[column]);
    for (std::size_t i = 0; i < own.size(); ++i) {
      rows[i].lanes[column] = own[i];
    }
  }
  SortColumns(rows, who.size());
  for (std::size_t column = 0; column < who.size(); ++column) {
    const auto own = samples.Mutable(who[column]);
    for (std::size_t i = 0; i < own.size(); ++i) {
      own[i] = rows[i].lanes[column];
    }
  }
}

}  // namespace

SampleSet SortedSamples(SampleSet samples) {
  std::map<std::size_t, std::vector<std::size_t>> by_count;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    by_count[samples.Of(i).size()].push_back(i);
  }
  for (const auto& [count, who] : by_count) {
    // The network has n log^2 n comparisons: for long columns it loses against a sort.
    if (count > kLongestSortedColumn) {
      SortOneByOne(samples, who);
      continue;
    }
    // Columns of one length side by side: every lane does the same exchanges.
    std::vector<PanelRow<double>> rows(count);
    for (std::size_t first = 0; first < who.size(); first += kPanelWidth) {
      const auto some = std::span(who).subspan(first, std::min(kPanelWidth, who.size() - first));
      if (some.size() <= kFewColumns) {
        SortOneByOne(samples, some);
      } else {
        SortSideBySide(samples, some, rows);
      }
    }
  }
  return samples;
}

}  // namespace limpet
