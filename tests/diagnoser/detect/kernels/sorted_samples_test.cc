#include "diagnoser/detect/kernels/sorted_samples.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "diagnoser/detect/kernels/sort_kernels.h"
#include "tests/support/each_target.h"

namespace limpet::sorted_samples_test {
namespace {

using ::limpet::testing::ForEachTarget;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

TEST(SortColumns, SortsEveryColumnOfAnyLengthOnEveryInstructionSet) {
  std::mt19937 random(1);
  for (std::size_t n = 0; n <= 130; ++n) {
    std::vector<PanelRow<double>> rows(n);
    for (auto& row : rows) {
      for (std::size_t c = 0; c < kPanelWidth; ++c) {
        // From all alike to all different.
        row.lanes[c] = std::uniform_int_distribution<int>(0, static_cast<int>(c * c))(random);
      }
    }
    for (const std::size_t columns : {std::size_t{1}, std::size_t{9}, kPanelWidth}) {
      ForEachTarget([&](const char* target) {
        auto sorted = rows;
        SortColumns(sorted, columns);
        for (std::size_t c = 0; c < columns; ++c) {
          std::vector<double> expected;
          std::vector<double> found;
          for (std::size_t i = 0; i < n; ++i) {
            expected.push_back(rows[i].lanes[c]);
            found.push_back(sorted[i].lanes[c]);
          }
          std::sort(expected.begin(), expected.end());
          ASSERT_THAT(found, ElementsAreArray(expected)) << target << " " << n << " " << c;
        }
      });
    }
  }
}

// A network that sorts all zeros and ones sorts everything (Knuth, TAOCP 5.3.4 Z): every input of
// up to ten rows.
TEST(SortColumns, SortsAllZerosAndOnes) {
  for (std::size_t n = 1; n <= 10; ++n) {
    for (std::size_t input = 0; input < std::size_t{1} << n; ++input) {
      std::vector<PanelRow<double>> rows(n);
      for (std::size_t i = 0; i < n; ++i) {
        rows[i].lanes[0] = static_cast<double>(input >> i & 1U);
      }
      SortColumns(rows, 1);
      for (std::size_t i = 1; i < n; ++i) {
        ASSERT_LE(rows[i - 1].lanes[0], rows[i].lanes[0]) << n << " " << input;
      }
    }
  }
}

TEST(SortedSamples, KeepsEachComponentsOwn) {
  SampleSet samples;
  samples.Add(std::vector<double>{3, 1, 2});
  samples.Add(std::vector<double>{});
  samples.Add(std::vector<double>{9, -1});
  samples.Add(std::vector<double>{6, 5, 4});
  const auto sorted = SortedSamples(samples);
  ASSERT_EQ(sorted.size(), 4U);
  EXPECT_THAT(sorted.Of(0), ElementsAre(1, 2, 3));
  EXPECT_THAT(sorted.Of(1), ElementsAre());
  EXPECT_THAT(sorted.Of(2), ElementsAre(-1, 9));
  EXPECT_THAT(sorted.Of(3), ElementsAre(4, 5, 6));
}

TEST(SortedSamples, IsWhatASortOfEachGivesWhateverTheCountsAndLengths) {
  std::mt19937 random(2);
  for (const std::size_t longest : {std::size_t{64}, kLongestSortedColumn + 1}) {
    SampleSet samples;
    for (std::size_t i = 0; i < 150; ++i) {
      std::vector<double> own(longest - i % 3);
      for (double& x : own) {
        x = std::uniform_real_distribution<double>(0, 1)(random);
      }
      own.front() = std::numeric_limits<double>::infinity();
      samples.Add(own);
    }
    const auto sorted = SortedSamples(samples);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      std::vector<double> expected(samples.Of(i).begin(), samples.Of(i).end());
      std::sort(expected.begin(), expected.end());
      ASSERT_THAT(sorted.Of(i), ElementsAreArray(expected));
    }
  }
}

}  // namespace
}  // namespace limpet::sorted_samples_test
