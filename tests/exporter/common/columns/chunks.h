// chunks.h: chunks and their samples, for tests.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "exporter/common/columns/chunk.h"
#include "exporter/common/columns/chunk_reader.h"

namespace limpet::columns::testing {

// Values as their bits: a NaN is equal to itself, and -0 not to 0.
using PlainSample = std::tuple<std::int64_t, std::string, std::uint64_t>;

inline PlainSample Plain(UnixTime at, const std::string& series, double value) {
  return {at.time_since_epoch().count(), series, std::bit_cast<std::uint64_t>(value)};
}

// In the order of rows and columns.
inline std::vector<PlainSample> SamplesOf(const Chunk& chunk) {
  std::vector<PlainSample> samples;
  for (std::size_t row = 0; row < chunk.times.size(); ++row) {
    for (std::size_t column = 0; column < chunk.columns.size(); ++column) {
      if (chunk.Has(column, row)) {
        samples.push_back(Plain(chunk.times[row], chunk.table->At(column), chunk.At(column, row)));
      }
    }
  }
  return samples;
}

// Of whole chunks with headers.
inline std::vector<PlainSample> ReadAll(const std::string& bytes) {
  ChunkReader reader;
  reader.Feed(bytes);
  std::vector<PlainSample> samples;
  Chunk chunk;
  for (auto next = reader.Next(chunk); next && *next; next = reader.Next(chunk)) {
    for (auto& sample : SamplesOf(chunk)) {
      samples.push_back(std::move(sample));
    }
  }
  return samples;
}

}  // namespace limpet::columns::testing
