// bytes.h: numbers and texts to and from bytes: little endian, LEB128 for counts.
//
// Threads: values. Reading never goes beyond the view: after a failure every read gives 0 and
// Failed() stays true.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace limpet {

class ByteWriter {
 public:
  void Fixed(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) {
      out_ += static_cast<char>(value >> (8 * i) & 0xffU);
    }
  }
  void Count(std::uint64_t value) {
    for (; value >= 0x80U; value >>= 7U) {
      out_ += static_cast<char>((value & 0x7fU) | 0x80U);
    }
    out_ += static_cast<char>(value);
  }
  void Text(std::string_view text) {
    Count(text.size());
    out_ += text;
  }
  void Double(double value) { Fixed(std::bit_cast<std::uint64_t>(value), 8); }
  [[nodiscard]] const std::string& Bytes() const { return out_; }

 private:
  std::string out_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t Fixed(std::size_t bytes) {
    const auto piece = Raw(bytes);
    std::uint64_t value = 0;
    for (std::size_t i = piece.size(); i > 0; --i) {
      value = value << 8U | static_cast<unsigned char>(piece[i - 1]);
    }
    return value;
  }
  std::uint64_t Count() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = Fixed(1);
      value |= (byte & 0x7fU) << shift;
      if (byte < 0x80U) {
        return value;
      }
    }
    failed_ = true;
    return 0;
  }
  std::string_view Text() { return Raw(Count()); }
  double Double() { return std::bit_cast<double>(Fixed(8)); }
  std::string_view Raw(std::uint64_t bytes) {
    if (failed_ || bytes > rest_.size()) {
      failed_ = true;
      return {};
    }
    const auto piece = rest_.substr(0, static_cast<std::size_t>(bytes));
    rest_.remove_prefix(piece.size());
    return piece;
  }
  [[nodiscard]] bool Failed() const { return failed_; }
  [[nodiscard]] std::size_t Left() const { return failed_ ? 0 : rest_.size(); }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace limpet
