// regular_file.h: small files that somebody else writes while we run: lists of targets, masks.
//
// A path may become a pipe, a device or a file without an end; none of them may hold up or fill the
// diagnoser. Threads: pure but for the file.
#pragma once

#include <cstddef>
#include <string>

#include "exporter/common/result.h"

namespace limpet {

// The whole file. Errors: kNotFound and kPermission with the system's text, kTooLarge when it is
// over `max_bytes`, kInvalid when it is no regular file. Never waits for a writer.
[[nodiscard]] Result<std::string> ReadRegularFile(const std::string& path, std::size_t max_bytes);

}  // namespace limpet
