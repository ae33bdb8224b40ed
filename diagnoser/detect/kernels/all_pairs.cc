#include "diagnoser/detect/kernels/all_pairs.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "diagnoser/detect/kernels/pair_kernels.h"

namespace limpet {

std::vector<double> SomeDegrees(Pairs& pairs, std::span<const std::size_t> who) {
  const std::size_t n = pairs.Size();
  std::vector<double> degrees(who.size());
  std::vector<double> rows(std::min(kBlock, who.size()) * pairs.Stride());
  const auto& classes = pairs.Classes();
  for (std::size_t number = 0; number < classes.size(); ++number) {
    std::vector<std::size_t> mine;
    // Components of one class have rows of one length, which is what a block needs.
    std::set_intersection(who.begin(), who.end(), classes[number].begin(), classes[number].end(),
                          std::back_inserter(mine));
    auto place = degrees.begin();
    auto asked = who.begin();
    for (std::size_t first = 0; first < mine.size(); first += kBlock) {
      const auto block = std::span(mine).subspan(first, std::min(kBlock, mine.size() - first));
      pairs.Distances(number, block, rows);
      for (std::size_t r = 0; r < block.size(); ++r) {
        const auto found = std::lower_bound(asked, who.end(), block[r]);
        place += found - asked;
        asked = found;
        // Its 0 to itself stands last among the n distances and moves no rank up to n-1. Rounding
        // may bring a divergence of 0 under it.
        const auto row = std::span(rows).subspan(r * pairs.Stride(), n);
        *place = std::max(0.0, KthLargest(row, MajorityRank(n)) / pairs.Divisor());
      }
    }
  }
  return degrees;
}

std::vector<double> Pairs::AllDegrees() {
  std::vector<std::size_t> all(Size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return SomeDegrees(*this, all);
}

}  // namespace limpet
