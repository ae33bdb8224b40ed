// playbooks_text.h: docs/playbooks.md, compiled in (playbooks_text.cc.in).
//
// Threads: a constant.
#pragma once

#include <string_view>

namespace limpet {

[[nodiscard]] std::string_view PlaybooksText();

}  // namespace limpet
