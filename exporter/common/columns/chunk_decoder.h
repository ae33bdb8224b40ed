// chunk_decoder.h: chunks from bytes that anybody may have written.
//
// Memory: the series and one value of each so far, and what the chunk holds; every size is checked
//         against the bounds of chunk.h and series_table.h, and against what is left of the input,
//         before anything is allocated by it.
// Errors: what was expected. After one, only a chunk that begins anew can be read.
// Threads: one object, one thread. Tables of chunks that were handed out do not change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "exporter/common/columns/bytes.h"
#include "exporter/common/columns/chunk.h"
#include "exporter/common/result.h"

namespace limpet::columns {

class ChunkDecoder {
 public:
  // `chunk` is overwritten; handing in that of before saves its memory. kNotFound: it continues
  // one that was not decoded just before.
  [[nodiscard]] Result<void> Decode(std::string_view bytes, Chunk& chunk);

 private:
  // Headings and payload of a chunk while its columns are read one after the other.
  struct Body {
    ByteReader headings;
    BitReader payload;
  };

  // False where the bytes make no sense.
  [[nodiscard]] bool DecodeAll(ByteReader& bytes, Chunk& chunk);
  [[nodiscard]] bool DecodeSeries(ByteReader& bytes);
  [[nodiscard]] static bool DecodeComments(ByteReader& bytes, std::size_t columns, Chunk& chunk);
  [[nodiscard]] static bool DecodeBits(ByteReader& bytes, Chunk& chunk);
  [[nodiscard]] bool DecodeTimes(Body& body, Chunk& chunk);
  [[nodiscard]] bool DecodeColumn(Body& body, std::size_t column, Chunk& chunk);
  [[nodiscard]] bool DecodeDecimals(unsigned heading, std::optional<double> before, Body& body,
                                    const Chunk& chunk, std::size_t count);
  [[nodiscard]] bool DecodeMoves(unsigned heading, Body& body, const Chunk& chunk,
                                 std::size_t count, bool has_first);
  [[nodiscard]] bool DecodeRaw(unsigned heading, std::optional<double> before, Body& body,
                               std::size_t count);

  std::shared_ptr<SeriesTable> table_ = std::make_shared<SeriesTable>();
  bool handed_out_ = false;  // the table, which does not change any more
  std::vector<std::optional<double>> last_;
  std::optional<std::uint64_t> next_;  // in the sequence; nullopt: one that begins anew
  // Buffers of the column that is being decoded; kept for their memory.
  std::vector<std::uint32_t> rows_;
  std::vector<std::int64_t> numbers_;
  std::vector<double> values_;
};

}  // namespace limpet::columns
