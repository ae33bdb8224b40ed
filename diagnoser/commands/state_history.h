// state_history.h: the history in a diagnoser's state folder, opened beside the one that runs.
//
// Threads: from main.
#pragma once

#include <string>

#include "diagnoser/incidents/store.h"
#include "diagnoser/publish/history_totals.h"
#include "diagnoser/sources/recording_slice.h"

namespace limpet {

// Errors say what to do: which folder, whose permission.
[[nodiscard]] Result<IncidentStore> OpenStateHistory(const std::string& folder,
                                                     Database::Access access);

// The incidents of a range, without documents, of one node or (empty) of all. A range without an
// end lasts until `now`, or until the latest of them where a clock was set back.
[[nodiscard]] Result<HistorySpan> ReadHistory(const std::string& folder, const TimeRange& range,
                                              UnixTime now, const std::string& node = {});

}  // namespace limpet
