// read_errors.h: files that are there and cannot be read do not vanish silently.
//
// One line in the log when the device behind a file fails (EIO), or the file is larger than
// kMaxFileBytes; the next one of that file after it could be read again.
// Bound:   kMaxFailing files are remembered.
// Threads: as its FileReader; the log may be used by any.
#pragma once

#include <cstddef>
#include <memory>

#include "exporter/common/files.h"
#include "exporter/common/log.h"

namespace limpet {

inline constexpr std::size_t kMaxFailing = 1'000;

// `files` itself without a log.
[[nodiscard]] std::unique_ptr<FileReader> LogReadErrors(std::unique_ptr<FileReader> files,
                                                        LogSink log);

}  // namespace limpet
