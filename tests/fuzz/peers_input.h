// peers_input.h: a fuzzer's bytes as the samples of a peer group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "diagnoser/series/sample_set.h"
#include "tests/support/slow_peers.h"

namespace limpet::testing {

struct PeersInput {
  std::uint8_t choice = 0;  // the first byte, for whatever varies
  SlowSamples samples;      // 3 to 66 components of 1 to 64 samples
};

// Byte 1: components; byte 2: samples of most; then a byte a sample, over again when they run out.
// A component whose first byte is a multiple of 5 has fewer samples.
inline PeersInput ReadPeers(const std::uint8_t* data, std::size_t size) {
  PeersInput input;
  if (size < 4) {
    return input;
  }
  input.choice = data[0];
  const std::size_t n = 3U + data[1] % 64U;
  const std::size_t most = 1U + data[2] % 64U;
  std::size_t at = 3;
  const auto next = [&] {
    at = at + 1 < size ? at + 1 : 3;
    return data[at];
  };
  for (std::size_t i = 0; i < n; ++i) {
    const auto first = next();
    const std::size_t count = first % 5 == 0 ? 1 + (most - 1) * (first / 5U) / 51U : most;
    auto& own = input.samples.emplace_back();
    for (std::size_t k = 0; k < count; ++k) {
      own.push_back(static_cast<double>(next()) + first / 8.0 + static_cast<double>(i % 3));
    }
  }
  return input;
}

inline SampleSet SetOf(const SlowSamples& samples) {
  SampleSet set;
  for (const auto& own : samples) {
    set.Add(own);
  }
  return set;
}

}  // namespace limpet::testing
