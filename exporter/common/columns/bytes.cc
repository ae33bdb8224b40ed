#include "exporter/common/columns/bytes.h"

#include <algorithm>

namespace limpet::columns {

void PutNumber(std::string& out, std::uint64_t number) {
  while (number >= 0x80U) {
    out += static_cast<char>(number | 0x80U);
    number >>= 7U;
  }
  out += static_cast<char>(number);
}

std::optional<std::uint64_t> ByteReader::Number() {
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    number |= std::uint64_t{byte & 0x7FU} << shift;
    if ((byte & 0x80U) == 0) {
      // Of the tenth byte only one bit has room.
      return shift == 63 && byte > 1 ? std::nullopt : std::optional(number);
    }
  }
  // Nothing that follows a number without its end can be trusted to begin where it seems to.
  rest_ = {};
  return std::nullopt;
}

std::optional<std::uint64_t> ByteReader::NumberUpTo(std::uint64_t max) {
  const auto number = Number();
  return number && *number <= max ? number : std::nullopt;
}

std::optional<std::string_view> ByteReader::Bytes(std::uint64_t count) {
  if (count > rest_.size()) {
    rest_ = {};
    return std::nullopt;
  }
  const auto bytes = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return bytes;
}

std::string BitWriter::Finish() {
  if (used_ > 0) {
    bytes_ += static_cast<char>(word_ & 0xFFU);
  }
  // Ready for other bits.
  word_ = 0;
  used_ = 0;
  return std::move(bytes_);
}

std::uint64_t BitReader::PeekAtEnd() const {
  const auto at = std::min(position_ >> 3U, bytes_.size());
  std::uint64_t word = 0;
  for (std::size_t i = at; i < bytes_.size(); ++i) {
    word |= std::uint64_t{static_cast<unsigned char>(bytes_[i])} << (8 * (i - at));
  }
  return word;
}

}  // namespace limpet::columns
