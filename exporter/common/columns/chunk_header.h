// chunk_header.h: what stands before each chunk: what the file is, how long the chunk is, and a
// checksum, so that nothing is made of one that a power cut or a bad disk has changed.
//
// Threads: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace limpet::columns {

// The last byte is the version of the format. No text begins like this.
inline constexpr std::string_view kMagic = "\x8bLC\x01";
// And the size of the chunk and its CRC-32, four bytes each, the lowest first.
inline constexpr std::size_t kHeaderBytes = 12;

// Returns whether a file that begins so is a recording in columns, of this version or another.
[[nodiscard]] bool IsColumns(std::string_view start);

struct ChunkHeader {
  std::size_t size = 0;
  std::uint32_t checksum = 0;
};
// Takes kHeaderBytes that begin with kMagic.
[[nodiscard]] ChunkHeader ReadHeader(std::string_view header);
[[nodiscard]] std::string MakeHeader(std::string_view chunk);
[[nodiscard]] std::uint32_t Checksum(std::string_view chunk);

}  // namespace limpet::columns
