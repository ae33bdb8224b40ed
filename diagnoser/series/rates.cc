#include "diagnoser/series/rates.h"

#include "diagnoser/metrics/missing.h"

// Highway includes this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "diagnoser/series/rates.cc"
#include "hwy/foreach_target.h"  // before highway.h
//
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace limpet {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

void Add(const double* increases, std::size_t size, double seconds, double* sums) {
  const hn::CappedTag<double, 8> d;
  const auto divisor = hn::Set(d, seconds);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= size; i += hn::Lanes(d)) {
    const auto rate = hn::Div(hn::LoadU(d, increases + i), divisor);
    const auto old = hn::LoadU(d, sums + i);
    const auto sum = hn::IfThenElse(hn::IsNaN(old), rate, hn::Add(old, rate));
    hn::StoreU(hn::IfThenElse(hn::IsNaN(rate), old, sum), d, sums + i);
  }
  for (; i < size; ++i) {
    const double rate = increases[i] / seconds;
    const double sum = IsMissing(sums[i]) ? rate : sums[i] + rate;
    sums[i] = IsMissing(rate) ? sums[i] : sum;
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace limpet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limpet {

HWY_EXPORT(Add);

void SumRates(std::span<const double> increases, double seconds, double* sums) {
  HWY_DYNAMIC_DISPATCH(Add)(increases.data(), increases.size(), seconds, sums);
}

}  // namespace limpet
#endif  // HWY_ONCE
