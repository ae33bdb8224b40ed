#include "exporter/common/exposition/catalog.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "exporter/common/exposition/catalog/diagnoser.h"
#include "exporter/common/exposition/catalog/disk.h"
#include "exporter/common/exposition/catalog/host.h"
#include "exporter/common/exposition/catalog/net.h"
#include "exporter/common/exposition/catalog/netstat.h"
#include "exporter/common/exposition/catalog/sampler.h"
#include "exporter/common/exposition/catalog/self.h"
#include "exporter/common/exposition/catalog/tcp.h"

namespace limpet {
namespace {

constexpr std::string_view kExporter = "limpet-exporter";
constexpr std::string_view kDiagnoser = "limpet-diagnoser";

// A new file of rows gets its line here.
constexpr std::array kSections = {
    CatalogSection{"Disks", kExporter, catalog::kDisk},
    CatalogSection{"Network interfaces", kExporter, catalog::kNet},
    CatalogSection{"Network protocols", kExporter, catalog::kNetstat},
    CatalogSection{"TCP connections", kExporter, catalog::kTcp},
    CatalogSection{"Host", kExporter, catalog::kHost},
    CatalogSection{"Sampling", kExporter, catalog::kSampler},
    CatalogSection{"The exporter itself", kExporter, catalog::kSelf},
    CatalogSection{"Verdicts", kDiagnoser, catalog::kVerdicts},
    CatalogSection{"Behaviour profiles of whole nodes", kDiagnoser, catalog::kProfiles},
    CatalogSection{"The diagnoser itself", kDiagnoser, catalog::kDiagnoserSelf},
};

// All of it is made by the compiler: nothing to construct at the start, nothing to relocate.
constexpr std::size_t kCount = [] {
  std::size_t count = 0;
  for (const auto& section : kSections) {
    count += section.metrics.size();
  }
  return count;
}();

constexpr std::array<const MetricInfo*, kCount> kAll = [] {
  std::array<const MetricInfo*, kCount> all{};
  auto* out = all.begin();
  for (const auto& section : kSections) {
    out = std::copy(section.metrics.begin(), section.metrics.end(), out);
  }
  return all;
}();

}  // namespace

std::span<const CatalogSection> CatalogSections() { return kSections; }

std::span<const MetricInfo* const> AllMetrics() { return kAll; }

}  // namespace limpet
