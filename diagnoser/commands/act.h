// act.h: `act`: runs the programs of `actions` that the diagnoser has ordered.
//
// A process of its own, with a service of its own: the diagnoser, which speaks to the network, can
// start no program. What is run stands in the configuration, never in the history.
// Threads: from main.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "diagnoser/commands/common_flags.h"
#include "diagnoser/incidents/store.h"
#include "exporter/common/log.h"
#include "exporter/common/service.h"
#include "exporter/common/time.h"

namespace limpet {

struct ActOptions {
  std::string config_file = kDefaultConfigFile;
  std::string state_folder = kDefaultStateFolder;
  bool once = false;  // do what is ordered now, then end

  void Bind(Flags& flags);
};

// The exit code: 0 ok, 2 the configuration cannot be used or arms nothing.
[[nodiscard]] int RunAct(const ActOptions& options, Signals& signals);

// Runs what is ordered, and returns of servers that failed before: every ten minutes, for a day.
// Clock and log must outlive it.
class ActRunner {
 public:
  ActRunner(ActionSettings settings, const Clock& clock, const LogSink& log)
      : settings_(std::move(settings)), clock_(clock), log_(log) {}

  // Returns how many programs it has run.
  [[nodiscard]] Result<std::size_t> RunDue(IncidentStore& store);

 private:
  [[nodiscard]] Result<std::vector<Act>> Due(const IncidentStore& store);
  [[nodiscard]] Result<void> Run(const Act& act, IncidentStore& store);

  ActionSettings settings_;
  const Clock& clock_;
  const LogSink& log_;
  std::map<std::int64_t, SteadyTime> tried_;  // returns that failed, by number
  SteadyTime look_at_{};                      // when they are looked for again
  std::size_t run_ = 0;
};

}  // namespace limpet
