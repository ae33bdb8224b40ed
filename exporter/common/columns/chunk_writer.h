// chunk_writer.h: samples in the order of their lines → chunks with their header.
//
//   if (!writer.Add(at, series, value)) { Append(writer.Finish(true)); … again }
//   Append(writer.Finish(is_the_one_before_in_the_file));
// Order:   samples come back in the order in which they were added; a row is as many as have one
//          time and come in the order of the columns.
// Memory:  16 bytes a sample until Finish, 4 MiB of them at most.
// Threads: one object, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/common/columns/chunk.h"
#include "exporter/common/columns/chunk_encoder.h"
#include "exporter/common/columns/series_table.h"
#include "exporter/common/time.h"

namespace limpet::columns {

class ChunkWriter {
 public:
  // `series` as on a line. False: the chunk is full, or the series too long.
  [[nodiscard]] bool Add(UnixTime at, std::string_view series, double value);
  // A line without its newline that stands before the next sample.
  [[nodiscard]] bool AddComment(std::string_view line);
  [[nodiscard]] bool IsEmpty() const { return cells_.empty() && pending_.empty(); }

  // The chunk, with a header, and begins another one. `continues`: what was finished before stands
  // before it in the same file; otherwise it begins anew. Nothing when there is nothing.
  [[nodiscard]] std::string Finish(bool continues);

 private:
  struct Row {
    UnixTime at;
    std::size_t begin = 0;  // in cells_
  };
  struct Cell {
    double value = 0;
    std::uint32_t column = 0;
  };

  [[nodiscard]] bool HasRoom() const;
  void DropUnused(const std::vector<bool>& used);
  [[nodiscard]] Chunk Transpose() const;

  SeriesIndex index_;
  ChunkEncoder encoder_;
  std::size_t since_anew_ = 0;  // chunks
  std::vector<Row> rows_;
  std::vector<Cell> cells_;
  std::vector<Chunk::Comment> comments_;
  std::vector<std::string> pending_;  // comments before the next sample
  std::size_t comment_bytes_ = 0;
};

}  // namespace limpet::columns
