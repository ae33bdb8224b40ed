// atomic_file.h: replace a file so that a crash at any instant leaves the old or the new content.
//
// Temporary file in the same folder, fsync, rename, fsync of the folder (leveldb SetCurrentFile).
// Threads: safe for different paths; one writer a path.
#pragma once

#include <string>
#include <string_view>

#include "exporter/common/result.h"

namespace limpet {

// Replaces the file; on an error the old one is untouched and the temporary one removed. `where` is
// the path.
[[nodiscard]] Result<void> WriteFileAtomically(const std::string& path, std::string_view content);

}  // namespace limpet
