// format.h: the two text formats a metrics page comes in.
//
// Threads: values.
#pragma once

#include <string_view>

namespace limpet {

enum class Format {
  kText,         // Prometheus text 0.0.4: optional timestamps in integer milliseconds
  kOpenMetrics,  // OpenMetrics 1.0: optional timestamps in decimal seconds, ends with "# EOF"
};

// Returns what a server says a page is; Prometheus 3 refuses a scrape without it.
[[nodiscard]] constexpr std::string_view ContentType(Format format) {
  return format == Format::kText ? "text/plain; version=0.0.4; charset=utf-8"
                                 : "application/openmetrics-text; version=1.0.0; charset=utf-8";
}

}  // namespace limpet
