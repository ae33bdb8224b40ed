// Metrics of a configuration, and pages with their series: no input breaks either, and whatever is
// said of them is finite.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "diagnoser/config/custom_metrics.h"
#include "diagnoser/detect/default_presets.h"
#include "diagnoser/pipeline/pipeline.h"
#include "tests/fuzz/number_mutator.h"

namespace {

using namespace limpet;

constexpr std::string_view kUsual = R"(metrics:
  - name: fsync
    series: {histogram: f}
  - name: latency
    series: {mean: {sum: s, count: c}}
    component: [d]
    node: {join: i, on: [d], label: h}
    min_count: 1
  - name: queue
    series: {gauge: q}
    component: [d]
    peers: {same: [p]}
  - {name: jobs, series: {counter: j}, component: [d], asks: who}
)";

void Expect(bool good) {
  if (!good) {
    std::abort();
  }
}

void Check(const std::vector<Event>& events) {
  for (const auto& event : events) {
    const auto* const window = std::get_if<WindowEvent>(&event);
    for (std::size_t i = 0; window != nullptr && i < window->components.size(); ++i) {
      const auto& one = window->components[i];
      Expect(std::isfinite(one.degree) && std::isfinite(one.s.value_or(0)));
      Expect(std::isfinite(one.mean.value_or(0)) && std::isfinite(one.effect.value_or(0)));
    }
  }
}

// A NUL byte ends the rows, "%" a page. Pages come from four targets in turn, and each turn again
// and again, as a target's pages do.
void Play(std::string_view input) {
  const auto end = input.find('\0');
  auto metrics = ParseMetricFile(input.substr(0, end), "m.yml");
  if (!metrics || metrics->empty()) {
    metrics = ParseMetricFile(kUsual, "usual.yml");
  }
  input = end == std::string_view::npos ? std::string_view() : input.substr(end + 1);
  PipelineConfig config;
  config.presets = {DefaultPreset()};
  config.presets.front().window = 8;
  config.presets.front().shift = 4;
  config.presets.front().smoothing = 1;
  config.custom = *metrics;
  Pipeline pipeline(config);
  auto now = UnixFromSeconds(1'700'000'000);
  for (std::size_t page = 0; !input.empty() && page < 60; ++page) {
    const auto cut = input.find('%');
    const auto text = input.substr(0, cut);
    input = cut == std::string_view::npos ? std::string_view() : input.substr(cut + 1);
    constexpr std::string_view kNodes[] = {"a", "b", "c", "d"};
    const auto node = kNodes[page % 4];
    (void)pipeline.Ingest({.source = node, .node = node, .role = "r", .at = now, .text = text});
    now += std::chrono::milliseconds(251);
    Check(pipeline.Advance(now));
  }
  Check(pipeline.Finish());
  (void)pipeline.View();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Play({reinterpret_cast<const char*>(data), size});
  return 0;
}
