// recording.h: one recorded file, plain, .gz or .zst, in small pieces.
//
// A recording is OpenMetrics text (or Prometheus text) with a timestamp on every line, in order of
// time, or columns (docs/formats/recording.md), which are handed out as the same text. A piece is
// what is decoded at once, 64 KiB: it is read while it is still in the processor's cache. A line
// has 4 MiB at most. Cut: a file that ends in the middle of a line or of a frame is read to its
// last whole line. Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "diagnoser/sources/byte_source.h"
#include "exporter/common/columns/chunk.h"
#include "exporter/common/exposition/format.h"
#include "exporter/common/result.h"
#include "exporter/common/time.h"

namespace limpet {

class Recording {
 public:
  struct Piece {
    std::string_view text;  // whole lines; valid until the next call
    Format format = Format::kOpenMetrics;
  };

  // The same with the memory that it stands in.
  struct OwnedPiece {
    std::string buffer;
    std::size_t begin = 0;
    std::size_t size = 0;
    Format format = Format::kOpenMetrics;
    columns::ChunkRows rows;  // in the place of text, when HandOutRows was called

    [[nodiscard]] bool IsEmpty() const { return size == 0 && rows.begin == rows.end; }
    [[nodiscard]] std::string_view Text() const {
      return std::string_view(buffer).substr(begin, size);
    }
  };

  // `path` is for messages and names the source.
  Recording(std::string path, std::unique_ptr<ByteSource> bytes);
  ~Recording();
  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;

  // Called before anything is read: what Take gives of columns are their rows, which need not
  // become lines first. Next gives nothing then.
  void HandOutRows();
  // Returns when the next piece begins; nullopt at the end. An error ends the recording.
  [[nodiscard]] Result<std::optional<UnixTime>> Peek();
  // Returns a piece of what comes before the first line later than `until`; nullopt when nothing
  // does.
  [[nodiscard]] Result<std::optional<Piece>> Next(UnixTime until);
  // The same piece, for a reader on another thread; `spare` is memory of an earlier one, or empty,
  // and is used up.
  [[nodiscard]] Result<std::optional<OwnedPiece>> Take(UnixTime until, std::string spare);
  // Called before the first Next: gives back what Peek has read, when it can be read again.
  void ReleaseBuffers();

  [[nodiscard]] const std::string& Path() const;
  // Returns the bytes of the file read so far.
  [[nodiscard]] std::uint64_t BytesRead() const;
  // Returns what was read so far ended in the middle of something.
  [[nodiscard]] bool Cut() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace limpet
