#include "diagnoser/detect/kernels/sorted_samples.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

#include "diagnoser/detect/kernels/sort_kernels.h"

namespace limpet {
namespace {

constexpr auto kPanelColumns = static_cast<std::ptrdiff_t>(kPanelWidth);

void SortOneByOne(SampleSet& samples, std::span<const std::size_t> who) {
  for (const auto component : who) {
    const auto own = samples.Mutable(component);
    std::sort(own.begin(), own.end());
  }
}

void SortSideBySide(SampleSet& samples, std::span<const std::size_t> who,
                    std::span<PanelRow<double>> rows) {
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
  const auto count = [&](std::size_t component) { return samples.Of(component).size(); };
  std::vector<std::size_t> who(samples.size());
  std::iota(who.begin(), who.end(), 0);
  std::ranges::sort(who, {}, count);
  thread_local std::vector<PanelRow<double>> rows;  // making them costs a tenth of sorting them
  for (auto begin = who.begin(); begin != who.end();) {
    const auto each = count(*begin);
    // Columns of one length side by side: every lane does the same exchanges.
    const auto most = begin + std::min(std::ssize(who) - (begin - who.begin()), kPanelColumns);
    const auto end =
        std::find_if(begin, most, [&](std::size_t other) { return count(other) != each; });
    // The network has n log^2 n comparisons: for long columns it loses against a sort.
    if (end - begin == 1 || each > kLongestSortedColumn) {
      SortOneByOne(samples, {begin, end});
    } else {
      rows.resize(std::max(rows.size(), each));
      SortSideBySide(samples, {begin, end}, std::span(rows).first(each));
    }
    begin = end;
  }
  return samples;
}

}  // namespace limpet
