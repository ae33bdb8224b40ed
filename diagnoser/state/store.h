// store.h: the state file in a folder: loaded at the start, replaced as a whole.
//
// A crash at any instant leaves the file before or after (atomic_file.h). A file that cannot be
// used is set aside as state.refused, so that nothing is lost by starting an older program.
// Threads: Load before Save; Save by one thread at a time.
#pragma once

#include <string>
#include <string_view>

#include "diagnoser/state/codec.h"
#include "exporter/common/descriptor.h"
#include "exporter/common/log.h"

namespace limpet {

class StateStore {
 public:
  StateStore(std::string folder, LogSink log) : folder_(std::move(folder)), log_(std::move(log)) {}

  // Creates the folder when it is not there and checks that files can be made in it.
  [[nodiscard]] Result<void> Prepare() const;

  // Keeps other diagnosers out of the folder for as long as this one lives; false, and an error in
  // the log, when one of them has it or the folder is a file. Where a folder cannot be locked there
  // is no state to spoil.
  [[nodiscard]] bool Lock();

  // Returns what can be used of the file; nothing when there is none. What is ignored is logged.
  [[nodiscard]] PipelineState Load(const PipelineConfig& config);
  // Prepares the folder anew each time: it may become writable, or be mounted, while we run.
  [[nodiscard]] Result<void> Save(std::string_view encoded);

 private:
  [[nodiscard]] std::string Path() const { return folder_ + "/state"; }

  std::string folder_;
  LogSink log_;
  Descriptor lock_;
};

}  // namespace limpet
