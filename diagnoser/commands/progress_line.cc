#include "diagnoser/commands/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace limpet {

using namespace std::chrono_literals;

// Nothing in the first second: a short replay should end without a flicker.
ProgressLine::ProgressLine(std::string_view doing)
    : doing_(doing),
      on_terminal_(::isatty(STDERR_FILENO) == 1),
      began_(clock_.Steady()),
      next_(began_ + 1s) {}

// Silent without a terminal: logs of cron jobs must not fill with rewritten lines.
void ProgressLine::Show(UnixTime at, const ReplayReport& report) {
  const auto now = clock_.Steady();
  if (!on_terminal_ || now < next_) {
    return;
  }
  // Often enough to look alive; a slow terminal must not hold up the replay.
  next_ = now + 200ms;
  const auto millions = static_cast<double>(report.samples) / 1e6;
  // \r and "erase to the end of the line": the terminal may have wrapped or shrunk meanwhile.
  fmt::print(stderr, "\r\033[K{} {} {}: {:.1f} million samples, {:.1f} million/s",
             "|/-\\"[turn_++ % 4], doing_, IsoTime(at), millions,
             millions / ToSeconds(now - began_));
  shown_ = true;
}

void ProgressLine::Clear() {
  if (shown_) {
    fmt::print(stderr, "\r\033[K");
  }
}

}  // namespace limpet
