// Writing pages: ours beside prometheus-cpp's serializer on the same series in the same run, and
// what compressing them costs. 500 disks and 500 interfaces with 17 counters each: 17,000 series.
#include <benchmark/benchmark.h>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "exporter/collectors/catalog/disk.h"
#include "exporter/collectors/catalog/net.h"
#include "exporter/common/exposition/codec.h"
#include "exporter/common/exposition/writer.h"

namespace limpet {
namespace {

constexpr std::size_t kDevices = 500;
constexpr std::size_t kMetrics = 17;

// What the values of a real page are: counts and bytes, a third of them milliseconds as seconds.
Families ManySeries() {
  std::mt19937_64 random(3);
  Families families;
  const auto add = [&](const auto& infos, const std::string& device) {
    std::vector<LabelsPtr> labels;
    for (std::size_t i = 0; i < kDevices; ++i) {
      labels.push_back(MakeLabels({{"device", device + std::to_string(i)}}));
    }
    for (std::size_t m = 0; m < kMetrics; ++m) {
      Family family{infos[m], {}};
      for (const auto& label : labels) {
        const auto count = static_cast<double>(random() % (m % 5 == 0 ? 1'000 : 10'000'000'000));
        family.samples.push_back({label, m % 3 == 0 ? count / 1000 : count});
      }
      families.push_back(std::move(family));
    }
  };
  add(catalog::kDisk, "sd");
  add(catalog::kNet, "eth");
  return families;
}

void Render17000(benchmark::State& state) {
  const auto families = ManySeries();
  const auto format = static_cast<Format>(state.range(0));
  std::size_t bytes = 0;
  for (auto unused : state) {
    const auto page = Render(families, format, {.size_hint = bytes});
    bytes = page.size();
    benchmark::DoNotOptimize(page.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
  state.counters["series"] = 2 * kDevices * kMetrics;
}
BENCHMARK(Render17000)->ArgName("openmetrics")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void PrometheusCpp17000(benchmark::State& state) {
  std::vector<prometheus::MetricFamily> collected;
  for (const auto& family : ManySeries()) {
    prometheus::MetricFamily other;
    other.name = "limpet_" + std::string(family.info->name);
    other.help = family.info->help;
    other.type = prometheus::MetricType::Counter;
    for (const auto& sample : family.samples) {
      prometheus::ClientMetric metric;
      const auto& rendered = sample.labels->Rendered();
      metric.label = {{"device", rendered.substr(8, rendered.size() - 9)}};
      metric.counter.value = sample.value;
      other.metric.push_back(std::move(metric));
    }
    collected.push_back(std::move(other));
  }
  const prometheus::TextSerializer serializer;
  std::size_t bytes = 0;
  for (auto unused : state) {
    const auto page = serializer.Serialize(collected);
    bytes = page.size();
    benchmark::DoNotOptimize(page.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}
BENCHMARK(PrometheusCpp17000)->Unit(benchmark::kMillisecond);

// `ratio` is plain bytes for each compressed one.
void Gzip(benchmark::State& state) {
  const auto page = Render(ManySeries(), Format::kText);
  std::size_t bytes = 0;
  for (auto unused : state) {
    const auto encoded = GzipEncode(page, static_cast<int>(state.range(0)));
    bytes = encoded.size();
    benchmark::DoNotOptimize(encoded.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(page.size()) * state.iterations());
  state.counters["ratio"] = static_cast<double>(page.size()) / static_cast<double>(bytes);
}
BENCHMARK(Gzip)->ArgName("level")->Arg(1)->Arg(2)->Arg(3)->Arg(6)->Unit(benchmark::kMillisecond);

void Unpack(benchmark::State& state) {
  const auto page = Render(ManySeries(), Format::kText);
  const auto encoding = static_cast<Encoding>(state.range(0));
  ZstdWriter writer(3);
  auto zstd = writer.Write(page);
  zstd += writer.EndFrame();
  const auto encoded = encoding == Encoding::kGzip ? GzipEncode(page) : zstd;
  for (auto unused : state) {
    const auto decoded = Decode(encoding, encoded);
    benchmark::DoNotOptimize(decoded->text.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(page.size()) * state.iterations());
}
BENCHMARK(Unpack)
    ->ArgName("encoding")
    ->Arg(static_cast<int>(Encoding::kGzip))
    ->Arg(static_cast<int>(Encoding::kZstd))
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace limpet
