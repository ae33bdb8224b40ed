// metrics_page.h: docs/metrics.md, written from the catalogue.
#pragma once

#include <string>

namespace limpet::testing {

[[nodiscard]] std::string MetricsPage();

}  // namespace limpet::testing
