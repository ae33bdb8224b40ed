#include "exporter/common/columns/chunk_reader.h"

#include "exporter/common/columns/chunk_header.h"

namespace limpet::columns {
void ChunkReader::Feed(std::string_view bytes) {
  bytes_.erase(0, at_);
  at_ = 0;
  bytes_ += bytes;
}

Result<bool> ChunkReader::Next(Chunk& chunk) {
  while (true) {
    const auto rest = std::string_view(bytes_).substr(at_);
    if (rest.size() < kHeaderBytes) {
      return false;
    }
    if (!rest.starts_with(kMagic)) {
      const bool is_later = IsColumns(rest);
      return Error{is_later ? ErrorCode::kInternal : ErrorCode::kInvalid,
                   is_later ? "this recording is of a later version: read it with a "
                              "limpet-diagnoser as new as the exporter that wrote it"
                            : "expected a chunk of columns",
                   {}};
    }
    const auto [size, checksum] = ReadHeader(rest);
    if (size > kMaxChunkBytes) {
      return Error{ErrorCode::kTooLarge, "expected a chunk of at most 32 MiB", {}};
    }
    if (rest.size() < kHeaderBytes + size) {
      return false;
    }
    at_ += kHeaderBytes + size;
    // Of our own, although zstd has one: it hands out the bytes before it has looked at that.
    const auto bytes = rest.substr(kHeaderBytes, size);
    if (Checksum(bytes) != checksum) {
      return Error{ErrorCode::kInvalid, "expected another checksum: the chunk is damaged", {}};
    }
    const auto decoded = decoder_.Decode(bytes, chunk);
    if (decoded) {
      return true;
    }
    if (decoded.error().code != ErrorCode::kNotFound) {
      return decoded.error();
    }
    ++left_out_;
  }
}

}  // namespace limpet::columns
