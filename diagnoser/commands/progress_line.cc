#include "diagnoser/commands/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

#include "diagnoser/publish/explain.h"
#include "diagnoser/publish/json_lines.h"

namespace limpet {

using namespace std::chrono_literals;

namespace {

// Before so much of it is done, the rate says nothing.
constexpr double kTooEarly = 0.005;

std::optional<double> Thousandths(std::optional<double> value) {
  return value ? std::optional(std::round(*value * 1000) / 1000) : std::nullopt;
}

std::string JsonText(UnixTime at, const ReplayReport& report, const Progress& progress) {
  JsonLine line;
  line.Field("type", "progress").Field("at", at).Field("samples", report.samples);
  line.Field("samples_per_second", std::round(progress.samples_per_second));
  line.Field("done", Thousandths(progress.done));
  line.Field("seconds_left", Thousandths(progress.seconds_left));
  return line.Finish();
}

}  // namespace

Progress EstimateProgress(UnixTime at, const ReplayReport& report, Duration elapsed, UnixTime to) {
  Progress progress;
  const double seconds = ToSeconds(elapsed);
  if (seconds > 0) {
    progress.samples_per_second = static_cast<double>(report.samples) / seconds;
  }
  if (report.total_bytes > 0) {
    progress.done =
        static_cast<double>(report.file_bytes) / static_cast<double>(report.total_bytes);
  }
  // Files may go on behind the end that was asked for: then time tells more than bytes.
  if (report.first && to != UnixTime::max() && to > *report.first) {
    const double by_time = ToSeconds(at - *report.first) / ToSeconds(to - *report.first);
    progress.done = std::max(progress.done.value_or(0), by_time);
  }
  if (progress.done) {
    progress.done = std::clamp(*progress.done, 0.0, 1.0);
    if (*progress.done >= kTooEarly) {
      progress.seconds_left = seconds * (1 - *progress.done) / *progress.done;
    }
  }
  return progress;
}

// Nothing in the first second: a short replay should end without a flicker.
ProgressLine::ProgressLine(ProgressSettings settings)
    : settings_(std::move(settings)),
      json_(settings_.style == "json"),
      on_terminal_(settings_.style == "auto" && ::isatty(STDERR_FILENO) == 1),
      began_(clock_.Steady()),
      next_(began_ + 1s) {}

// Silent without a terminal: logs of cron jobs must not fill with rewritten lines.
void ProgressLine::Show(UnixTime at, const ReplayReport& report) {
  if (!on_terminal_ && !json_) {
    return;
  }
  const auto now = clock_.Steady();
  if (now < next_) {
    return;
  }
  const auto progress = EstimateProgress(at, report, now - began_, settings_.to);
  if (json_) {
    next_ = now + 1s;
    fmt::print(stderr, "{}", JsonText(at, report, progress));
    return;
  }
  // Often enough to look alive; a slow terminal must not hold up the replay.
  next_ = now + 200ms;
  ShowLine(at, report, progress);
}

void ProgressLine::ShowLine(UnixTime at, const ReplayReport& report, const Progress& progress) {
  // \r and "erase to the end of the line": the terminal may have wrapped or shrunk meanwhile.
  fmt::print(stderr, "\r\033[K{} {} {}: {:.1f} million samples, {:.1f} million/s",
             "|/-\\"[turn_++ % 4], settings_.doing, IsoTime(at),
             static_cast<double>(report.samples) / 1e6, progress.samples_per_second / 1e6);
  if (progress.seconds_left) {
    const auto left = std::chrono::seconds(std::lround(*progress.seconds_left));
    fmt::print(stderr, ", {:.0f} %, {} left", 100 * *progress.done, ForPeople(left));
  }
  shown_ = true;
}

void ProgressLine::Clear(const ReplayReport* report) {
  if (shown_) {
    fmt::print(stderr, "\r\033[K");
  }
  if (json_ && report != nullptr) {
    const auto elapsed = clock_.Steady() - began_;
    auto progress = EstimateProgress({}, *report, elapsed, settings_.to);
    progress.done = 1;
    progress.seconds_left = 0;
    fmt::print(stderr, "{}", JsonText(report->last.value_or(UnixTime()), *report, progress));
  }
}

}  // namespace limpet
