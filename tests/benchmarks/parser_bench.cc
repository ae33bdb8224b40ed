// Reading pages of 17,000 series, as the diagnoser does at every scrape and replay does for days.
#include <benchmark/benchmark.h>

#include <random>
#include <string>

#include "exporter/common/exposition/parser.h"

namespace limpet {
namespace {

// Names and numbers as node_exporter prints them.
std::string ManyLines(Format format, bool timestamps) {
  std::mt19937_64 random(5);
  std::string page;
  for (int metric = 0; metric < 34; ++metric) {
    const auto name = "node_disk_metric_" + std::to_string(metric) + "_seconds_total";
    page += "# HELP " + name + " Time spent by all of the requests.\n# TYPE " + name + " counter\n";
    for (int device = 0; device < 500; ++device) {
      page += name + "{device=\"nvme" + std::to_string(device) + "n1\"} ";
      const auto value = random();
      page += metric % 3 == 0
                  ? std::to_string(value % 10'000'000) + "." + std::to_string(value % 97)
              : metric % 3 == 1 ? std::to_string(value % 100'000'000'000)
                                : "1.234" + std::to_string(value % 100'000) + "e+09";
      if (timestamps) {
        page += format == Format::kText ? " 1700000000123" : " 1700000000.123";
      }
      page += '\n';
    }
  }
  return page + (format == Format::kOpenMetrics ? "# EOF\n" : "");
}

void Parse(benchmark::State& state) {
  const auto format = static_cast<Format>(state.range(0));
  const auto page = ManyLines(format, state.range(1) != 0);
  std::int64_t samples = 0;
  for (auto unused : state) {
    PageParser parser(page, {.format = format});
    double sum = 0;
    for (auto item = parser.Next(); item.kind != ItemKind::kEnd; item = parser.Next()) {
      if (item.kind == ItemKind::kError) {
        state.SkipWithError(parser.error().Text().c_str());
        return;
      }
      sum += item.value;
      samples += item.kind == ItemKind::kSample ? 1 : 0;
    }
    benchmark::DoNotOptimize(sum);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(page.size()) * state.iterations());
  state.SetItemsProcessed(samples);
}
BENCHMARK(Parse)
    ->ArgNames({"openmetrics", "timestamps"})
    ->Args({0, 0})
    ->Args({0, 1})
    ->Args({1, 1})
    ->Unit(benchmark::kMillisecond);

// Once a series, not once a sample.
void ParseLabelsOfASeries(benchmark::State& state) {
  const std::string labels =
      R"(instance="server-17",role="server",device="nvme0n1",model="A \"quoted\" one")";
  for (auto unused : state) {
    benchmark::DoNotOptimize(ParseLabels(labels));
  }
}
BENCHMARK(ParseLabelsOfASeries);

}  // namespace
}  // namespace limpet
