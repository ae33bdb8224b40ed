// documents.h: files of docs/ that the program serves, compiled in (documents.cc.in).
//
// Threads: constants.
#pragma once

#include <string_view>

namespace limpet {

[[nodiscard]] std::string_view PlaybooksText();  // docs/playbooks.md
[[nodiscard]] std::string_view OpenApiText();    // docs/openapi.yaml

}  // namespace limpet
