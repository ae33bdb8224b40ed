// progress_line.h: how far a command has come: a line on a terminal, or JSON lines for a program.
//
// On standard error. The line is rewritten five times a second, and not shown at all by commands
// that take less than a second; a JSON line comes every second, and one at the end.
//   {"type":"progress","at":1700000123,"samples":12800000,"samples_per_second":8.1e+06,
//    "done":0.42,"seconds_left":2.3}
// done and seconds_left are null where nobody can know (a pipe, the first moments).
// Threads: one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "diagnoser/runtime/replay.h"
#include "exporter/common/time.h"

namespace limpet {

struct ProgressSettings {
  std::string_view doing;         // "replaying"; must outlive the line
  std::string style = "auto";     // json; none; auto: a line, silent when there is no terminal
  UnixTime to = UnixTime::max();  // where the data is read to
};

// The part that a replay of `elapsed` has done, and has yet to do.
struct Progress {
  double samples_per_second = 0;
  std::optional<double> done;  // 0 to 1
  std::optional<double> seconds_left;
};
[[nodiscard]] Progress EstimateProgress(UnixTime at, const ReplayReport& report, Duration elapsed,
                                        UnixTime to);

class ProgressLine {
 public:
  explicit ProgressLine(ProgressSettings settings);

  // `at`: the time of the data that is being read.
  void Show(UnixTime at, const ReplayReport& report);
  // The end. `report`: of a command that has not failed.
  void Clear(const ReplayReport* report = nullptr);

 private:
  void ShowLine(UnixTime at, const ReplayReport& report, const Progress& progress);

  ProgressSettings settings_;
  bool json_;
  bool on_terminal_;
  bool shown_ = false;
  unsigned turn_ = 0;  // of the spinner
  RealClock clock_;
  SteadyTime began_;
  SteadyTime next_;
};

}  // namespace limpet
