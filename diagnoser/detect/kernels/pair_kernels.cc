#include "diagnoser/detect/kernels/pair_kernels.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

// Highway includes this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "diagnoser/detect/kernels/pair_kernels.cc"
#include "hwy/foreach_target.h"  // before highway.h
//
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace limpet {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Some rows at once. Those beyond the last are the last again: computed side by side and stored
// over each other, alike.
template <class T, std::size_t kRows>
struct TileRows {
  TileRows(const Tile<T>& tile, std::size_t first) {
    for (std::size_t r = 0; r < kRows; ++r) {
      number[r] = std::min(first + r, tile.count - 1);
      data[r] = tile.rows + number[r] * tile.stride;
    }
  }
  std::size_t number[kRows];
  const T* data[kRows];
};

// `step(sum, row, panel, k)` gives the sum with term k added; a term is `parts` elements of a row,
// one after the other, and the addresses passed are those of the first.
template <std::size_t kParts, class Step>
HWY_INLINE void SumTerms(const Tile<double>& tile, const Step& step) {
  const hn::CappedTag<double, 8> d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t terms = tile.depth / kParts;
  for (std::size_t first = 0; first < tile.count; first += 4) {
    const TileRows<double, 4> rows(tile, first);
    for (std::size_t c = 0; c < tile.columns; c += 2 * lanes) {
      double* const s0 = tile.sums + rows.number[0] * tile.sums_stride + c;
      double* const s1 = tile.sums + rows.number[1] * tile.sums_stride + c;
      double* const s2 = tile.sums + rows.number[2] * tile.sums_stride + c;
      double* const s3 = tile.sums + rows.number[3] * tile.sums_stride + c;
      auto s00 = tile.fresh ? hn::Zero(d) : hn::LoadU(d, s0);
      auto s01 = tile.fresh ? hn::Zero(d) : hn::LoadU(d, s0 + lanes);
      auto s10 = tile.fresh ? hn::Zero(d) : hn::LoadU(d, s1);
      auto s11 = tile.fresh ? hn::Zero(d) : hn::LoadU(d, s1 + lanes);
      auto s20 = tile.fresh ? hn::Zero(d) : hn::LoadU(d, s2);
      auto s21 = tile.fresh ? hn::Zero(d) : hn::LoadU(d, s2 + lanes);
      auto s30 = tile.fresh ? hn::Zero(d) : hn::LoadU(d, s3);
      auto s31 = tile.fresh ? hn::Zero(d) : hn::LoadU(d, s3 + lanes);
      const double* panel = tile.panel + c;
      for (std::size_t k = 0; k < terms; ++k, panel += kParts * kPanelWidth) {
        const std::size_t at = k * kParts;
        s00 = step(s00, rows.data[0] + at, panel, k);
        s01 = step(s01, rows.data[0] + at, panel + lanes, k);
        s10 = step(s10, rows.data[1] + at, panel, k);
        s11 = step(s11, rows.data[1] + at, panel + lanes, k);
        s20 = step(s20, rows.data[2] + at, panel, k);
        s21 = step(s21, rows.data[2] + at, panel + lanes, k);
        s30 = step(s30, rows.data[3] + at, panel, k);
        s31 = step(s31, rows.data[3] + at, panel + lanes, k);
      }
      hn::StoreU(s00, d, s0);
      hn::StoreU(s01, d, s0 + lanes);
      hn::StoreU(s10, d, s1);
      hn::StoreU(s11, d, s1 + lanes);
      hn::StoreU(s20, d, s2);
      hn::StoreU(s21, d, s2 + lanes);
      hn::StoreU(s30, d, s3);
      hn::StoreU(s31, d, s3 + lanes);
    }
  }
}

using Doubles = hn::Vec<hn::CappedTag<double, 8>>;

void AddAbsolute(const Tile<double>& tile) {
  SumTerms<1>(tile, [](Doubles sum, const double* row, const double* panel, std::size_t) HWY_ATTR {
    const hn::CappedTag<double, 8> d;
    return hn::Add(sum, hn::Abs(hn::Sub(hn::Set(d, *row), hn::LoadU(d, panel))));
  });
}

void AddWeighted(const Tile<double>& tile, const double* weights) {
  SumTerms<1>(
      tile, [weights](Doubles sum, const double* row, const double* panel, std::size_t k) HWY_ATTR {
        const hn::CappedTag<double, 8> d;
        const auto apart = hn::Abs(hn::Sub(hn::Set(d, *row), hn::LoadU(d, panel)));
        return hn::Add(sum, hn::Mul(apart, hn::Set(d, weights[k])));
      });
}

void AddDivergence(const Tile<double>& tile) {
  SumTerms<2>(tile, [](Doubles sum, const double* row, const double* panel, std::size_t) HWY_ATTR {
    const hn::CappedTag<double, 8> d;
    const auto p = hn::Sub(hn::Set(d, row[0]), hn::LoadU(d, panel));
    const auto l = hn::Sub(hn::Set(d, row[1]), hn::LoadU(d, panel + kPanelWidth));
    return hn::Add(sum, hn::Mul(p, l));
  });
}

#if HWY_TARGET == HWY_SCALAR

// Only for processors without SSSE3, where Highway has no vectors of bytes (and GCC 12 no others).
template <std::size_t kTogether>
void AddMaximaBy(const Tile<std::uint64_t>& tile) {
  for (std::size_t r = 0; r < tile.count; ++r) {
    for (std::size_t c = 0; c < tile.columns; ++c) {
      std::uint64_t& sum = tile.sums[r * tile.sums_stride + c];
      sum = tile.fresh ? 0 : sum;
      for (std::size_t k = 0; k < tile.depth; ++k) {
        const std::uint64_t row = tile.rows[r * tile.stride + k];
        const std::uint64_t column = tile.panel[k * kPanelWidth + c];
        for (unsigned shift = 0; shift < 64; shift += 8) {
          sum += std::max((row >> shift) & 0xffU, (column >> shift) & 0xffU);
        }
      }
    }
  }
}

#else

// kTogether: how many maxima are added as bytes before one instruction sums eight of them.
template <std::size_t kTogether>
void AddMaximaBy(const Tile<std::uint64_t>& tile) {
  const hn::CappedTag<std::uint64_t, 8> d;
  const hn::Repartition<std::uint8_t, decltype(d)> bytes;
  const std::size_t lanes = hn::Lanes(d);
  const auto larger = [&](const std::uint64_t* row, const std::uint64_t* panel) HWY_ATTR {
    return hn::Max(hn::BitCast(bytes, hn::Set(d, *row)), hn::BitCast(bytes, hn::LoadU(d, panel)));
  };
  for (std::size_t first = 0; first < tile.count; first += 2) {
    const TileRows<std::uint64_t, 2> rows(tile, first);
    for (std::size_t c = 0; c < tile.columns; c += 2 * lanes) {
      std::uint64_t* const s0 = tile.sums + rows.number[0] * tile.sums_stride + c;
      std::uint64_t* const s1 = tile.sums + rows.number[1] * tile.sums_stride + c;
      const std::uint64_t* a = rows.data[0];
      const std::uint64_t* b = rows.data[1];
      const std::uint64_t* panel = tile.panel + c;
      auto s00 = tile.fresh ? hn::Zero(d) : hn::LoadU(d, s0);
      auto s01 = tile.fresh ? hn::Zero(d) : hn::LoadU(d, s0 + lanes);
      auto s10 = tile.fresh ? hn::Zero(d) : hn::LoadU(d, s1);
      auto s11 = tile.fresh ? hn::Zero(d) : hn::LoadU(d, s1 + lanes);
      std::size_t k = 0;
      for (; k + kTogether <= tile.depth; k += kTogether) {
        auto m00 = larger(a + k, panel);
        auto m01 = larger(a + k, panel + lanes);
        auto m10 = larger(b + k, panel);
        auto m11 = larger(b + k, panel + lanes);
        panel += kPanelWidth;
        for (std::size_t more = 1; more < kTogether; ++more, panel += kPanelWidth) {
          m00 = hn::Add(m00, larger(a + k + more, panel));
          m01 = hn::Add(m01, larger(a + k + more, panel + lanes));
          m10 = hn::Add(m10, larger(b + k + more, panel));
          m11 = hn::Add(m11, larger(b + k + more, panel + lanes));
        }
        s00 = hn::Add(s00, hn::SumsOf8(m00));
        s01 = hn::Add(s01, hn::SumsOf8(m01));
        s10 = hn::Add(s10, hn::SumsOf8(m10));
        s11 = hn::Add(s11, hn::SumsOf8(m11));
      }
      for (; k < tile.depth; ++k, panel += kPanelWidth) {
        s00 = hn::Add(s00, hn::SumsOf8(larger(a + k, panel)));
        s01 = hn::Add(s01, hn::SumsOf8(larger(a + k, panel + lanes)));
        s10 = hn::Add(s10, hn::SumsOf8(larger(b + k, panel)));
        s11 = hn::Add(s11, hn::SumsOf8(larger(b + k, panel + lanes)));
      }
      hn::StoreU(s00, d, s0);
      hn::StoreU(s01, d, s0 + lanes);
      hn::StoreU(s10, d, s1);
      hn::StoreU(s11, d, s1 + lanes);
    }
  }
}

#endif  // HWY_SCALAR

void AddMaxima(const Tile<std::uint64_t>& tile, std::uint8_t largest) {
  switch (largest == 0 ? 4 : std::min(255 / largest, 4)) {
    case 4:
      return AddMaximaBy<4>(tile);
    case 3:
      return AddMaximaBy<3>(tile);
    case 2:
      return AddMaximaBy<2>(tile);
    default:
      return AddMaximaBy<1>(tile);
  }
}

void SubtractTotals(const std::uint64_t* sums, std::uint64_t less, const std::uint64_t* column_less,
                    std::uint16_t* out) {
  const hn::CappedTag<std::uint64_t, 8> d;
  const hn::Rebind<std::uint16_t, decltype(d)> narrow;
  const std::size_t lanes = hn::Lanes(d);
  const auto row = hn::Set(d, less);
  for (std::size_t c = 0; c < kPanelWidth; c += lanes) {
    const auto sum = hn::LoadU(d, sums + c);
    const auto apart = hn::Sub(hn::Sub(hn::Add(sum, sum), row), hn::LoadU(d, column_less + c));
    hn::StoreU(hn::TruncateTo(narrow, apart), narrow, out + c);
  }
}

// Halves the range of the answer until one value is left: no more than 17 passes over a row that
// stays in the nearest cache.
std::uint16_t KthOfShorts(std::span<const std::uint16_t> values, std::size_t k) {
  const hn::ScalableTag<std::uint16_t> d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t kMaxInLane = 65'535;
  const auto count_over = [&](std::uint16_t bound) HWY_ATTR {
    const auto limit = hn::Set(d, bound);
    std::uint16_t by_lane[hn::MaxLanes(d)];
    std::size_t over = 0;
    std::size_t i = 0;
    while (i + lanes <= values.size()) {
      const std::size_t end = std::min(values.size() / lanes * lanes, i + kMaxInLane * lanes);
      auto counts = hn::Zero(d);
      for (; i < end; i += lanes) {
        // A true lane is all ones: -1.
        counts =
            hn::Sub(counts, hn::VecFromMask(d, hn::Gt(hn::LoadU(d, values.data() + i), limit)));
      }
      hn::StoreU(counts, d, by_lane);
      over = std::accumulate(by_lane, by_lane + lanes, over);
    }
    for (; i < values.size(); ++i) {
      over += values[i] > bound ? 1U : 0U;
    }
    return over;
  };
  auto largest = hn::Zero(d);
  const std::size_t whole = values.size() / lanes * lanes;
  for (std::size_t i = 0; i < whole; i += lanes) {
    largest = hn::Max(largest, hn::LoadU(d, values.data() + i));
  }
  std::uint16_t by_lane[hn::MaxLanes(d)];
  hn::StoreU(largest, d, by_lane);
  // The answer is the least bound that fewer than k values exceed.
  std::uint32_t low = 0;
  std::uint32_t high = *std::max_element(by_lane, by_lane + lanes);
  for (const std::uint16_t value : values.subspan(whole)) {
    high = std::max<std::uint32_t>(high, value);
  }
  while (low < high) {
    const auto middle = static_cast<std::uint16_t>((low + high) / 2);
    if (count_over(middle) < k) {
      high = middle;
    } else {
      low = middle + 1U;
    }
  }
  return static_cast<std::uint16_t>(low);
}

constexpr std::size_t kFewValues = 64;

// The values with at most `high` and at most `low` greater ones, places from 0, of kFewValues.
// Every rank is counted, which vectors do without the branches that a selection guesses wrong.
struct TwoValues {
  double high;
  double low;
};
TwoValues ValuesAt(const double* few, std::size_t high, std::size_t low) {
  const hn::CappedTag<double, 8> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto one = hn::Set(d, 1.0);
  const auto largest = hn::Set(d, std::numeric_limits<double>::infinity());
  const auto high_place = hn::Set(d, static_cast<double>(high));
  const auto low_place = hn::Set(d, static_cast<double>(low));
  auto least_high = largest;
  auto least_low = largest;
  for (std::size_t i = 0; i < kFewValues; i += lanes) {
    const auto own = hn::LoadU(d, few + i);
    auto greater = hn::Zero(d);
    for (std::size_t k = 0; k < kFewValues; ++k) {
      greater = hn::Add(greater, hn::IfThenElseZero(hn::Gt(hn::Set(d, few[k]), own), one));
    }
    least_high = hn::Min(least_high, hn::IfThenElse(hn::Le(greater, high_place), own, largest));
    least_low = hn::Min(least_low, hn::IfThenElse(hn::Le(greater, low_place), own, largest));
  }
  return {.high = hn::GetLane(hn::MinOfLanes(d, least_high)),
          .low = hn::GetLane(hn::MinOfLanes(d, least_low))};
}

// Of at most kFewValues.
double KthOfFew(const double* values, std::size_t size, std::size_t k) {
  double few[kFewValues];
  std::fill(std::copy_n(values, size, few), few + kFewValues,
            -std::numeric_limits<double>::infinity());
  return ValuesAt(few, k - 1, k - 1).high;
}

// How many of the values are above `high`, and how many below `low`.
struct Outside {
  std::size_t above = 0;
  std::size_t below = 0;
};
Outside CountOutside(const double* data, std::size_t size, const TwoValues& bounds) {
  const hn::CappedTag<double, 8> d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t whole = size / lanes * lanes;
  const auto high = hn::Set(d, bounds.high);
  const auto low = hn::Set(d, bounds.low);
  Outside count;
  for (std::size_t i = 0; i < whole; i += lanes) {
    const auto v = hn::LoadU(d, data + i);
    count.above += hn::CountTrue(d, hn::Gt(v, high));
    count.below += hn::CountTrue(d, hn::Lt(v, low));
  }
  for (std::size_t i = whole; i < size; ++i) {
    count.above += data[i] > bounds.high ? 1U : 0U;
    count.below += data[i] < bounds.low ? 1U : 0U;
  }
  return count;
}

// Moves those between the bounds, both included, to the front; how many.
std::size_t KeepInside(double* data, std::size_t size, const TwoValues& bounds) {
  const hn::CappedTag<double, 8> d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t whole = size / lanes * lanes;
  const auto high = hn::Set(d, bounds.high);
  const auto low = hn::Set(d, bounds.low);
  // In place: a vector is read before anything is stored where it was.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < whole; i += lanes) {
    const auto v = hn::LoadU(d, data + i);
    const auto inside = hn::And(hn::Le(v, high), hn::Ge(v, low));
    kept += hn::CompressStore(v, inside, d, data + kept);
  }
  for (std::size_t i = whole; i < size; ++i) {
    if (data[i] <= bounds.high && data[i] >= bounds.low) {
      data[kept++] = data[i];
    }
  }
  return kept;
}

