// All pairs of a large group, beside the least that a plain loop over the same bytes would need.
//   build/release/benchmarks/distances_bench
// scripts/bench-distances passes a matrix in the file LIMPET_MATRIX, rows of 1,000 cumulative
// counts.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

#include "diagnoser/detect/histogram/cdf_pairs.h"
#include "diagnoser/detect/wasserstein/wasserstein_pairs.h"
#include "tests/support/compare_peers.h"

namespace limpet {
namespace {

// The limit: sums of absolute differences, nothing else, in blocks that stay in the nearest cache.
// The compiler sees the pattern and uses the instruction for it (psadbw).
__attribute__((always_inline)) inline std::uint64_t SumAllPairs(const std::uint8_t* rows,
                                                                std::size_t n, std::size_t depth) {
  constexpr std::size_t kSide = 16;
  std::uint64_t all = 0;
  for (std::size_t top = 0; top < n; top += kSide) {
    for (std::size_t left = top; left < n; left += kSide) {
      for (std::size_t i = top; i < std::min(n, top + kSide); ++i) {
        for (std::size_t j = std::max(i + 1, left); j < std::min(n, left + kSide); ++j) {
          const std::uint8_t* a = rows + i * depth;
          const std::uint8_t* b = rows + j * depth;
          int sum = 0;
          for (std::size_t k = 0; k < depth; ++k) {
            sum += std::abs(a[k] - b[k]);
          }
          all += static_cast<std::uint64_t>(sum);
        }
      }
    }
  }
  return all;
}

#if defined(__x86_64__)
// Clang has no such attributes; the figures in docs/performance.md are GCC's.
#ifdef __clang__
#define LIMPET_AVX512 __attribute__((target("avx512bw,avx512vl")))
#define LIMPET_AVX2 __attribute__((target("avx2")))
#else
#define LIMPET_AVX512 \
  __attribute__((target("avx512bw,avx512vl,prefer-vector-width=512"), optimize("O3")))
#define LIMPET_AVX2 __attribute__((target("avx2"), optimize("O3")))
#endif
LIMPET_AVX512 std::uint64_t PlainAvx512(const std::uint8_t* rows, std::size_t n,
                                        std::size_t depth) {
  return SumAllPairs(rows, n, depth);
}
LIMPET_AVX2 std::uint64_t PlainAvx2(const std::uint8_t* rows, std::size_t n, std::size_t depth) {
  return SumAllPairs(rows, n, depth);
}
#undef LIMPET_AVX512
#undef LIMPET_AVX2
#endif

// With the widest instructions the processor has.
std::uint64_t PlainLoop(const std::uint8_t* rows, std::size_t n, std::size_t depth) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512bw")) {
    return PlainAvx512(rows, n, depth);
  }
  if (__builtin_cpu_supports("avx2")) {
    return PlainAvx2(rows, n, depth);
  }
#endif
  return SumAllPairs(rows, n, depth);
}

constexpr std::size_t kComponents = 4608;
constexpr std::size_t kBins = 1000;
constexpr std::size_t kWindow = 60;

SampleSet Servers(std::size_t components, std::size_t window, std::size_t anomalous) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal(100, 10);
  SampleSet set;
  std::vector<double> samples(window);
  for (std::size_t i = 0; i < components; ++i) {
    for (double& sample : samples) {
      sample = std::abs(normal(random)) * (i < anomalous ? 3 : 1);
    }
    set.Add(samples);
  }
  return set;
}

CdfPairs Histograms() {
  const auto set = Servers(kComponents, kWindow, 10);
  const auto all = set.All();
  const auto [lo, hi] = std::minmax_element(all.begin(), all.end());
  return {set, {.lo = *lo, .hi = *hi, .count = kBins}};
}

