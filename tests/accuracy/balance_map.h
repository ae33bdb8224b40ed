// balance_map.h: what byte balances say where the network explains the disks, and where it does
// not.
//
// Six servers by their rates (simulator/rates.h): shares of the traffic that are seen, loads,
// caches, amplification, bursts, and strangers of 10 to 100 MB/s among them.
// Threads: pure; runs are spread over `threads`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/accuracy/scenarios.h"
#include "tests/simulator/rates.h"

namespace limpet::accuracy {

struct BalanceCase {
  std::string kind;  // row of the table
  std::string what;  // the one run
  simulator::RateSpec rates;
  bool connections = false;  // the exporters list the file system's connections
  std::string cause = {};    // of the stranger, empty: nobody is sick
  std::size_t sick = 0;      // whose
};

struct BalanceOutcome {
  std::map<std::string, double> wrong;  // "io02 disk-hog (unsent fast)": the first second
  std::optional<double> delay;          // s, to the right name and cause
};

// `dense`: the whole map; otherwise a few of each kind.
[[nodiscard]] std::vector<BalanceCase> BalanceCases(bool dense, std::uint64_t seed);
[[nodiscard]] BalanceOutcome RunBalance(const BalanceCase& one,
                                        const std::vector<PresetSettings>& presets);
[[nodiscard]] std::string BalanceTable(const ScenarioSpec& spec, const Progress& progress);

}  // namespace limpet::accuracy
