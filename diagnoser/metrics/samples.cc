#include "diagnoser/metrics/samples.h"

#include <algorithm>

#include "diagnoser/metrics/missing.h"
#include "exporter/common/units.h"

namespace limpet {
namespace {

// A missing increase is a NaN, so sums and quotients of it are missing by themselves; comparisons
// are not, which is why each of them asks.
double SumOf(const Formula& formula, const DiskIncreases& increases) {
  const double first = increases[formula.counters[0]];
  return formula.counters[1] == Formula::kAbsent ? first : first + increases[formula.counters[1]];
}

double PerRequest(double amount, double requests) {
  if (IsMissing(amount) || IsMissing(requests)) {
    return kMissing;
  }
  return requests < kMinRequests ? 0.0 : amount / requests;
}

// Busy milliseconds of a step may exceed it by a little, since both clocks are read apart.
double BusyShare(double busy_ms, double seconds) {
  const double share = 100 * busy_ms / MillisecondsFromSeconds(seconds);
  return share > 100 ? 100.0 : share;
}

}  // namespace

DiskSamples SamplesOf(const DiskIncreases& increases, Duration step) {
  const double seconds = ToSeconds(step);
  const double requests =
      increases[Index(DiskCounter::kReads)] + increases[Index(DiskCounter::kWrites)];
  DiskSamples samples{};
  std::transform(rows::kDisks.begin(), rows::kDisks.end(), samples.begin(),
                 [&](const MetricRow& row) {
                   const double amount = SumOf(row.formula, increases) * row.formula.factor;
                   switch (row.formula.per) {
                     case Per::kSecond:
                       return amount / seconds;
                     case Per::kRequest:
                       return PerRequest(amount, requests);
                     case Per::kBusyShare:
                       return BusyShare(amount, seconds);
                     case Per::kReading:
                     case Per::kNothing:
                       break;
                   }
                   return kMissing;
                 });
  return samples;
}

}  // namespace limpet
