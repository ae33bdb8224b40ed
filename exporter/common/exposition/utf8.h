// utf8.h: is this text UTF-8 (RFC 3629: no surrogates, no overlong forms, at most U+10FFFF)?
//
// Threads: pure.
#pragma once

#include <string_view>

namespace limpet {

[[nodiscard]] bool IsUtf8(std::string_view text);

}  // namespace limpet
