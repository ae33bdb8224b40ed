// text_chunks.h: the lines of a recording in text → chunks of columns.
//
// Threads: one object, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "exporter/common/columns/chunk_writer.h"
#include "exporter/common/exposition/format.h"
#include "exporter/common/time.h"

namespace limpet::columns {

class TextChunks {
 public:
  // A chunk holds the samples of this long; more than there is room for make another one.
  explicit TextChunks(Duration length = std::chrono::minutes(1)) : length_(length) {}

  // Whole lines in, whole chunks out, maybe none.
  [[nodiscard]] std::string Convert(std::string_view lines, Format format);
  // Returns what is left.
  [[nodiscard]] std::string Finish();
  // The next chunk can be read without those before it, for they may be missing where it is put.
  void BeginAnew() { continues_ = false; }

  struct Counts {
    std::uint64_t samples = 0;
    std::uint64_t bad = 0;  // lines left out: no samples, without a time, or too long
  };
  [[nodiscard]] const Counts& Total() const { return total_; }

 private:
  void Add(UnixTime at, std::string_view series, double value, std::string& out);
  void Comment(std::string_view line, std::string& out);

  Duration length_;
  ChunkWriter writer_;
  UnixTime begin_{};  // of the chunk
  bool begun_ = false;
  bool continues_ = false;
  Counts total_;
};

}  // namespace limpet::columns
