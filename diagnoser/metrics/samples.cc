#include "diagnoser/metrics/samples.h"

#include <algorithm>
#include <cmath>

#include "diagnoser/metrics/missing.h"
#include "exporter/common/units.h"

namespace limpet {
namespace {

double Per(double amount, double requests) {
  if (IsMissing(amount) || IsMissing(requests)) {
    return kMissing;
  }
  return requests < kMinRequests ? 0.0 : amount / requests;
}

}  // namespace

// A missing increase is a NaN, so sums and quotients of it are missing by themselves.
DiskSamples SamplesOf(const DiskIncreases& increases, Duration step) {
  const auto of = [&](DiskCounter counter) { return increases[static_cast<std::size_t>(counter)]; };
  const double seconds = ToSeconds(step);
  const double requests = of(DiskCounter::kReads) + of(DiskCounter::kWrites);
  const double read = SectorsFromBytes(of(DiskCounter::kReadBytes));
  const double written = SectorsFromBytes(of(DiskCounter::kWrittenBytes));
  const double busy_ms = MillisecondsFromSeconds(of(DiskCounter::kBusySeconds));
  const double waited_ms =
      MillisecondsFromSeconds(of(DiskCounter::kReadSeconds) + of(DiskCounter::kWriteSeconds));
  DiskSamples samples{};
  const auto set = [&](DiskMetric metric, double value) {
    samples[static_cast<std::size_t>(metric)] = value;
  };
  const double util = 100 * busy_ms / (1000 * seconds);
  set(DiskMetric::kUtil, util > 100 ? 100.0 : util);
  set(DiskMetric::kQueueSize, of(DiskCounter::kWeightedSeconds) / seconds);
  set(DiskMetric::kRequestSize, Per(read + written, requests));
  set(DiskMetric::kAwait, Per(waited_ms, requests));
  set(DiskMetric::kRead, read / seconds);
  set(DiskMetric::kServiceTime, Per(busy_ms, requests));
  set(DiskMetric::kRequests, requests / seconds);
  set(DiskMetric::kWrite, written / seconds);
  return samples;
}

}  // namespace limpet
