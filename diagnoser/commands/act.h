// act.h: `act`: runs the programs of `actions` that the diagnoser has ordered.
//
// A process of its own, with a service of its own: the diagnoser, which speaks to the network, can
// start no program. What is run stands in the configuration, never in the history.
// Threads: from main.
#pragma once

#include <string>
#include <vector>

#include "diagnoser/commands/common_flags.h"
#include "diagnoser/incidents/store.h"
#include "exporter/common/log.h"
#include "exporter/common/service.h"

namespace limpet {

struct ActOptions {
  std::string config_file = kDefaultConfigFile;
  std::string state_folder = kDefaultStateFolder;
  bool once = false;  // do what is ordered now, then end

  void Bind(Flags& flags);
};

// The exit code: 0 ok, 2 the configuration cannot be used or arms nothing.
[[nodiscard]] int RunAct(const ActOptions& options, Signals& signals);

// Runs what is ordered; how many programs that were.
[[nodiscard]] Result<std::size_t> RunOrdered(IncidentStore& store, const ActionSettings& settings,
                                             const Clock& clock, const LogSink& log);

}  // namespace limpet
