// chunk_reader.h: the bytes of a recording in columns as they come → its chunks.
//
// Memory: what was fed and not yet read, at most one chunk and its header (32 MiB).
// Threads: one object, one thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "exporter/common/columns/chunk.h"
#include "exporter/common/columns/chunk_decoder.h"
#include "exporter/common/result.h"

namespace limpet::columns {

class ChunkReader {
 public:
  void Feed(std::string_view bytes);
  // The next chunk into `chunk`, which is overwritten; false: feed more. After an error nothing can
  // be read; kInternal: of a later version. A chunk that continues one that is missing is left out
  // and counted.
  [[nodiscard]] Result<bool> Next(Chunk& chunk);
  // Everything that was fed was read.
  [[nodiscard]] bool Whole() const { return at_ == bytes_.size(); }
  [[nodiscard]] std::size_t LeftOut() const { return left_out_; }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
  ChunkDecoder decoder_;
  std::size_t left_out_ = 0;
};

}  // namespace limpet::columns
