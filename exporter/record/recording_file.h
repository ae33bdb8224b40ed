// recording_file.h: where the bytes of a recording go: files that grow by whole frames.
//
// Threads: one.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "exporter/common/result.h"

namespace limpet {

class RecordingFile {
 public:
  virtual ~RecordingFile() = default;
  // Appends all of it and has it on the disk when it returns; on an error nothing of it remains, so
  // it may be tried again.
  [[nodiscard]] virtual Result<void> Append(std::string_view bytes) = 0;
  [[nodiscard]] virtual const std::string& Path() const = 0;
};

class RecordingFolder {
 public:
  virtual ~RecordingFolder() = default;
  // Null, and no error, when there is such a file already: nothing is ever overwritten.
  [[nodiscard]] virtual Result<std::unique_ptr<RecordingFile>> Create(const std::string& name) = 0;
};

// A folder of the file system; it is made when it does not exist, but not those above it.
[[nodiscard]] Result<std::unique_ptr<RecordingFolder>> OpenRecordingFolder(std::string path);

}  // namespace limpet
