// negotiate.h: what a client may be given, from its Accept and Accept-Encoding headers, and what a
// server gave us, from its Content-Type (RFC 9110 §8.3, §12.5).
//
// Threads: pure.
#pragma once

#include <optional>
#include <string_view>

#include "exporter/common/exposition/format.h"

namespace limpet {

struct Negotiated {
  Format format = Format::kText;
  bool gzip = false;
};

// OpenMetrics only for a client that names it (version 1.0.0 or none) and likes it no less than
// text; between equals the one named first. A client that likes neither gets text all the same: it
// can still be read by a person. gzip when it is allowed and identity is not preferred.
// Headers that are empty or absent mean text, uncompressed.
[[nodiscard]] Negotiated Negotiate(std::string_view accept, std::string_view accept_encoding);

// nullopt for what is neither (text/html, protobuf, an empty header).
[[nodiscard]] std::optional<Format> ParseContentType(std::string_view content_type);

// The header that our own scraper sends.
inline constexpr std::string_view kAcceptBoth =
    "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";

}  // namespace limpet
