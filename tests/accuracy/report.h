// report.h: tables of rates as Markdown, and one line a run for machines.
//
// Threads: pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/accuracy/one_run.h"

namespace limpet::accuracy {

// Rates of runs of one number of servers: a row a fault, with all presets side by side.
[[nodiscard]] std::string ByFault(const std::vector<RunResult>& runs,
                                  std::span<const std::string> presets);

// The same, a row a fault and workload.
[[nodiscard]] std::string ByWorkload(const std::vector<RunResult>& runs,
                                     std::span<const std::string> presets);

// "servers,workload,fault,preset,runs,itp,ifp,dtp,dfp" lines, what a short run is held against.
// Lines of `before` (such a file, may be empty) about other numbers of servers are kept.
[[nodiscard]] std::string Csv(const std::vector<RunResult>& runs,
                              std::span<const std::string> presets, std::string_view before);

// Where these runs did worse under `preset` than such a file says: what was always right there and
// is not here, what was never wrong there and is here. A line each.
[[nodiscard]] std::vector<std::string> WorseThan(std::string_view csv,
                                                 const std::vector<RunResult>& runs,
                                                 std::string_view preset);

// Misses and false indictments of one preset, a line each.
[[nodiscard]] std::string Mistakes(const std::vector<RunResult>& runs, std::string_view preset);

}  // namespace limpet::accuracy
