#include "exporter/common/columns/chunk_header.h"

#include <zlib.h>

namespace limpet::columns {
namespace {

constexpr std::size_t kNumberBytes = 4;

std::uint32_t ReadNumber(std::string_view bytes) {
  std::uint32_t number = 0;
  for (std::size_t i = kNumberBytes; i > 0; --i) {
    number = number << 8U | static_cast<unsigned char>(bytes[i - 1]);
  }
  return number;
}

void PutNumber(std::string& out, std::uint32_t number) {
  for (std::size_t i = 0; i < kNumberBytes; ++i) {
    out += static_cast<char>(number >> (8 * i) & 0xFFU);
  }
}

}  // namespace

bool IsColumns(std::string_view start) {
  return start.starts_with(kMagic.substr(0, kMagic.size() - 1));
}

ChunkHeader ReadHeader(std::string_view header) {
  return {.size = ReadNumber(header.substr(kMagic.size())),
          .checksum = ReadNumber(header.substr(kMagic.size() + kNumberBytes))};
}

std::string MakeHeader(std::string_view chunk) {
  std::string header(kMagic);
  PutNumber(header, static_cast<std::uint32_t>(chunk.size()));
  PutNumber(header, Checksum(chunk));
  return header;
}

// zlib's, which is linked anyway and takes a second for some GB.
std::uint32_t Checksum(std::string_view chunk) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(chunk.data()), chunk.size()));
}

}  // namespace limpet::columns
