// masks.h: the file of components in maintenance: one "node" or "node/device" a line.
//
//   # rack r4 is being moved
//   io07
//   io08/sdc      until Tuesday's disk swap     <- refused: a comment begins with #
//
// Empty lines and what follows a # are skipped.
// Threads: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/result.h"

namespace limpet {

inline constexpr std::size_t kMaxMasks = 200'000;

// `file` is the name in messages; a bad line is an error as a whole ("masked.txt:3: …").
[[nodiscard]] Result<std::vector<std::string>> ParseMasks(std::string_view text,
                                                          const std::string& file);

}  // namespace limpet
