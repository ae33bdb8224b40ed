#include "diagnoser/commands/progress_line.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace limpet {

using namespace std::chrono_literals;

ProgressLine::ProgressLine(std::string_view doing)
    : doing_(doing),
      wanted_(::isatty(STDERR_FILENO) == 1),
      began_(clock_.Steady()),
      next_(began_ + 1s) {}

void ProgressLine::Show(UnixTime at, const ReplayReport& report) {
  const auto now = clock_.Steady();
  if (!wanted_ || now < next_) {
    return;
  }
  next_ = now + 200ms;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
  fmt::print(stderr, "\r\033[K{} {} {:%F %T}, {:.1f} M samples, {:.1f} M/s", "|/-\\"[turn_++ % 4],
             doing_, fmt::gmtime(static_cast<std::time_t>(seconds)),
             static_cast<double>(report.samples) / 1e6,
             static_cast<double>(report.samples) / 1e6 / ToSeconds(now - began_));
  shown_ = true;
}

void ProgressLine::Clear() {
  if (shown_) {
    fmt::print(stderr, "\r\033[K");
  }
}

void SayHowFilesWere(const ReplayReport& report, const LogSink& log) {
  for (const auto& path : report.cut) {
    log(LogLevel::kWarning, path + ": ends in the middle; read to its last whole line");
  }
  if (report.bad_lines > 0) {
    log(LogLevel::kWarning,
        fmt::format("{} lines that are no samples were left out", report.bad_lines));
  }
}

}  // namespace limpet
