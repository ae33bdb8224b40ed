// step_table.h: how soon each fault is named at every step between readings, and that nobody
// healthy is: a striped cluster of six servers read by limpet-exporter and by node_exporter, and
// hours of healthy hosts.
//
// Threads: functions are pure; any number may run at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "tests/accuracy/scenarios.h"

namespace limpet::accuracy {

// `seeds` runs of each fault, step, exporter and source (pages, or a store that is read with its
// usual lag); judged as the program does at that step. The time is the one from the fault to the
// moment at which the verdict is told: a page of Prometheus' comes later by what docs/playbooks.md
// says.
[[nodiscard]] std::string StepTable(const ScenarioSpec& spec, const Progress& progress);

// Of indictments without a break, by the most that the shipped alerts tell of each.
struct Alarm {
  std::size_t pages = 0;
  std::size_t warnings = 0;
  std::size_t indications = 0;  // neither: on the live page only
};
struct HealthyHours {
  double server_hours = 0;
  std::size_t singled_out = 0;  // times that the simulation gave one drive more to do than others
  Alarm all;
  std::map<std::array<std::string, 3>, Alarm> alarms;  // by cause, what made it, time scale
  std::map<std::string, std::size_t> others;           // other alerts that fired, by name
};
// Hosts of 12 drives under loads that swing; with cron jobs, backups, bursts on single drives and
// reboots.
[[nodiscard]] HealthyHours WatchHealthyHosts(std::int64_t step, std::int64_t hours,
                                             std::uint64_t seed);
// Eight hosts for `days`, `seeds` times, at steps of 15, 30 and 60 s.
[[nodiscard]] std::string HealthyTable(const ScenarioSpec& spec, const Progress& progress);

}  // namespace limpet::accuracy
