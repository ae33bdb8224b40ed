// endings.h: what follows the end of a fault ([Kasick10 §8]: 120 s without, 300 s with it, 180 s
// after it).
//
// Unit:    seconds.
// Threads: as RunMatrix.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tests/accuracy/one_run.h"
#include "tests/accuracy/scenarios.h"

namespace limpet::accuracy {

struct Ending {
  std::vector<double> last;  // from the fault's end to the last verdict on its server, ascending;
                             // 0: there was none afterwards. Runs that named it alone
  std::size_t kept = 0;      // runs with a verdict on it in the last 40 s of the run
  std::size_t healthy = 0;   // runs in which another server was indicted after the end
};
// Of the runs with a fault, as one preset sees them.
[[nodiscard]] Ending EndingOf(std::span<const RunResult> runs, const std::string& preset);

// "median, latest s; healthy servers indicted", and the runs that keep the name.
[[nodiscard]] std::string EndingCell(const Ending& ending);

// A row a fault; the shipped configuration and the papers' presets.
[[nodiscard]] std::string EndingTable(const ScenarioSpec& spec, const Progress& progress);

}  // namespace limpet::accuracy
