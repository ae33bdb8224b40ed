// byte_count.h: sizes as configurations have them.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace limpet {

// "32MiB", "1GiB", "500000"; nullopt for anything else, and over 1 TiB.
[[nodiscard]] std::optional<std::size_t> ParseByteCount(std::string_view text);

}  // namespace limpet
