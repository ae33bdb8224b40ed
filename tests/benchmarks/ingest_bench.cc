// What a sample costs on its way in: a page of a made-up server through the intake, with each line
// predicted from the page before and with each line parsed; and a window's samples of one disk.
//   build/release/benchmarks/ingest_bench
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "diagnoser/intake/intake.h"
#include "diagnoser/metrics/samples.h"
#include "diagnoser/series/window_samples.h"
#include "tests/benchmarks/fleet/fleet.h"

namespace limpet {
namespace {

using bench::Fleet;
using bench::PageKind;

constexpr std::int64_t kPages = 32;

GridSpec OneSecondGrid() {
  return {.step = std::chrono::seconds(1), .max_gap = std::chrono::seconds(5), .capacity = 128};
}

std::vector<Rule> AllDisksAndInterfaces() {
  return {*Rule::Compile({.name = "disks"}),
          *Rule::Compile({.name = "net", .kind = GroupKind::kNetwork})};
}

void Ingest(benchmark::State& state, PageKind kind, LineReading reading) {
  const Fleet fleet({.nodes = 1, .disks = 12, .interfaces = 3});
  std::vector<std::string> pages;
  std::size_t bytes = 0;
  for (std::int64_t second = 0; second < kPages; ++second) {
    pages.push_back(fleet.Page(0, second, kind));
    bytes += pages.back().size();
  }
  Directory directory(AllDisksAndInterfaces());
  Readings readings({OneSecondGrid()});
  Intake intake({}, reading);
  PipelineCounters counters;
  const auto pass = [&] {
    for (std::int64_t second = 0; second < kPages; ++second) {
      const auto stats =
          intake.Ingest({.source = "n",
                         .node = kind == PageKind::kLive ? "n" : "",
                         .role = {},
                         .labels = {},
                         .at = UnixFromSeconds(bench::kFleetBegin + second),
                         .format = kind == PageKind::kLive ? Format::kText : Format::kOpenMetrics,
                         .recording = kind == PageKind::kRecorded,
                         .text = pages[static_cast<std::size_t>(second)]},
                        {}, directory, readings, counters);
      benchmark::DoNotOptimize(stats);
    }
  };
  pass();  // the caches fill
  for (auto unused : state) {
    pass();  // all late from now on but for the counting: reading the lines is what is measured
  }
  state.SetItemsProcessed(state.iterations() * kPages *
                          static_cast<std::int64_t>(fleet.Samples(kind)));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}
BENCHMARK_CAPTURE(Ingest, LivePredicted, PageKind::kLive, LineReading::kPredicted);
BENCHMARK_CAPTURE(Ingest, LivePlain, PageKind::kLive, LineReading::kPlain);
BENCHMARK_CAPTURE(Ingest, RecordedPredicted, PageKind::kRecorded, LineReading::kPredicted);
BENCHMARK_CAPTURE(Ingest, RecordedPlain, PageKind::kRecorded, LineReading::kPlain);

// The samples of one disk in one window: what every close begins with.
void DiskSamplesOfAWindow(benchmark::State& state) {
  Readings readings({OneSecondGrid()});
  for (std::int64_t second = 0; second < 120; ++second) {
    const auto at = UnixFromMilliseconds((bench::kFleetBegin + second) * 1000 + 1);
    for (std::uint8_t counter = 0; counter < kDiskCounters; ++counter) {
      readings.Add({.kind = EntityKind::kDisk, .index = counter}, 0, at,
                   static_cast<double>(second * (counter + 1)));
    }
  }
  const bool hole = state.range(0) != 0;
  const auto preset = DefaultPreset();
  const Member member{.name = "n/sda", .node = "n", .device = "sda", .entities = {0}};
  // A hole: the window reaches back before the first reading.
  const auto end = UnixFromSeconds(bench::kFleetBegin + (hole ? 60 : 118));
  for (auto unused : state) {
    benchmark::DoNotOptimize(DiskWindow(readings, member, end, preset.Shape(), 0));
  }
}
BENCHMARK(DiskSamplesOfAWindow)->ArgName("hole")->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace limpet