// The file's bytes; empty without one.
std::vector<std::uint8_t> Matrix() {
  const char* name = std::getenv("LIMPET_MATRIX");
  std::ifstream file(name == nullptr ? "" : name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void MatrixLimit(benchmark::State& state) {
  const auto rows = Matrix();
  if (rows.empty()) {
    state.SkipWithError("LIMPET_MATRIX names no file");
  }
  for (auto unused : state) {
    benchmark::DoNotOptimize(PlainLoop(rows.data(), rows.size() / kBins, kBins));
  }
}
BENCHMARK(MatrixLimit)->Unit(benchmark::kMillisecond);

// The samples that these cumulative counts are of, each in the middle of its bin.
void MatrixDegrees(benchmark::State& state) {
  const auto rows = Matrix();
  if (rows.empty()) {
    state.SkipWithError("LIMPET_MATRIX names no file");
  }
  SampleSet set;
  for (std::size_t row = 0; row < rows.size() / kBins; ++row) {
    std::vector<double> samples;
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      samples.resize(rows[row * kBins + bin], static_cast<double>(bin) + 0.5);
    }
    set.Add(samples);
  }
  CdfPairs pairs(set, {.lo = 0, .hi = static_cast<double>(kBins), .count = kBins});
  for (auto unused : state) {
    benchmark::DoNotOptimize(pairs.AllDegrees());
  }
}
BENCHMARK(MatrixDegrees)->Unit(benchmark::kMillisecond);

void CdfLimit(benchmark::State& state) {
  const auto pairs = Histograms();
  std::vector<std::uint8_t> rows;
  for (std::size_t i = 0; i < kComponents; ++i) {
    rows.insert(rows.end(), pairs.Bytes(i).begin(), pairs.Bytes(i).end());
  }
  for (auto unused : state) {
    benchmark::DoNotOptimize(PlainLoop(rows.data(), kComponents, kBins));
  }
}
BENCHMARK(CdfLimit)->Unit(benchmark::kMillisecond);

void CdfAllDegrees(benchmark::State& state) {
  auto pairs = Histograms();
  for (auto unused : state) {
    benchmark::DoNotOptimize(pairs.AllDegrees());
  }
}
BENCHMARK(CdfAllDegrees)->Unit(benchmark::kMillisecond);

// From samples to degrees, bins and all.
void CdfWindow(benchmark::State& state) {
  const auto set = Servers(kComponents, kWindow, 10);
  for (auto unused : state) {
    benchmark::DoNotOptimize(testing::ComparePeers(set, "await", ProductionPreset()));
  }
}
BENCHMARK(CdfWindow)->Unit(benchmark::kMillisecond);

void KlWindow(benchmark::State& state) {
  const auto set = Servers(kComponents, 64, 10);
  for (auto unused : state) {
    benchmark::DoNotOptimize(testing::ComparePeers(set, "await", TestbenchPreset()));
  }
}
BENCHMARK(KlWindow)->Unit(benchmark::kMillisecond);

void WassersteinWindow(benchmark::State& state) {
  const auto set = Servers(static_cast<std::size_t>(state.range(0)), 64, 10);
  for (auto unused : state) {
    benchmark::DoNotOptimize(testing::ComparePeers(set, "await", DefaultPreset()));
  }
}
BENCHMARK(WassersteinWindow)->Arg(6)->Arg(100)->Arg(4096)->Unit(benchmark::kMillisecond);

// Only what may be anomalous is compared with everybody: range(1) of the components are.
void WassersteinPruned(benchmark::State& state) {
  const auto set = Servers(static_cast<std::size_t>(state.range(0)), 64,
                           static_cast<std::size_t>(state.range(1)));
  const auto preset = DefaultPreset();
  for (auto unused : state) {
    benchmark::DoNotOptimize(testing::ComparePeers(
        set, "await", preset,
        [](const Comparison& all, std::size_t i) { return all.s[i] < 0.25 * all.median_mean; }));
  }
}
BENCHMARK(WassersteinPruned)->Args({16000, 10})->Args({16000, 160})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace limpet
