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

// SamplesOf (metrics.h), operation for operation, of several steps at once; in place.
void MakeSamples(double* columns, std::size_t stride, std::size_t steps, double seconds) {
  const Lanes8 d;
  const auto at = [&](auto counter_or_metric, std::size_t step) HWY_ATTR {
    return columns + static_cast<std::size_t>(counter_or_metric) * stride + step;
  };
  const auto per = [&](Vector amount, Vector requests) HWY_ATTR {
    return hn::IfThenZeroElse(hn::Lt(requests, hn::Set(d, kMinRequests)),
                              hn::Div(amount, requests));
  };
  const auto thousand = hn::Set(d, MillisecondsFromSeconds(1));
  const auto sector = hn::Set(d, SectorsFromBytes(1));
  const auto hundred = hn::Set(d, 100.0);
  const auto length = hn::Set(d, seconds);
  const auto length_ms = hn::Set(d, 1000 * seconds);
  for (std::size_t i = 0; i < steps; i += hn::Lanes(d)) {
    const auto of = [&](DiskCounter counter) HWY_ATTR { return hn::LoadU(d, at(counter, i)); };
    const auto requests = hn::Add(of(DiskCounter::kReads), of(DiskCounter::kWrites));
    const auto read = hn::Mul(of(DiskCounter::kReadBytes), sector);
    const auto written = hn::Mul(of(DiskCounter::kWrittenBytes), sector);
    const auto busy_ms = hn::Mul(of(DiskCounter::kBusySeconds), thousand);
    const auto waited_ms =
        hn::Mul(hn::Add(of(DiskCounter::kReadSeconds), of(DiskCounter::kWriteSeconds)), thousand);
    const auto queue = hn::Div(of(DiskCounter::kWeightedSeconds), length);
    const auto util = hn::Div(hn::Mul(hundred, busy_ms), length_ms);
    const auto set = [&](DiskMetric metric, Vector value)
                         HWY_ATTR { hn::StoreU(value, d, at(metric, i)); };
    set(DiskMetric::kUtil, hn::IfThenElse(hn::Gt(util, hundred), hundred, util));
    set(DiskMetric::kQueueSize, queue);
    set(DiskMetric::kRequestSize, per(hn::Add(read, written), requests));
    set(DiskMetric::kAwait, per(waited_ms, requests));
    set(DiskMetric::kRead, hn::Div(read, length));
    set(DiskMetric::kServiceTime, per(busy_ms, requests));
    set(DiskMetric::kRequests, hn::Div(requests, length));
    set(DiskMetric::kWrite, hn::Div(written, length));
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
  auto* to = Column(static_cast<std::size_t>(counter)).data();
  to = std::fill_n(to, range.missing_before, kMissing);
  to = std::copy(range.older.begin(), range.older.end(), to);
  to = std::copy(range.newer.begin(), range.newer.end(), to);
  std::fill_n(to, range.missing_after, kMissing);
}

bool DiskColumns::IsWhole() const {
  return HWY_DYNAMIC_DISPATCH(NothingMissing)(values_.data(), values_.size());
}

std::vector<double> DiskColumns::SmoothedSamples(Duration step, std::size_t w) && {
  HWY_DYNAMIC_DISPATCH(MakeSamples)(values_.data(), Stride(), steps_, ToSeconds(step));
  const std::size_t count = steps_ - w + 1;
  std::vector<double> means(kDiskMetricNames.size() * count + 7);
  for (std::size_t metric = 0; metric < kDiskMetricNames.size(); ++metric) {
    HWY_DYNAMIC_DISPATCH(MakeMeans)
    (values_.data() + metric * Stride(), count, w, means.data() + metric * count);
  }
  means.resize(kDiskMetricNames.size() * count);
  return means;
}

}  // namespace limpet
#endif  // HWY_ONCE
