// progress_line.h: how far a command has come, on a terminal.
//
// One line on standard error, rewritten five times a second, and not shown at all by commands that
// take less than a second.
// Threads: one.
#pragma once

#include <string_view>

#include "diagnoser/runtime/replay.h"
#include "exporter/common/time.h"

namespace limpet {

class ProgressLine {
 public:
  // `doing`: "replaying"; must outlive the line. Silent when standard error is not a terminal.
  explicit ProgressLine(std::string_view doing);

  // `at`: the time of the data that is being read.
  void Show(UnixTime at, const ReplayReport& report);
  void Clear();

 private:
  std::string_view doing_;
  bool on_terminal_;
  bool shown_ = false;
  unsigned turn_ = 0;  // of the spinner
  RealClock clock_;
  SteadyTime began_;
  SteadyTime next_;
};

}  // namespace limpet
