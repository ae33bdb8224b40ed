// landing.h: the page at "/": what this is, its version, and where to go from here.
//
// One small HTML page without scripts or anything from elsewhere; all texts are escaped.
// Threads: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/web/http.h"

namespace limpet::web {

struct LandingLink {
  std::string address;  // "/metrics"
  std::string text;     // "Metrics"
  std::string help;     // may be empty
};

struct Landing {
  std::string name;         // "limpet-exporter"
  std::string description;  // one sentence
  std::string version;
  std::vector<LandingLink> links;
};

[[nodiscard]] std::string LandingPage(const Landing& landing);

// The page, built once.
[[nodiscard]] Handler LandingHandler(const Landing& landing);

// Escapes for HTML text and quoted attributes: & < > " '.
[[nodiscard]] std::string EscapeHtml(std::string_view text);

}  // namespace limpet::web
