// state_history.h: the history in a diagnoser's state folder, opened beside the one that runs.
//
// Threads: from main.
#pragma once

#include <string>

#include "diagnoser/incidents/store.h"

namespace limpet {

// Errors say what to do: which folder, whose permission.
[[nodiscard]] Result<IncidentStore> OpenStateHistory(const std::string& folder,
                                                     Database::Access access);

}  // namespace limpet
