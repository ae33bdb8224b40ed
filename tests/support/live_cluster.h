// live_cluster.h: five servers with a disk each, one of which gets slow, as the live page sees
// them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/history/recorder.h"
#include "tests/support/disk_pages.h"

namespace limpet::testing {

inline constexpr std::int64_t kLiveBegin = 1'700'000'000;

// Windows of 10 s every 5 s, flagged after two.
inline PresetSettings LivePreset() {
  auto preset = DefaultPreset();
  preset.window = 10;
  preset.shift = 5;
  preset.smoothing = 2;
  preset.k = 2;
  return preset;
}

class LiveCluster {
 public:
  explicit LiveCluster(HistorySettings settings = {})
      : pipeline_({.presets = {LivePreset()}, .groups = {{.name = "disks"}}}),
        recorder_(settings, {LivePreset()}) {}
  explicit LiveCluster(PipelineConfig config)
      : pipeline_(std::move(config)), recorder_({}, {LivePreset()}) {}

  // One second: node io03 takes `slow_ms` for a request, the others 10 ms.
  void Step(double slow_ms) {
    ++second_;
    for (int i = 1; i <= 5; ++i) {
      const auto node = "io0" + std::to_string(i);
      waited_[static_cast<std::size_t>(i)] += i == 3 ? slow_ms : 10 + 0.1 * i;
      (void)IngestPage(pipeline_, node, Now(), Page(waited_[static_cast<std::size_t>(i)]));
    }
    const auto events = pipeline_.Advance(Now());
    if (!events.empty()) {
      const auto view = pipeline_.View();
      recorder_.Record(events, pipeline_, view, Now());
      recorder_.SetView(std::make_shared<const PipelineView>(view));
    }
    recorder_.AddFrame(pipeline_, Now(), Now() - std::chrono::seconds(5), Now());
  }
  void Steps(int count, double slow_ms) {
    for (int i = 0; i < count; ++i) {
      Step(slow_ms);
    }
  }

  [[nodiscard]] UnixTime Now() const { return UnixFromSeconds(kLiveBegin + second_); }
  [[nodiscard]] std::shared_ptr<const LiveView> View() const { return recorder_.View(); }
  [[nodiscard]] Recorder& Keeper() { return recorder_; }
  [[nodiscard]] Pipeline& Data() { return pipeline_; }

 private:
  // 50 requests a second of 4 KiB each, the device as slow as the requests.
  [[nodiscard]] std::string Page(double waited) const {
    const auto requests = 50.0 * static_cast<double>(second_);
    return fmt::format(
        "limpet_disk_reads_completed_total{{device=\"sda\"}} {0}\n"
        "limpet_disk_writes_completed_total{{device=\"sda\"}} 0\n"
        "limpet_disk_read_bytes_total{{device=\"sda\"}} {1}\n"
        "limpet_disk_written_bytes_total{{device=\"sda\"}} 0\n"
        "limpet_disk_read_time_seconds_total{{device=\"sda\"}} {2}\n"
        "limpet_disk_write_time_seconds_total{{device=\"sda\"}} 0\n"
        "limpet_disk_io_time_seconds_total{{device=\"sda\"}} {2}\n"
        "limpet_disk_io_time_weighted_seconds_total{{device=\"sda\"}} {2}\n",
        requests, 4096 * requests, waited * 50 / 1000);
  }

  Pipeline pipeline_;
  Recorder recorder_;
  std::int64_t second_ = 0;
  double waited_[6] = {};  // ms of one request a second, by node
};

}  // namespace limpet::testing
