// codec.h: the pipeline's memory as bytes and back; the format is described in format.md.
//
// Reading is bounded and gives up part by part: what is damaged, or of another configuration, is
// left out and said so; the rest is used.
// Threads: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/pipeline/pipeline.h"
#include "exporter/common/result.h"

namespace limpet {

inline constexpr std::uint32_t kStateVersion = 1;

// `config` is the one that the state came from.
[[nodiscard]] std::string EncodeState(const PipelineState& state, const PipelineConfig& config);

struct DecodedState {
  PipelineState state;
  std::vector<std::string> left_out;  // one text a part: which, and why
};

// An error when it is no state file or of another version.
[[nodiscard]] Result<DecodedState> DecodeState(std::string_view bytes,
                                               const PipelineConfig& config);

}  // namespace limpet
