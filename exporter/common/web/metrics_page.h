// metrics_page.h: the answer to a scrape: the page in the format and encoding that the client asked
// for, with the fields that say so.
//
// Vary tells caches between us and Prometheus that the answer depends on both fields: without it a
// browser's plain text could be handed to a scraper that wants OpenMetrics.
// Threads: pure, as far as `page` is.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "exporter/common/exposition/format.h"
#include "exporter/common/web/http.h"

namespace limpet::web {

// The rendered page in one format, compressed or not; shared by all who ask for the same.
using PageSource = std::function<std::shared_ptr<const std::string>(Format format, bool gzip)>;

[[nodiscard]] Response MetricsResponse(const Request& request, const PageSource& page);

}  // namespace limpet::web
