// step_table.h: how soon each fault is named at every step between readings, and that nobody
// healthy is: a striped cluster of six servers read by limpet-exporter and by node_exporter, and
// hours of healthy hosts.
//
// Threads: functions are pure; any number may run at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/accuracy/scenarios.h"

namespace limpet::accuracy {

// `seeds` runs of each fault, step, exporter and source (pages, or a store that is read with its
// usual lag); judged as the program does at that step. The time is the one from the fault to the
// moment at which the verdict is told: a page of Prometheus' comes later by what docs/playbooks.md
// says.
[[nodiscard]] std::string StepTable(const ScenarioSpec& spec, const Progress& progress);

struct HealthyHours {
  double server_hours = 0;
  std::size_t verdicts = 0;  // indictments
  std::size_t strong = 0;    // of these, with evidence of three times the peers' or more
  std::size_t lasting = 0;   // components with an accumulator of 10
};
// Hosts of 12 drives under loads that swing; with cron jobs, backups, bursts on single drives and
// reboots.
[[nodiscard]] HealthyHours WatchHealthyHosts(std::int64_t step, std::int64_t hours,
                                             std::uint64_t seed);
// Eight hosts for ten days, `seeds` times, at steps of 15, 30 and 60 s.
[[nodiscard]] std::string HealthyTable(const ScenarioSpec& spec, const Progress& progress);

}  // namespace limpet::accuracy
