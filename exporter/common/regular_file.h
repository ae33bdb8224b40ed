// regular_file.h: files that somebody else writes while we run: configurations, passwords, lists of
// targets, masks, saved state.
//
// A path may become a pipe, a device or a file without an end; none of them may hold up the program
// or fill its memory. Kernel interfaces (/proc, /sys) are read by files.h.
// Threads: pure but for the file.
#pragma once

#include <cstddef>
#include <string>

#include "exporter/common/result.h"

namespace limpet {

// The most bytes of a file that a person or a tool of ours writes.
inline constexpr std::size_t kMaxRegularFileBytes = std::size_t{64} << 20U;

// The whole file. Errors: kNotFound and kPermission with the system's text, kTooLarge when it is
// over `max_bytes`, kInvalid when it is no regular file. Never waits for a writer.
[[nodiscard]] Result<std::string> ReadRegularFile(const std::string& path,
                                                  std::size_t max_bytes = kMaxRegularFileBytes);

}  // namespace limpet
