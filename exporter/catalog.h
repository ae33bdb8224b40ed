// catalog.h: every metric of both programs.
//
// The collectors bring their own rows (collectors/all.cc), the sampler and the diagnoser theirs.
// docs/metrics.md is generated from all of them (target refresh_metrics_doc, tests/docs).
// Threads: constants.
#pragma once

#include <span>
#include <string_view>

#include "exporter/common/exposition/sample.h"

namespace limpet {

// The subject of some metrics, and the program that shows them.
struct CatalogSection {
  std::string_view title;
  std::string_view program;
  std::span<const MetricInfo* const> metrics;
  std::string_view collector = {};  // whose they are; empty: nobody's
};

[[nodiscard]] std::span<const CatalogSection> CatalogSections();

// All sections in one.
[[nodiscard]] std::span<const MetricInfo* const> AllMetrics();

}  // namespace limpet
