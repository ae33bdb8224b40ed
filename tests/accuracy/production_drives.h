// production_drives.h: simulated drives at 15 s as production has them: hosts of 12, an open load,
// some drives slow for hours and others for half an hour, by how the source counts busy time.
//
// Threads: functions are pure; any number may run at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/accuracy/scenarios.h"
#include "tests/simulator/drives.h"

namespace limpet::accuracy {

struct FleetSpec {
  simulator::BusyTime busy_time = simulator::BusyTime::kKernel;
  // Requests in flight at a healthy drive, on average: from about 1 on, busy time is capped.
  double in_flight = 0.85;
  std::size_t hosts = 8;
  std::int64_t hours = 12;
  std::uint64_t seed = 1;
};

// Drives by what happened to them.
struct FleetResult {
  std::size_t sick = 0;
  std::size_t sick_named = 0;    // by any verdict
  std::size_t sick_lasting = 0;  // by an accumulator of 10
  std::size_t healthy = 0;
  std::size_t healthy_named = 0;
  std::size_t healthy_lasting = 0;
  std::size_t passing = 0;  // slow for half an hour
  std::size_t passing_named = 0;
  std::size_t passing_lasting = 0;
  std::vector<double> hours;  // of the lasting sick ones, from their slowness on
};

// One drive of each host but the first is 1.8 to 4 times slower from the second hour on; of the
// others one in 40 is 1.6 to 2.1 times slower once, for 20 to 50 minutes.
[[nodiscard]] FleetResult WatchFleet(const FleetSpec& spec,
                                     const std::vector<PresetSettings>& presets);

// `seeds` fleets of each kind.
[[nodiscard]] std::string FleetTable(const ScenarioSpec& spec, const Progress& progress);

}  // namespace limpet::accuracy
