// What one window of one metric costs, and the counters' way onto the grid.
//   build/release/benchmarks/windows_bench
#include <benchmark/benchmark.h>

#include <random>

#include "diagnoser/detect/detectors.h"
#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/series/increase.h"

namespace limpet {
namespace {

SampleSet RandomSet(std::size_t components, std::size_t window) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal(100, 5);
  SampleSet set;
  std::vector<double> samples(window);
  for (std::size_t i = 0; i < components; ++i) {
    for (double& sample : samples) {
      sample = std::abs(normal(random));
    }
    set.Add(samples);
  }
  return set;
}

void Compare(benchmark::State& state, const PresetSettings& preset) {
  const auto set = RandomSet(static_cast<std::size_t>(state.range(0)), preset.window);
  const auto detector = MakeDetector(preset);
  const WindowSamples window{.metric = &RowFor(DiskMetric::kAwait), .samples = &set};
  for (auto unused : state) {
    benchmark::DoNotOptimize(detector->Compare(window));
  }
}

void KlWindow(benchmark::State& state) { Compare(state, TestbenchPreset()); }
void CdfWindow(benchmark::State& state) { Compare(state, ProductionPreset()); }
void WassersteinWindow(benchmark::State& state) { Compare(state, DefaultPreset()); }
BENCHMARK(KlWindow)->Arg(6)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(CdfWindow)->Arg(6)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK(WassersteinWindow)->Arg(6)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);

void CounterReading(benchmark::State& state) {
  const std::vector<GridSpec> grids(1);
  CounterTrack track(grids);
  Spreads spreads(grids);
  auto at = UnixFromMilliseconds(1'700'000'000'123);
  double value = 0;
  for (auto unused : state) {
    at += std::chrono::milliseconds(997);
    value += 1000;
    benchmark::DoNotOptimize(track.Add(at, value, spreads));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(CounterReading);

// One scrape of a node with a hundred disks, through parser, mapping and grid.
void IngestPage(benchmark::State& state) {
  PipelineConfig config;
  config.presets = {DefaultPreset()};
  config.groups = {{.name = "io"}};
  Pipeline pipeline(config);
  auto at = UnixFromSeconds(1'700'000'000);
  std::string page;
  for (int disk = 0; disk < 100; ++disk) {
    for (const char* name :
         {"reads_completed", "writes_completed", "read_bytes", "written_bytes", "read_time_seconds",
          "write_time_seconds", "io_time_seconds", "io_time_weighted_seconds"}) {
      page += std::string("limpet_disk_") + name + "_total{device=\"sd" + std::to_string(disk) +
              "\"} 123456789.125\n";
    }
  }
  for (auto unused : state) {
    at += std::chrono::seconds(1);
    const auto stats = pipeline.Ingest(
        {.source = "n", .node = "n", .role = {}, .labels = {}, .at = at, .text = page});
    if (!stats) {
      state.SkipWithError("the page was refused");
    }
    benchmark::DoNotOptimize(stats);
  }
  state.SetItemsProcessed(state.iterations() * 800);
}
BENCHMARK(IngestPage)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace limpet
