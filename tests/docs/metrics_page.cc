#include "tests/docs/metrics_page.h"

#include <string_view>

#include "diagnoser/metrics/catalog.h"
#include "exporter/catalog.h"
#include "exporter/common/exposition/catalog/process.h"

namespace limpet::testing {
namespace {

constexpr std::string_view kIntroduction =
    R"(# Metrics

Generated from the rows that each collector, the sampler and the diagnoser have of their own; after a
change there run `cmake --build --preset dev --target refresh_metrics_doc`.

Every name begins with `limpet_`, but for the `process_*` that every program has. Counters never fall but
for a reboot or a device plugged in again; their names and labels equal node_exporter's after its own
prefix `node_`, or the column *node_exporter* names the other one, so `--compat.node-exporter-names` can
stand in for it. Gauges are of the last sampling interval. A value that is not known is left out of the
page, never 0.
)";

std::string Code(std::string_view text) {
  return text.empty() ? std::string() : "`" + std::string(text) + "`";
}

// `device,op` as `device`, `op`.
std::string Labels(std::string_view labels) {
  std::string shown;
  while (!labels.empty()) {
    const auto length = labels.find(',');
    shown += (shown.empty() ? "" : ", ") + Code(labels.substr(0, length));
    labels.remove_prefix(length == std::string_view::npos ? labels.size() : length + 1);
  }
  return shown;
}

std::string Row(const MetricInfo& info, bool other_names) {
  std::string row =
      "| " + Code((catalog::IsStandard(info) ? "" : "limpet_") + std::string(info.name)) + " | ";
  row += info.type == MetricType::kCounter     ? "counter"
         : info.type == MetricType::kHistogram ? "histogram"
                                               : "gauge";
  row += " | " + std::string(info.unit) + " | " + Labels(info.labels) + " | ";
  for (const char c : info.help) {
    row += c == '|' ? std::string("\\|") : std::string(1, c);
  }
  if (other_names) {
    row += " | ";
    row += info.node_exporter_name.empty() ? std::string()
                                           : Code("node_" + std::string(info.node_exporter_name));
  }
  return row + " |\n";
}

// Where the metrics of a collector are switched off.
std::string Switch(const CatalogSection& section) {
  return section.collector.empty()
             ? std::string()
             : "Key in the configuration: " + Code("collectors." + std::string(section.collector)) +
                   ".\n\n";
}

constexpr std::string_view kCompared = R"(
## Metrics that are compared

What peers are compared by, from `diagnoser/metrics/catalog.h`. Labels `metric="…"` of the diagnoser's page and the API have the
first name; events, thresholds, presets and state files keep the second, which is that of the papers. `limpet-diagnoser top
--metric` and `/api/v1/persistent?metric=` take both. Values in events are in the first unit, those of the API in the second
where there is one.

| label | in events | of | what it is | unit | in the API |
|---|---|---|---|---|---|
)";

std::string ComparedRow(const MetricRow& row) {
  std::string text = "| " + Code(row.label) + " | " + Code(row.name) + " | ";
  text += KindRow(row.entity).name;
  text += " | " + std::string(row.text) + " | " + std::string(row.unit);
  text += " | " + std::string(row.api.unit);
  return text + " |\n";
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
    bool other_names = false;
    for (const auto* info : section.metrics) {
      other_names = other_names || !info->node_exporter_name.empty();
    }
    page += "\n### " + std::string(section.title) + "\n\n" + Switch(section) +
            "| metric | type | unit | labels | what it is |";
    page +=
        other_names ? " node_exporter |\n|---|---|---|---|---|---|\n" : "\n|---|---|---|---|---|\n";
    for (const auto* info : section.metrics) {
      page += Row(*info, other_names);
    }
  }
  return page + Compared();
}

}  // namespace limpet::testing
