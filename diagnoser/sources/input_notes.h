// input_notes.h: what a reader of another program's file says of rows that it had to leave out.
//
// The first kMaxNamed rows are named by file and line, the others only counted. A file that is read
// once more from its start (ByteSource::Rewind) is complained of once.
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "exporter/common/log.h"

namespace limpet {

class InputNotes {
 public:
  static constexpr std::uint64_t kMaxNamed = 20;

  InputNotes(std::string path, LogSink log) : path_(std::move(path)), log_(std::move(log)) {}

  // Lines count from 1.
  void LeaveOut(std::uint64_t line, std::string_view why);
  // Notes a text about the file as a whole; a text is said once.
  void Say(const std::string& text);
  // Called at the end of the file: how many rows were left out, of how many.
  void Finish(std::uint64_t rows);
  // The file is read from its start again.
  void Rewind() { left_out_ = 0; }

  [[nodiscard]] const std::string& Path() const { return path_; }
  [[nodiscard]] std::uint64_t LeftOut() const { return left_out_; }

 private:
  std::string path_;
  LogSink log_;
  std::uint64_t left_out_ = 0;
  std::uint64_t named_ = 0;
  std::uint64_t last_named_ = 0;  // line
  std::set<std::string> said_;
};

}  // namespace limpet
