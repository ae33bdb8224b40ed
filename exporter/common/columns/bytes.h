// bytes.h: whole numbers of any length, and single bits, in a row of bytes.
//
// Numbers: seven bits a byte, the lowest first, the high bit says that another byte follows; signed
//          ones are folded first, so that small negative ones are short too.
// Bits:    the lowest of a byte first.
// Threads: one object, one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "exporter/common/exposition/numbers.h"

namespace limpet::columns {

// 0, -1, 1, -2, … as 0, 1, 2, 3, …
[[nodiscard]] constexpr std::uint64_t Fold(std::int64_t number) {
  return (static_cast<std::uint64_t>(number) << 1U) ^ (number < 0 ? ~std::uint64_t{0} : 0U);
}
[[nodiscard]] constexpr std::int64_t Unfold(std::uint64_t folded) {
  return static_cast<std::int64_t>((folded >> 1U) ^ (0 - (folded & 1U)));
}

void PutNumber(std::string& out, std::uint64_t number);

// Every read is checked against the end. After one that failed all fail.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] std::optional<std::uint64_t> Number();
  // One that is at most `max`.
  [[nodiscard]] std::optional<std::uint64_t> NumberUpTo(std::uint64_t max);
  [[nodiscard]] std::optional<std::string_view> Bytes(std::uint64_t count);
  [[nodiscard]] std::string_view Rest() const { return rest_; }

 private:
  std::string_view rest_;
};

class BitWriter {
 public:
  // The lowest `count` bits, at most 57.
  void Put(std::uint64_t bits, unsigned count) {
    word_ |= bits << used_;
    used_ += count;
    while (used_ >= 8) {
      bytes_ += static_cast<char>(word_ & 0xFFU);
      word_ >>= 8U;
      used_ -= 8;
    }
  }
  // All of it, filled up to a byte.
  [[nodiscard]] std::string Finish();

 private:
  std::string bytes_;
  std::uint64_t word_ = 0;
  unsigned used_ = 0;
};

// Reads zeros behind the end; Overrun says whether any of them were passed over.
class BitReader {
 public:
  explicit BitReader(std::string_view bytes) : bytes_(bytes) {}

  // The next bits, of which the lowest 57 count.
  [[nodiscard]] std::uint64_t Peek() const {
    const auto at = position_ >> 3U;
    return (at + 8 <= bytes_.size() ? numbers_detail::FirstByteLowest(bytes_.data() + at)
                                    : PeekAtEnd()) >>
           (position_ & 7U);
  }
  void Skip(unsigned count) { position_ += count; }
  // `count` at most 57.
  [[nodiscard]] std::uint64_t Get(unsigned count) {
    const auto bits = Peek() & ((std::uint64_t{1} << count) - 1);
    Skip(count);
    return bits;
  }
  [[nodiscard]] bool Overrun() const { return position_ > 8 * bytes_.size(); }

 private:
  [[nodiscard]] std::uint64_t PeekAtEnd() const;

  std::string_view bytes_;
  std::size_t position_ = 0;  // in bits
};

}  // namespace limpet::columns
