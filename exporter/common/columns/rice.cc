#include "exporter/common/columns/rice.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>
#include <vector>

namespace limpet::columns {
namespace {

// So many ones say that the number follows as it is.
constexpr unsigned kEscape = 16;

std::uint64_t Distance(const RiceShape& shape, std::int64_t number) {
  // The factor divides the number; the subtraction may wrap, as may the addition that undoes it.
  const auto quotient = number / static_cast<std::int64_t>(shape.factor);
  return Fold(static_cast<std::int64_t>(static_cast<std::uint64_t>(quotient) -
                                        static_cast<std::uint64_t>(shape.centre)));
}

// The greatest common divisor. Where there is none it shows within a few numbers.
std::uint64_t FindFactor(std::span<const std::int64_t> numbers) {
  std::uint64_t factor = 0;
  for (const auto number : numbers) {
    const auto unsigned_number = static_cast<std::uint64_t>(number);
    factor = std::gcd(factor, number < 0 ? 0 - unsigned_number : unsigned_number);
    if (factor == 1) {
      return 1;
    }
  }
  return factor == 0 || factor > static_cast<std::uint64_t>(INT64_MAX) ? 1 : factor;
}

// Neither is moved by a counter that was reset or a clock that was set, as a mean would be.
template <class Number>
Number FindMedian(std::vector<Number>& numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

}  // namespace

RiceShape FindShape(std::span<const std::int64_t> numbers) {
  // In this order: the centre is one of quotients, the low bits are of distances from it.
  RiceShape shape{.factor = FindFactor(numbers)};
  std::vector<std::int64_t> sorted(numbers.begin(), numbers.end());
  shape.centre = FindMedian(sorted) / static_cast<std::int64_t>(shape.factor);
  std::vector<std::uint64_t> distances;
  for (const auto number : numbers) {
    distances.push_back(Distance(shape, number));
  }
  // Near log2 of the median distance: from just below it on as long as it gets better.
  const auto near = static_cast<unsigned>(std::bit_width(FindMedian(distances)));
  shape.low_bits = std::min(near > 0 ? near - 1 : 0, RiceShape::kMaxLowBits);
  auto least = CountBits(shape, numbers);
  for (auto next = shape; next.low_bits < RiceShape::kMaxLowBits;) {
    ++next.low_bits;
    const auto bits = CountBits(next, numbers);
    if (bits >= least) {
      break;
    }
    least = bits;
    shape = next;
  }
  return shape;
}

std::uint64_t CountBits(const RiceShape& shape, std::span<const std::int64_t> numbers) {
  std::uint64_t bits = 0;
  for (const auto number : numbers) {
    const auto high = Distance(shape, number) >> shape.low_bits;
    bits += high < kEscape ? high + 1 + shape.low_bits : kEscape + 2 * kHalf;
  }
  return bits;
}

void PutRice(BitWriter& bits, const RiceShape& shape, std::span<const std::int64_t> numbers) {
  for (const auto number : numbers) {
    const auto distance = Distance(shape, number);
    const auto high = distance >> shape.low_bits;
    if (high < kEscape) {
      const auto ones = static_cast<unsigned>(high);
      bits.Put((std::uint64_t{1} << ones) - 1, ones + 1);
      bits.Put(distance & ((std::uint64_t{1} << shape.low_bits) - 1), shape.low_bits);
    } else {
      bits.Put((std::uint64_t{1} << kEscape) - 1, kEscape);
      bits.Put(distance & UINT32_MAX, kHalf);
      bits.Put(distance >> kHalf, kHalf);
    }
  }
}

void GetRice(BitReader& bits, const RiceShape& shape, std::span<std::int64_t> numbers) {
  const auto low_bits = shape.low_bits;
  const auto mask = (std::uint64_t{1} << low_bits) - 1;
  for (auto& number : numbers) {
    const auto word = bits.Peek();
    const auto ones = static_cast<unsigned>(std::countr_one(word));
    std::uint64_t distance = 0;
    if (ones < kEscape) [[likely]] {
      // One look suffices: 15 ones, the zero behind them and 40 bits are 56.
      distance = (std::uint64_t{ones} << low_bits) | ((word >> (ones + 1)) & mask);
      bits.Skip(ones + 1 + low_bits);
    } else {
      bits.Skip(kEscape);
      distance = bits.Get(kHalf);
      distance |= bits.Get(kHalf) << kHalf;
    }
    const auto quotient =
        static_cast<std::uint64_t>(Unfold(distance)) + static_cast<std::uint64_t>(shape.centre);
    number = static_cast<std::int64_t>(quotient * shape.factor);
  }
}

}  // namespace limpet::columns
