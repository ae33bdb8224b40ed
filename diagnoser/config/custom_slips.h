// custom_slips.h: metrics of the configuration that read series no target has.
//
// Threads: pure.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "diagnoser/custom/metric.h"

namespace limpet {

// A text for each series that none of the pages has; `names`: all series that they do have.
[[nodiscard]] std::vector<std::string> FindCustomSlips(std::span<const CustomMetric> metrics,
                                                       const std::set<std::string>& names);

}  // namespace limpet
