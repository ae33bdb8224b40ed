#include "exporter/catalog.h"

#include <vector>

#include "exporter/collectors/all.h"
#include "exporter/common/exposition/catalog/diagnoser.h"
#include "exporter/common/exposition/catalog/federation.h"
#include "exporter/common/exposition/catalog/incidents.h"
#include "exporter/common/exposition/catalog/verdicts.h"
#include "exporter/probe/catalog.h"
#include "exporter/record/catalog.h"
#include "exporter/sampler/catalog.h"

namespace limpet {
namespace {

constexpr std::string_view kExporter = "limpet-exporter";
constexpr std::string_view kDiagnoser = "limpet-diagnoser";

std::vector<CatalogSection> MakeSections() {
  std::vector<CatalogSection> sections;
  for (const auto* module : AllCollectors()) {
    sections.push_back({module->title, kExporter, module->metrics, module->name});
  }
  // No collector of its own: the sampler and the reload put them onto every page.
  sections.push_back({"Sampling", kExporter, catalog::kSampler});
  sections.push_back({"Recording", kExporter, catalog::kRecorder});
  sections.push_back({"Probes of disks", kExporter, catalog::kProbe});
  sections.push_back({"Verdicts", kDiagnoser, catalog::kVerdicts});
  sections.push_back({"Incidents", kDiagnoser, catalog::kIncidents});
  sections.push_back({"Federation", kDiagnoser, catalog::kFederation});
  sections.push_back({"Behaviour profiles of whole nodes", kDiagnoser, catalog::kProfiles});
  sections.push_back({"Metrics of the configuration", kDiagnoser, catalog::kCustomMetrics});
  sections.push_back({"The diagnoser itself", kDiagnoser, catalog::kDiagnoserSelf});
  return sections;
}

std::vector<const MetricInfo*> MakeAll() {
  std::vector<const MetricInfo*> all;
  for (const auto& section : CatalogSections()) {
    all.insert(all.end(), section.metrics.begin(), section.metrics.end());
  }
  return all;
}

}  // namespace

std::span<const CatalogSection> CatalogSections() {
  // Made once, at the first call, out of constants that are there before any code runs.
  static const auto kSections = MakeSections();
  return kSections;
}

std::span<const MetricInfo* const> AllMetrics() {
  static const auto kAll = MakeAll();
  return kAll;
}

}  // namespace limpet
