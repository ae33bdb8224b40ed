// Pages as they come, cut into scrapes of several nodes, through the whole pipeline: nothing may
// crash, and no event may hold a number that is none.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/publish/events.h"
#include "tests/fuzz/number_mutator.h"

namespace {

// In the input "%" ends a scrape; the next one is of the next node, and a second later after four.
void Play(std::string_view input) {
  using limpet::PipelineConfig;
  PipelineConfig config;
  auto small = limpet::DefaultPreset();
  small.window = 5;
  small.shift = 2;
  small.smoothing = 2;
  small.cwnd_events = true;
  auto histogram = limpet::ProductionPreset();
  histogram.window = 6;
  histogram.shift = 3;
  histogram.smoothing = 1;
  histogram.step = std::chrono::seconds(1);
  config.presets = {small, histogram};
  config.groups = {{.name = "disks"},
                   {.name = "lan", .kind = limpet::GroupKind::kNetwork},
                   {.name = "tcp", .kind = limpet::GroupKind::kCwnd, .ports = {1}}};
  config.limits.max_series = 1000;
  limpet::Pipeline pipeline(config);
  constexpr std::string_view kNodes[] = {"a", "b", "c", "d"};
  const auto check = [](const std::vector<limpet::Event>& events) {
    for (const auto& event : events) {
      const auto line = limpet::ToJsonLine(event);
      if (line.find("inf") != std::string::npos && line.find("\"inf") == std::string::npos &&
          line.find("\\") == std::string::npos && line.find(":inf") != std::string::npos) {
        std::abort();
      }
      // Only the Wasserstein distance has an effect, and what is judged by seconds has none.
      const bool has_effect = line.find("\"preset\":\"production\"") == std::string::npos &&
                              line.find("\"group\":\"tcp\"") == std::string::npos;
      if ((has_effect && line.find("\"effect\":null") != std::string::npos) ||
          line.find("\"degree\":null") != std::string::npos) {
        std::abort();
      }
    }
  };
  auto now = limpet::UnixFromSeconds(1'700'000'000);
  for (std::size_t scrape = 0; !input.empty() && scrape < 400; ++scrape) {
    const auto end = input.find('%');
    const auto page = input.substr(0, end);
    input = end == std::string_view::npos ? std::string_view() : input.substr(end + 1);
    const auto node = kNodes[scrape % 4];
    (void)pipeline.Ingest({.source = node,
                           .node = node,
                           .role = {},
                           .labels = {},
                           .at = now,
                           .recording = scrape % 3 == 0,
                           .text = page});
    if (scrape % 4 == 3) {
      check(pipeline.Advance(now));
      now += std::chrono::seconds(1);
    }
  }
  check(pipeline.Finish());
  (void)pipeline.View();
  limpet::Pipeline again(config);
  (void)again.ImportState(pipeline.ExportState());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Play({reinterpret_cast<const char*>(data), size});
  return 0;
}
