// catalog.h: every metric of both programs, from the rows in catalog/*.h.
//
// docs/metrics.md is generated from it (target refresh_metrics_doc, tests/docs).
// Threads: constants.
#pragma once

#include <span>
#include <string_view>

#include "exporter/common/exposition/sample.h"

namespace limpet {

// One file of rows: what the metrics are about, and which program shows them.
struct CatalogSection {
  std::string_view title;
  std::string_view program;
  std::span<const MetricInfo* const> metrics;
};

[[nodiscard]] std::span<const CatalogSection> CatalogSections();

// All sections in one.
[[nodiscard]] std::span<const MetricInfo* const> AllMetrics();

}  // namespace limpet
