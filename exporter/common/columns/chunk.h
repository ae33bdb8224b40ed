// chunk.h: a minute or so of a recording as columns: what ChunkEncoder writes and ChunkDecoder
// reads (format.md).
//
// Threads: a value; the table is shared and does not change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/columns/series_table.h"
#include "exporter/common/time.h"

namespace limpet::columns {

// Rows times columns of a chunk: what a reader holds in memory, 16 MiB.
inline constexpr std::size_t kMaxValues = std::size_t{1} << 21U;
// The most bytes of an encoded chunk.
inline constexpr std::size_t kMaxChunkBytes = std::size_t{32} << 20U;

// One bit a row, the first row lowest in the first byte.
using RowBits = std::string;
[[nodiscard]] inline bool IsSet(std::string_view bits, std::size_t row) {
  const unsigned byte = static_cast<unsigned char>(bits[row / 8]);
  return (byte >> (row % 8) & 1U) != 0;
}
inline void Set(RowBits& bits, std::size_t row) {
  bits[row / 8] = static_cast<char>(static_cast<unsigned char>(bits[row / 8]) | 1U << (row % 8));
}
[[nodiscard]] constexpr std::size_t BytesOfBits(std::size_t rows) { return (rows + 7) / 8; }

struct Chunk {
  enum class Presence : std::uint8_t { kAll, kNone, kSome };  // in which rows a series is
  struct Column {
    Presence presence = Presence::kAll;
    std::uint32_t rows = 0;  // of kSome: number of the bits that say which
  };
  // A line of text that stands before the sample of a column in a row, or, with a row more than
  // there are, at the end: HELP, TYPE, UNIT, EOF.
  struct Comment {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    std::string line;

    bool operator==(const Comment&) const = default;
  };

  std::shared_ptr<const SeriesTable> table;  // may have grown since: columns.size() count
  std::vector<UnixTime> times;               // of the rows
  std::vector<Column> columns;
  std::vector<double> values;  // one column after the other, with room for every row
  std::vector<RowBits> bits;
  std::vector<Comment> comments;  // in the order of rows and columns

  [[nodiscard]] bool Has(std::size_t column, std::size_t row) const {
    const auto& one = columns[column];
    return one.presence == Presence::kAll ||
           (one.presence == Presence::kSome && IsSet(bits[one.rows], row));
  }
  [[nodiscard]] double At(std::size_t column, std::size_t row) const {
    return values[column * times.size() + row];
  }
};

// Some rows of a chunk, for whoever reads them on.
struct ChunkRows {
  std::shared_ptr<const Chunk> chunk;  // null: none
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Flags of a column in a chunk: the first byte of its heading.
inline constexpr unsigned kPresenceBits = 0x03;  // Chunk::Presence
inline constexpr unsigned kContinues = 0x04;     // from its last value in the chunk before
inline constexpr unsigned kRaw = 0x08;           // doubles, bit by bit; else decimals
inline constexpr unsigned kMovesBits = 0x30;     // Moves
inline constexpr unsigned kMovesShift = 4;
enum class Moves : std::uint8_t { kNever, kAlways, kSometimes };

inline constexpr unsigned kBeginsAnew = 0x01;  // flag of a chunk: it needs none before it

}  // namespace limpet::columns
