// open_recording.h: any file that can be replayed, by what it begins with.
//
// A regular file is looked into: files of sysstat go through `sadf -j`; its JSON, CSV tables, and
// metrics text without a node or in order of series are converted while they are read; anything
// else is read as a recording.
// All but sysstat's own files may be compressed by gzip or zstd.
// Threads: one at a time.
#pragma once

#include <string>
#include <string_view>

#include "diagnoser/sources/recording.h"
#include "exporter/common/log.h"
#include "exporter/common/result.h"

namespace limpet {

enum class InputKind {
  kRecording,
  kSysstatFile,
  kSysstatJson,
  kCsv,
  kTextWithoutNode,
  kTextBySeries,
};

// `start`: plain bytes, as many as there are up to 64 KiB.
[[nodiscard]] InputKind RecogniseInput(std::string_view start);

// An error for a file that cannot be opened, or is compressed in a way that nobody here reads.
// `log` is told of rows that are left out.
[[nodiscard]] Result<Recording> OpenRecording(const std::string& path, const LogSink& log);
// The same in silence, to look into a file that will be read again.
[[nodiscard]] Result<Recording> OpenRecording(const std::string& path);

}  // namespace limpet
