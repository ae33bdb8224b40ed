// codec.h: the pipeline's memory as bytes and back; the format is described in format.md.
//
// Reading is bounded and gives up part by part: what is damaged is ignored and said so, the rest is
// used.
// Threads: pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/evidence/config.h"
#include "diagnoser/pipeline/state.h"
#include "diagnoser/state/migrate.h"
#include "exporter/common/result.h"

namespace limpet {

inline constexpr std::uint32_t kStateVersion = 1;

// `config` is the one that the state came from.
[[nodiscard]] std::string EncodeState(const PipelineState& state, const PipelineConfig& config);

struct ParsedState {
  StoredState saved;
  std::vector<std::string> ignored;  // one text a part, for the operator: which, and why
};

// Returns what is in the bytes, whatever configuration it came from. Of the
// counters at most `limits.max_state_bins` bins are read, and no more of one node than it may have.
// An error when it is no state file or of another version.
[[nodiscard]] Result<ParsedState> ParseState(std::string_view bytes, const PipelineLimits& limits);

// The same, migrated to `config`.
[[nodiscard]] Result<MigratedState> DecodeState(std::string_view bytes,
                                                const PipelineConfig& config);

}  // namespace limpet
