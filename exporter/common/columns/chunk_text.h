// chunk_text.h: a chunk of columns as lines of OpenMetrics text.
//
// The same lines that a recording in text has: the shortest numbers that read back as the values,
// times in Unix seconds with three decimals (nine where a time is no whole millisecond).
// Threads: one object, one thread.
#pragma once

#include <cstddef>
#include <string>

#include "exporter/common/columns/chunk.h"

namespace limpet::columns {

class ChunkText {
 public:
  // Begins with a chunk, which must live until it is Done.
  void Begin(const Chunk& chunk) { Begin(chunk, 0, chunk.times.size()); }
  // Begins with some of its rows.
  void Begin(const Chunk& chunk, std::size_t begin, std::size_t end);
  [[nodiscard]] bool IsDone() const { return chunk_ == nullptr; }
  // Appends whole lines, at least one, until there are about `size` bytes more or it is done.
  void Append(std::string& out, std::size_t size);

 private:
  void AppendComments(std::string& out);

  const Chunk* chunk_ = nullptr;
  std::size_t row_ = 0;
  std::size_t end_ = 0;  // of the rows
  std::size_t column_ = 0;
  std::size_t comment_ = 0;
  std::string stamp_;  // of the row, with a blank before it and a newline behind
};

}  // namespace limpet::columns
