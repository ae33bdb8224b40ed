// progress_line.h: how far a command is, on a terminal.
//
// One line on standard error that is written over and over, not before a second has passed.
// Threads: one.
#pragma once

#include <string_view>

#include "diagnoser/runtime/replay.h"
#include "exporter/common/time.h"

namespace limpet {

class ProgressLine {
 public:
  // `doing`: "replaying"; must outlive the line. Silent when standard error is no terminal.
  explicit ProgressLine(std::string_view doing);

  void Show(UnixTime at, const ReplayReport& report);
  void Clear();

 private:
  std::string_view doing_;
  bool wanted_;
  bool shown_ = false;
  unsigned turn_ = 0;
  RealClock clock_;
  SteadyTime began_;
  SteadyTime next_;
};

// What a user should know about the files that were read: those cut off, lines left out.
void SayHowFilesWere(const ReplayReport& report, const LogSink& log);

}  // namespace limpet
