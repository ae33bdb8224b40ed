// scenarios.h: what sites have and the papers' testbeds had not: unequal placement of files, two
// faults at once.
//
// Threads: as RunMatrix.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "diagnoser/detect/preset.h"

namespace limpet::accuracy {

struct ScenarioSpec {
  std::vector<PresetSettings> presets;  // one and its time scales
  PresetSettings at_15s = {};           // the same where targets are scraped every 15 s
  std::uint64_t seeds = 10;
  std::uint64_t first_seed = 1;  // of drives and healthy hosts, whose runs are long
  std::size_t servers = 6;
  std::size_t threads = 2;
  std::int64_t days = 10;  // of healthy hosts
  std::size_t part = 0;    // the only step, or kind of drives, by its place from 1 on; 0: all

  [[nodiscard]] bool Wants(std::size_t place) const { return part == 0 || part == place + 1; }
};

// One line a kind of run: how often healthy servers were indicted, and the faulty ones were named
// with their cause, how soon, and without a break until the fault's end.
// `progress`: runs done, of how many.
using Progress = std::function<void(std::size_t done, std::size_t all)>;
[[nodiscard]] std::string FaultTable(const ScenarioSpec& spec, const Progress& progress);
[[nodiscard]] std::string PlacementTable(const ScenarioSpec& spec, const Progress& progress);
[[nodiscard]] std::string PairTable(const ScenarioSpec& spec, const Progress& progress);
// A half and more of the servers with the same fault: 6 and 7 of 12, 2 of 4.
[[nodiscard]] std::string HalfTable(const ScenarioSpec& spec, const Progress& progress);
// Days without a fault: indictments that there were, and false alarms that were expected.
[[nodiscard]] std::string BudgetTable(const ScenarioSpec& spec, const Progress& progress);
// Circumstances: restarts, clocks, lost pages, faults that come and go.
[[nodiscard]] std::string CircumstanceTable(const ScenarioSpec& spec, const Progress& progress);

}  // namespace limpet::accuracy
