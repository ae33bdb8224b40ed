// chunk_encoder.h: chunks as bytes, each with what has changed since the one before.
//
// Threads: one object, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "exporter/common/columns/bytes.h"
#include "exporter/common/columns/chunk.h"

namespace limpet::columns {

class ChunkEncoder {
 public:
  // Returns the chunk without a header. `anew`: it can be read without the chunks before it; the
  // first one always. Otherwise its table must begin with that of the chunk before.
  [[nodiscard]] std::string Encode(const Chunk& chunk, bool anew);

 private:
  struct Body {
    std::vector<RowBits> bits;
    std::unordered_map<RowBits, std::uint32_t> bits_known;
    std::string headings;
    BitWriter payload;
  };

  void EncodeSeries(const SeriesTable& table, std::size_t count, std::string& out);
  void EncodeColumn(const Chunk& chunk, std::size_t column, Body& body);
  // Encodes numbers_, values_ and rows_. Returns how the column moves, for its heading.
  [[nodiscard]] Moves EncodeDecimals(std::optional<std::int64_t> before, unsigned decimals,
                                     std::size_t all_rows, Body& body);
  [[nodiscard]] Moves EncodeRaw(std::optional<double> before, Body& body) const;
  [[nodiscard]] static std::uint32_t FindOrAdd(const RowBits& bits, Body& body);

  std::vector<std::optional<double>> last_;  // value of each column so far
  std::uint64_t sequence_ = 0;               // of chunks since the latest that began anew
  bool begun_ = false;
  // Buffers of the column that is being encoded; kept for their memory.
  std::vector<double> values_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::int64_t> numbers_;
  std::vector<std::int64_t> moves_;
  std::vector<std::int64_t> moving_;  // those that are not 0
};

}  // namespace limpet::columns
