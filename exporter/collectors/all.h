// all.h: the collectors of the exporter; all.cc has the list.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "exporter/collectors/collector.h"
#include "exporter/collectors/module.h"
#include "exporter/common/result.h"
#include "exporter/common/yaml.h"

namespace limpet {

// Returns them in the order of the page.
[[nodiscard]] std::span<const CollectorModule* const> AllCollectors();

// A collector that is switched on, with its settings.
struct ChosenCollector {
  const CollectorModule* module = nullptr;
  CollectorFactory make;
};

// Returns what stands below `collectors:`. What is wrong goes to the reader's problems.
[[nodiscard]] std::vector<ChosenCollector> ReadCollectors(yaml::MapReader map);

// Stops at the first that cannot be made, with "disk.include" and the like as `where`.
[[nodiscard]] Result<std::vector<std::unique_ptr<Collector>>> MakeCollectors(
    const std::vector<ChosenCollector>& chosen, const CollectorInputs& inputs);

}  // namespace limpet
