// event_file.h: the event log: JSON lines appended to a file or written to standard error.
//
// A disk that is full loses lines, never the diagnosis; the error comes back each time.
// Threads: one at a time.
#pragma once

#include <string>
#include <string_view>

#include "exporter/common/result.h"

namespace limpet {

class EventFile {
 public:
  // `path` is a file, "stderr", or empty: Write does nothing.
  explicit EventFile(std::string path) : path_(std::move(path)) {}
  ~EventFile() { Close(); }
  EventFile(const EventFile&) = delete;
  EventFile& operator=(const EventFile&) = delete;

  // Whole lines with their newlines.
  [[nodiscard]] Result<void> Write(std::string_view lines);
  // The next Write opens `path`, so that a file that was renamed meanwhile is left alone.
  void Reopen(std::string path);

 private:
  void Close();

  std::string path_;
  int fd_ = -1;
};

}  // namespace limpet
