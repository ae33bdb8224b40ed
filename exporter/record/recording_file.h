// recording_file.h: where the bytes of a recording go: files that grow by whole frames.
//
// Threads: one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/result.h"

namespace limpet {

class RecordingFile {
 public:
  virtual ~RecordingFile() = default;
  // Appends all of it and, unless the folder was opened without, has it on the disk when it
  // returns; on an error nothing of it remains, so it may be tried again. kNotFound: somebody has
  // deleted the file.
  [[nodiscard]] virtual Result<void> Append(std::string_view bytes) = 0;
  // False: somebody has deleted it.
  [[nodiscard]] virtual bool IsThere() const = 0;
  [[nodiscard]] virtual const std::string& Path() const = 0;
};

struct StoredRecording {
  std::string name;  // in its folder
  std::uint64_t bytes = 0;
};

class RecordingFolder {
 public:
  virtual ~RecordingFolder() = default;
  // Makes the folder when it is not there (but not those above it) and says whether files can be
  // written into it.
  [[nodiscard]] virtual Result<void> Prepare() = 0;
  // Null, and no error, when there is such a file already: nothing is ever overwritten.
  [[nodiscard]] virtual Result<std::unique_ptr<RecordingFile>> Create(const std::string& name) = 0;
  // All files, of whatever name, in no order.
  [[nodiscard]] virtual Result<std::vector<StoredRecording>> List() = 0;
  [[nodiscard]] virtual Result<void> Remove(const std::string& name) = 0;
};

// A folder of the file system, not looked at yet. `sync`: what is appended is on the disk, not only
// on its way there.
[[nodiscard]] std::unique_ptr<RecordingFolder> MakeRecordingFolder(std::string path,
                                                                   bool sync = true);
// The same, prepared.
[[nodiscard]] Result<std::unique_ptr<RecordingFolder>> OpenRecordingFolder(std::string path,
                                                                           bool sync = true);

}  // namespace limpet
