#include "diagnoser/detect/kernels/pair_kernels.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "diagnoser/detect/kernels/panels.h"
#include "tests/support/each_target.h"

namespace limpet::pair_kernels_test {
namespace {

using ::limpet::testing::ForEachTarget;

std::vector<double> Random(std::mt19937& random, std::size_t count) {
  std::uniform_real_distribution<double> uniform(-100, 100);
  std::vector<double> values(count);
  std::generate(values.begin(), values.end(), [&] { return uniform(random); });
  return values;
}

// Rows against one panel of as many columns as rows, by a kernel.
template <class T, class Kernel>
std::vector<T> Sums(const std::vector<T>& rows, std::size_t depth, const Kernel& kernel) {
  const std::size_t n = rows.size() / depth;
  Panels<T> panels(n, depth);
  for (std::size_t i = 0; i < n; ++i) {
    panels.Put(i, std::span(rows).subspan(i * depth, depth));
  }
  std::vector<T> sums(n * kPanelWidth);
  InPieces(Tile<T>{.rows = rows.data(),
                   .stride = depth,
                   .count = n,
                   .panel = panels.Panel(0),
                   .depth = depth,
                   .columns = n,
                   .sums = sums.data(),
                   .sums_stride = kPanelWidth},
           kernel);
  return sums;
}

TEST(PairKernels, GiveTheBitsOfAPlainLoopOnEveryInstructionSet) {
  std::mt19937 random(1);
  for (const std::size_t depth : {2U, 64U, 250U}) {
    for (const std::size_t n : {1U, 5U, 17U, 32U}) {
      const auto rows = Random(random, n * depth);
      const auto weights = Random(random, depth);
      ForEachTarget([&](const char* target) {
        const auto absolute =
            Sums(rows, depth, [](const Tile<double>& tile, std::size_t) { AddAbsolute(tile); });
        const auto weighted = Sums(rows, depth, [&](const Tile<double>& tile, std::size_t first) {
          AddWeighted(tile, weights.data() + first);
        });
        const auto divergence =
            Sums(rows, depth, [](const Tile<double>& tile, std::size_t) { AddDivergence(tile); });
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = 0; j < n; ++j) {
            const double* a = rows.data() + i * depth;
            const double* b = rows.data() + j * depth;
            double sum = 0;
            double heavy = 0;
            double products = 0;
            for (std::size_t k = 0; k < depth; ++k) {
              sum += std::abs(a[k] - b[k]);
              const double term = std::abs(a[k] - b[k]) * weights[k];
              heavy += term;
              const double product = k % 2 == 0 ? (a[k] - b[k]) * (a[k + 1] - b[k + 1]) : 0;
              products += product;
            }
            ASSERT_EQ(absolute[i * kPanelWidth + j], sum) << target;
            ASSERT_DOUBLE_EQ(weighted[i * kPanelWidth + j], heavy) << target;
            ASSERT_NEAR(divergence[i * kPanelWidth + j], products, 1e-7) << target;
          }
        }
      });
    }
  }
}

TEST(PairKernels, AddUpTheLargerBytesOnEveryInstructionSet) {
  std::mt19937_64 random(2);
  for (const std::uint8_t largest : std::vector<std::uint8_t>{0, 60, 64, 100, 127, 128, 255}) {
    for (const std::size_t depth : {1U, 7U, 125U}) {
      constexpr std::size_t kRows = 17;
      std::vector<std::uint64_t> rows(kRows * depth);
      auto* bytes = reinterpret_cast<std::uint8_t*>(rows.data());
      for (std::size_t i = 0; i < rows.size() * 8; ++i) {
        const auto below = random() % (largest + std::uint64_t{1});
        bytes[i] = i % 3 == 0 ? largest : static_cast<std::uint8_t>(below);
      }
      ForEachTarget([&](const char* target) {
        const auto sums = Sums(rows, depth, [&](const Tile<std::uint64_t>& tile, std::size_t) {
          AddMaxima(tile, largest);
        });
        for (std::size_t i = 0; i < kRows; ++i) {
          for (std::size_t j = 0; j < kRows; ++j) {
            std::uint64_t sum = 0;
            for (std::size_t k = 0; k < depth * 8; ++k) {
              sum += std::max(bytes[i * depth * 8 + k], bytes[j * depth * 8 + k]);
            }
            ASSERT_EQ(sums[i * kPanelWidth + j], sum)
                << target << " " << i << " " << j << " " << int{largest};
          }
        }
      });
    }
  }
}

TEST(KthLargest, IsTheOneASortFinds) {
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    const auto n = std::uniform_int_distribution<std::size_t>(1, 5000)(random);
    std::vector<double> values = Random(random, n);
    if (round % 3 == 1) {  // many equal ones
      std::for_each(values.begin(), values.end(), [](double& x) { x = std::round(x / 30); });
    } else if (round % 3 == 2) {  // an order that misleads every sample
      std::sort(values.begin(), values.end());
      std::rotate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n / 3),
                  values.end());
    }
    std::vector<std::uint16_t> shorts;
    for (const double x : values) {
      shorts.push_back(static_cast<std::uint16_t>((x + 100) * 300));
    }
    auto sorted = values;
    std::sort(sorted.rbegin(), sorted.rend());
    auto sorted_shorts = shorts;
    std::sort(sorted_shorts.rbegin(), sorted_shorts.rend());
    for (const std::size_t k : {std::size_t{1}, (n - 1) / 2 + 1, n}) {
      ForEachTarget([&](const char* target) {
        auto scratch = values;
        ASSERT_EQ(KthLargest(scratch, k), sorted[k - 1]) << target << " " << k << " of " << n;
        ASSERT_EQ(KthLargest(std::span<const std::uint16_t>(shorts), k), sorted_shorts[k - 1])
            << target << " " << k << " of " << n;
      });
    }
  }
}

}  // namespace
}  // namespace limpet::pair_kernels_test
