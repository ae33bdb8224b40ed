// What metrics of a configuration cost: every 15 s a page of each of 5,000 targets, with 20
// histograms of 20 buckets each, and the windows of the preset and its time scales.
//   build/release/benchmarks/custom_bench
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/detect/time_scales.h"
#include "diagnoser/pipeline/pipeline.h"

namespace limpet {
namespace {

constexpr int kMetrics = 20;
constexpr int kBuckets = 20;

PipelineConfig Config() {
  PipelineConfig config;
  config.presets = WithScales(SlowDefaultPreset());
  for (int i = 0; i < kMetrics; ++i) {
    CustomMetric metric;
    metric.name = fmt::format("m{}", i);
    metric.shape = CustomShape::kHistogram;
    metric.series = fmt::format("m{}_seconds", i);
    config.custom.push_back(metric);
  }
  return config;
}

std::string Page(std::uint64_t round) {
  std::string page;
  for (int metric = 0; metric < kMetrics; ++metric) {
    for (int bucket = 1; bucket <= kBuckets; ++bucket) {
      page += fmt::format("m{}_seconds_bucket{{le=\"{}\"}} {}\n", metric, bucket,
                          round * 50 * static_cast<std::uint64_t>(bucket));
    }
    page += fmt::format("m{}_seconds_bucket{{le=\"+Inf\"}} {}\n", metric, round * 50 * kBuckets);
  }
  return page;
}

// One round: 15 s of data. CPU seconds over 15 are cores.
void Round(benchmark::State& state) {
  Pipeline pipeline(Config());
  const auto targets = static_cast<std::size_t>(state.range(0));
  std::vector<std::string> nodes;
  for (std::size_t i = 0; i < targets; ++i) {
    nodes.push_back(fmt::format("node{:05}", i));
  }
  auto at = UnixFromSeconds(1'800'000'000);
  std::uint64_t round = 0;
  const auto play = [&] {
    at += std::chrono::seconds(15);
    const auto page = Page(++round);
    for (const auto& node : nodes) {
      const auto stats =
          pipeline.Ingest({.source = node, .node = node, .role = "r", .at = at, .text = page});
      if (!stats) {
        state.SkipWithError("the page was refused");
      }
    }
    benchmark::DoNotOptimize(pipeline.Advance(at));
  };
  play();  // new series are another matter
  play();
  for (auto unused : state) {
    play();
  }
  state.counters["components"] = static_cast<double>(pipeline.View().custom->components);
}
BENCHMARK(Round)->Arg(500)->Arg(5000)->Iterations(40)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace limpet
