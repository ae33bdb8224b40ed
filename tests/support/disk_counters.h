// disk_counters.h: the counters of a server's one disk, as pages and recordings have them.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace limpet::testing {

// It answers 60 reads a second.
class DiskCounters {
 public:
  // One second more, in which a request took so long.
  void AddSecond(int await_ms) {
    requests_ += 60;
    waited_ms_ += 60 * await_ms;
  }

  // A line a counter, with further labels (`,instance="a"`) and an instant (` 1700000000.250`).
  [[nodiscard]] std::string Lines(std::string_view labels = "", std::string_view at = "") const {
    std::string text;
    const auto line = [&](std::string_view name, double value) {
      text +=
          fmt::format("limpet_disk_{}_total{{device=\"sda\"{}}} {}{}\n", name, labels, value, at);
    };
    line("reads_completed", requests_);
    line("read_bytes", 0);
    line("read_time_seconds", waited_ms_ / 1000);
    line("writes_completed", 0);
    line("written_bytes", 0);
    line("write_time_seconds", 0);
    line("io_time_seconds", waited_ms_ / 5000);
    line("io_time_weighted_seconds", waited_ms_ / 1000);
    return text;
  }

 private:
  double requests_ = 0;
  double waited_ms_ = 0;
};

}  // namespace limpet::testing
