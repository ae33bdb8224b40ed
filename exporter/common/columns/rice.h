// rice.h: whole numbers in as few bits as their scatter needs (Rice, "Some practical universal
// noiseless coding techniques", JPL 79-22, 1979).
//
// What all numbers have in common is stored once: a factor (sectors of 512 bytes, ticks of 10 ms)
// and a centre (what a counter gains each second). Of the distance from the centre the low bits are
// stored as they are, how often they overflow in unary; a number that is far off is stored whole.
// Arithmetic wraps, so that any 64-bit numbers come back.
// Threads: pure.
#pragma once

#include <cstdint>
#include <span>

#include "exporter/common/columns/bytes.h"

namespace limpet::columns {

inline constexpr unsigned kHalf = 32;  // bits of half a word

struct RiceShape {
  static constexpr unsigned kMaxLowBits = 40;

  std::uint64_t factor = 1;  // 1 to 2^63 - 1
  std::int64_t centre = 0;
  unsigned low_bits = 0;
};

// One that suits the numbers, which must not be empty.
[[nodiscard]] RiceShape FindShape(std::span<const std::int64_t> numbers);
[[nodiscard]] std::uint64_t CountBits(const RiceShape& shape,
                                      std::span<const std::int64_t> numbers);

void PutRice(BitWriter& bits, const RiceShape& shape, std::span<const std::int64_t> numbers);
// Reads as many as `numbers` has room for; whether the bits sufficed says the reader.
void GetRice(BitReader& bits, const RiceShape& shape, std::span<std::int64_t> numbers);

}  // namespace limpet::columns
