#include "diagnoser/detect/kernels/sort_kernels.h"

#include <algorithm>
#include <bit>

// Highway includes this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "diagnoser/detect/kernels/sort_kernels.cc"
#include "hwy/foreach_target.h"  // before highway.h
//
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace limpet {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE void PutInOrder(PanelRow<double>& low, PanelRow<double>& high, std::size_t columns) {
  const hn::CappedTag<double, 8> d;
  for (std::size_t c = 0; c < columns; c += hn::Lanes(d)) {
    const auto a = hn::Load(d, low.lanes + c);
    const auto b = hn::Load(d, high.lanes + c);
    hn::Store(hn::Min(a, b), d, low.lanes + c);
    hn::Store(hn::Max(a, b), d, high.lanes + c);
  }
}

// Batcher's merge exchange for any number of rows (Knuth, TAOCP 5.2.2 M): in each pass rows i and
// i + distance are put in order where i & p is r.
void SortPanel(PanelRow<double>* rows, std::size_t n, std::size_t columns) {
  if (n < 2) {
    return;
  }
  const std::size_t top = std::bit_ceil(n) / 2;
  for (std::size_t p = top; p > 0; p /= 2) {
    std::size_t q = top;
    std::size_t r = 0;
    std::size_t distance = p;
    while (true) {
      for (std::size_t begin = r; begin + distance < n; begin += 2 * p) {
        const std::size_t end = std::min(begin + p, n - distance);
        for (std::size_t i = begin; i < end; ++i) {
          PutInOrder(rows[i], rows[i + distance], columns);
        }
      }
      if (q == p) {
        break;
      }
      distance = q - p;
      q /= 2;
      r = p;
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace limpet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limpet {

HWY_EXPORT(SortPanel);

void SortColumns(std::span<PanelRow<double>> rows, std::size_t columns) {
  HWY_DYNAMIC_DISPATCH(SortPanel)(rows.data(), rows.size(), columns);
}

}  // namespace limpet
#endif  // HWY_ONCE
