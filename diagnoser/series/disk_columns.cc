#include "diagnoser/series/disk_columns.h"

#include <algorithm>

#include "diagnoser/metrics/missing.h"
#include "exporter/common/units.h"

// Highway includes this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "diagnoser/series/disk_columns.cc"
#include "hwy/foreach_target.h"  // before highway.h
//
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace limpet {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes8 = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Lanes8>;

bool NothingMissing(const double* values, std::size_t size) {
  const Lanes8 d;
  const std::size_t lanes = hn::Lanes(d);
  auto all = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    // A NaN stays one through every sum, and two infinities of one sign do not make one.
    all = hn::Add(all, hn::Abs(hn::LoadU(d, values + i)));
  }
  bool whole = hn::AllFalse(d, hn::IsNaN(all));
  for (; i < size; ++i) {
    whole = whole && !IsMissing(values[i]);
  }
  return whole;
}

// What the amounts of a row are divided by, a vector of steps at a time: ComputeSamples
// (metrics/samples.h), operation for operation.
Vector Divided(const MetricRow& row, Vector amount, Vector requests, double seconds) {
  const Lanes8 d;
  if (row.formula.per == Per::kRequest) {
    return hn::IfThenZeroElse(hn::Lt(requests, hn::Set(d, kMinRequests)),
                              hn::Div(amount, requests));
  }
  if (row.formula.per == Per::kSecond) {
    return hn::Div(amount, hn::Set(d, seconds));
  }
  const auto hundred = hn::Set(d, 100.0);
  const auto share = hn::Div(hn::Mul(hundred, amount), hn::Set(d, 1000 * seconds));
  return hn::IfThenElse(hn::Gt(share, hundred), hundred, share);
}

// One metric's samples. Steps are taken by whole vectors, so up to 7 beyond the last are written.
void MakeSamples(const MetricRow& row, const double* columns, std::size_t stride, std::size_t steps,
                 double seconds, double* samples) {
  const Lanes8 d;
  const auto column = [&](std::size_t counter) { return columns + counter * stride; };
  const double* const first = column(row.formula.counters[0]);
  const bool is_sum = row.formula.counters[1] != Formula::kAbsent;
  const double* const second = is_sum ? column(row.formula.counters[1]) : nullptr;
  const double* const reads = column(Index(DiskCounter::kReads));
  const double* const writes = column(Index(DiskCounter::kWrites));
  const auto factor = hn::Set(d, row.formula.factor);
  for (std::size_t i = 0; i < steps; i += hn::Lanes(d)) {
    auto amount = hn::LoadU(d, first + i);
    if (is_sum) {
      amount = hn::Add(amount, hn::LoadU(d, second + i));
    }
    const auto requests = hn::Add(hn::LoadU(d, reads + i), hn::LoadU(d, writes + i));
    hn::StoreU(Divided(row, hn::Mul(amount, factor), requests, seconds), d, samples + i);
  }
}

// The last vector of means may reach beyond them by less than 8.
void MakeMeans(const double* samples, std::size_t count, std::size_t w, double* means) {
  const Lanes8 d;
  const auto divisor = hn::Set(d, static_cast<double>(w));
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    for (std::size_t k = 0; k < w; ++k) {
      sum = hn::Add(sum, hn::LoadU(d, samples + i + k));
    }
    hn::StoreU(hn::Div(sum, divisor), d, means + i);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace limpet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limpet {

HWY_EXPORT(NothingMissing);
HWY_EXPORT(MakeSamples);
HWY_EXPORT(MakeMeans);

DiskColumns::DiskColumns(std::size_t steps) : steps_(steps), values_(kDiskCounters * Stride()) {}

void DiskColumns::Put(DiskCounter counter, const IncreaseRange& range) {
  auto* to = Column(Index(counter)).data();
  to = std::fill_n(to, range.missing_before, kMissing);
  to = std::copy(range.older.begin(), range.older.end(), to);
  to = std::copy(range.newer.begin(), range.newer.end(), to);
  std::fill_n(to, range.missing_after, kMissing);
}

bool DiskColumns::IsWhole() const {
  return HWY_DYNAMIC_DISPATCH(NothingMissing)(values_.data(), values_.size());
}

std::vector<double> DiskColumns::SmoothedSamples(Duration step, std::size_t w) const {
  const std::size_t count = steps_ - w + 1;
  const std::size_t metrics = rows::kDisks.size();
  // One metric's samples at a time: they stay in the nearest cache for the means.
  std::vector<double> samples(Stride());
  std::vector<double> means(metrics * count + 7);
  for (std::size_t metric = 0; metric < metrics; ++metric) {
    HWY_DYNAMIC_DISPATCH(MakeSamples)
    (rows::kDisks[metric], values_.data(), Stride(), steps_, ToSeconds(step), samples.data());
    HWY_DYNAMIC_DISPATCH(MakeMeans)(samples.data(), count, w, means.data() + metric * count);
  }
  means.resize(metrics * count);
  return means;
}

}  // namespace limpet
#endif  // HWY_ONCE
