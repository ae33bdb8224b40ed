// playbooks.h: docs/playbooks.md as one HTML page, so that the link of an alert works where nobody
// has set up a wiki: /playbooks#limpetserverindicted.
//
// Threads: pure.
#pragma once

#include <string>
#include <string_view>

namespace limpet {

// Each "## Name" becomes a heading whose id is the name in lower case; the rest stays the text it
// is, escaped.
[[nodiscard]] std::string PlaybooksHtml(std::string_view markdown);

}  // namespace limpet
