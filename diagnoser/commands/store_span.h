// store_span.h: what part of a store's past `replay --prometheus` reads.
//
// Threads: pure.
#pragma once

#include "diagnoser/commands/replay.h"
#include "diagnoser/config/config.h"
#include "diagnoser/runtime/store_replay.h"

namespace limpet {

// Returns how to authenticate stands in the configuration's section `prometheus`; the rest are
// flags. kInvalid: a flag is wrong, or its step is too long for a preset; `where` names the flag.
[[nodiscard]] Result<StoreSpan> ParseStoreSpan(const ReplayOptions& options,
                                               const DiagnoserConfig& config);

}  // namespace limpet
