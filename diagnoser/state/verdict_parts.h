// verdict_parts.h: the parts of a state file that say how components and verdicts stood
// (format.md), read: episodes, onsets, first readings, incidents that are open, beginnings of
// verdicts.
//
// All return false when the bytes make no sense; then `to` is as before.
// Threads: pure. What is read is bounded by the bytes and by `limits`.
#pragma once

#include "diagnoser/evidence/config.h"
#include "diagnoser/pipeline/state.h"
#include "diagnoser/state/bytes.h"

namespace limpet {

// These two join the components that `to` has already; what is of others is passed over.
[[nodiscard]] bool ReadEpisodes(ByteReader in, PipelineState& to);
[[nodiscard]] bool ReadOnsets(ByteReader in, PipelineState& to);

[[nodiscard]] bool ReadFirstSeen(ByteReader in, const PipelineLimits& limits, PipelineState& to);
[[nodiscard]] bool ReadIncidents(ByteReader in, const PipelineLimits& limits, PipelineState& to);
[[nodiscard]] bool ReadBeginnings(ByteReader in, const PipelineLimits& limits, PipelineState& to);

}  // namespace limpet