// Places the answer between two values of a sample and keeps only what lies there (both ends
// included), until few are left. A sample that misleads costs time, nothing else.
double KthOfDoubles(std::span<double> values, std::size_t k) {
  constexpr std::size_t kSample = kFewValues;
  constexpr std::size_t kMargin = 12;  // three standard deviations of the place in a sample
  double* const data = values.data();
  std::size_t size = values.size();
  while (size > kFewValues) {
    double sample[kSample];
    for (std::size_t i = 0; i < kSample; ++i) {
      sample[i] = data[(2 * i + 1) * size / (2 * kSample)];
    }
    const std::size_t place = (k - 1) * kSample / size;
    const auto bounds = ValuesAt(sample, place < kMargin ? 0 : place - kMargin,
                                 std::min(place + kMargin, kSample - 1));
    const auto [above, below] = CountOutside(data, size, bounds);
    if (above >= k || size - below < k || 4 * (above + below) < size) {
      std::nth_element(data, data + k - 1, data + size, std::greater<>());
      return data[k - 1];
    }
    size = KeepInside(data, size, bounds);
    k -= above;
  }
  return KthOfFew(data, size, k);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace limpet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limpet {

HWY_EXPORT(AddAbsolute);
HWY_EXPORT(AddWeighted);
HWY_EXPORT(AddDivergence);
HWY_EXPORT(AddMaxima);
HWY_EXPORT(KthOfDoubles);
HWY_EXPORT(SubtractTotals);
HWY_EXPORT(KthOfShorts);

void AddAbsolute(const Tile<double>& tile) { HWY_DYNAMIC_DISPATCH(AddAbsolute)(tile); }

void AddWeighted(const Tile<double>& tile, const double* weights) {
  HWY_DYNAMIC_DISPATCH(AddWeighted)(tile, weights);
}

void AddDivergence(const Tile<double>& tile) { HWY_DYNAMIC_DISPATCH(AddDivergence)(tile); }

void AddMaxima(const Tile<std::uint64_t>& tile, std::uint8_t largest) {
  HWY_DYNAMIC_DISPATCH(AddMaxima)(tile, largest);
}

void SubtractTotals(const std::uint64_t* sums, std::uint64_t less, const std::uint64_t* column_less,
                    std::uint16_t* out) {
  HWY_DYNAMIC_DISPATCH(SubtractTotals)(sums, less, column_less, out);
}

double KthLargest(std::span<double> values, std::size_t k) {
  return HWY_DYNAMIC_DISPATCH(KthOfDoubles)(values, k);
}

std::uint16_t KthLargest(std::span<const std::uint16_t> values, std::size_t k) {
  return HWY_DYNAMIC_DISPATCH(KthOfShorts)(values, k);
}

}  // namespace limpet
#endif  // HWY_ONCE
