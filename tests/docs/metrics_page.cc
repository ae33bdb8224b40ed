#include "tests/docs/metrics_page.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "diagnoser/metrics/catalog.h"
#include "exporter/catalog.h"
#include "exporter/common/exposition/catalog/process.h"

namespace limpet::testing {
namespace {

constexpr std::string_view kIntroduction =
    R"(# Metrics

Generated from the rows that each collector, the sampler and the diagnoser have of their own; after a change there run `cmake --build
--preset dev --target refresh_metrics_doc`.

Every name begins with `limpet_`, but for the `process_*` that every program has; labels stand in braces, a unit that the name does not tell in
parentheses. A name that ends in `_total` is a counter, a histogram says so, all others are gauges, of the last sampling interval. Counters
never fall but for a reboot or a device plugged in again; their names and labels equal node_exporter's after its own prefix `node_`, or
node_exporter's name stands behind, so `--compat.node-exporter-names` can stand in for it. A value that is not known is left out of the page,
never 0.
)";

std::string Code(std::string_view text) {
  return text.empty() ? std::string() : "`" + std::string(text) + "`";
}

// Whether a word between the underscores of `name` is the unit.
bool TellsUnit(std::string_view name, std::string unit) {
  std::ranges::replace(unit, ' ', '_');
  return ("_" + std::string(name) + "_").find("_" + unit + "_") != std::string::npos;
}

// Name with labels, then what the name does not tell: `limpet_disk_io_now{device}` (requests).
std::string NameCell(const MetricInfo& info) {
  std::string name = (catalog::IsStandard(info) ? "" : "limpet_") + std::string(info.name);
  if (!info.labels.empty()) {
    name += "{" + std::string(info.labels) + "}";
  }
  std::string told = info.type == MetricType::kHistogram ? "histogram" : "";
  if (!info.unit.empty() && !TellsUnit(info.name, std::string(info.unit))) {
    told += (told.empty() ? "" : ", ") + std::string(info.unit);
  }
  return Code(name) + (told.empty() ? "" : " (" + told + ")");
}

// Ends with node_exporter's name where that is another one.
std::string Row(const MetricInfo& info) {
  std::string row = "* " + NameCell(info) + ": " + std::string(info.help);
  if (!info.node_exporter_name.empty()) {
    row += " (" + Code("node_" + std::string(info.node_exporter_name)) + ")";
  }
  return row + "\n";
}

// Where the metrics of a collector are switched off.
std::string Switch(const CatalogSection& section) {
  return section.collector.empty()
             ? std::string()
             : "Key: " + Code("collectors." + std::string(section.collector)) + ".\n\n";
}

constexpr std::string_view kCompared = R"(
## Metrics that are compared

What peers are compared by, from `diagnoser/metrics/catalog.h`. Labels `metric="…"` of the diagnoser's page and the API have the first name; events,
thresholds, presets and state files keep the second, which is that of the papers. `limpet-diagnoser top --metric` and
`/api/v1/persistent?metric=` take both. Values in events are in the first unit.

)";

// `queue_length` (`avgqu-sz`, disk): requests in flight, in requests.
std::string ComparedRow(const MetricRow& row) {
  std::string text = "* " + Code(row.label) + " (" +
                     (row.label == row.name ? "" : Code(row.name) + ", ") +
                     std::string(KindRow(row.entity).name) + "): " + std::string(row.text) +
                     ", in " + std::string(row.unit);
  if (!row.api.unit.empty()) {
    text += "; in the API " + std::string(row.api.unit);
  }
  return text + "\n";
}

std::string Compared() {
  std::string text(kCompared);
  for (const auto some : MetricTable()) {
    for (const auto& row : some) {
      text += ComparedRow(row);
    }
  }
  return text;
}

}  // namespace

std::string MetricsPage() {
  std::string page(kIntroduction);
  std::string_view program;
  for (const auto& section : CatalogSections()) {
    if (section.program != program) {
      program = section.program;
      page += "\n## " + Code(program) + "\n";
    }
    page += "\n### " + std::string(section.title) + "\n\n" + Switch(section);
    for (const auto* info : section.metrics) {
      page += Row(*info);
    }
  }
  return page + Compared();
}

}  // namespace limpet::testing
