#include "diagnoser/detect/wasserstein/gates.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace limpet {
namespace {

constexpr double kEffect = 0.25;  // a quarter more than its peers is a window degree of 1
constexpr double kZ = 3;
constexpr double kMinSpread = 0.02;    // of the median mean: peers are never more alike than that
constexpr double kFloorSpreads = 100;  // the floor is so many times the least spread
constexpr double kMinWindowRequests = 30;
constexpr double kFullyBusy = 100;  // %
constexpr double kBusyUtil = 90;    // %
// Busy time that is capped by wall time says nothing of devices with many requests in flight: then
// all are always busy. In a striped closed loop the slowest disks are, and the others have the more
// idle time the faster they are.
constexpr double kCappedUtil = 99;
constexpr double kLargeAwaitEffect = 10;
constexpr double kNetworkFloor = 1024;     // B/s, in e and z
constexpr double kBalanceFloor = 1 << 20;  // B/s
// A busier disk also seeks more: on a healthy Ceph the one with a third more requests took 1.27
// times as long for them.
constexpr double kBusiestEffect = 0.33;
// Flash under half a millisecond: one 1.5 times slower showed 0.324 in the window that it filled to
// seven eighths.
constexpr double kBriefEffect = 0.3;
// Where busy time says nothing of it: one that has a third more to do waits that much longer.
constexpr double kBusiestCappedEffect = 0.5;
constexpr double kSlowAwait = 0.1;  // of the peers' await
// Healthy disks of the lab's file systems need within 5 % of the same time for the same work; real
// ones may be less alike.
constexpr double kMinSlowdownScatter = 0.03;
// Of 3,006 production drives 200 had a quarter more throughput than their peers for 20 minutes, and
// an await 3 % above theirs.
constexpr double kHogEffect = 0.5;
// Of samples further apart a burst of some minutes fills the short windows: on healthy drives it
// doubled and trebled a drive's bytes while it waited up to two thirds longer. There the wait has
// to be as far from the peers' as the time scale asks of everything else, and this far.
constexpr Duration kEverySecond = std::chrono::seconds(1);
constexpr double kHogAwait = 0.8;
constexpr double kRelativeFlashFloor = 0.1;  // of the median of means
constexpr double kMinFlashFloor = 0.02;      // ms
// Flash that is asked less often, and its host's processors, sleep between requests, each as deep
// as it pleases: power states of drives begin after some 50 ms.
constexpr double kAwakeRequests = 20;  // a second
constexpr double kLargest = 1e300;     // stands for an infinite degree: JSON has no infinity

constexpr double kExplainedByTraffic = 0.5;  // of a deficit
constexpr double kOneDisksPart = 0.5;        // of a surplus

// s: in windows of so long a balance of the preset's own effect is no buffer's, and a slower device
// is slower. A time scale asks for more in as much as its windows are shorter, however many samples
// they have.
constexpr double kSettledWindow = 64;
// Samples in which a device's time for its work is known as well as the preset's own effect wants.
constexpr std::size_t kSettledSamples = 32;

double Quotient(double s, double denominator) {
  if (s <= 0) {
    return 0;
  }
  return denominator > 0 ? std::min(s / denominator, kLargest) : kLargest;
}

// The most that a device may count for by how far its mean is from those of the other servers'
// devices in its place. Their spread is not known apart: it is taken to grow with the mean.
double LikeBound(const Comparison& comparison, std::size_t component, const GateFacts& facts,
                 double floor) {
  if (!facts.like) {
    return kLargest;
  }
  const double mean = comparison.mean[component];
  const bool high = mean > comparison.median_mean;
  const double away = high ? mean - *facts.like : *facts.like - mean;
  const double larger =
      comparison.median_mean > 0 ? std::max(1.0, *facts.like / comparison.median_mean) : 1.0;
  const double spread = std::max({comparison.median_iqr * larger, facts.like_scatter,
                                  kMinSpread * *facts.like, floor / kFloorSpreads});
  return std::min(Quotient(away, std::max(*facts.like, floor)) / kEffect,
                  Quotient(away, spread) / kZ);
}

// The middle of the others: where half of the servers have a hog, of a server with one it is one
// without.
double OthersMean(const Comparison& comparison, std::size_t component) {
  const auto& [lower, upper] = comparison.middle_means;
  return comparison.mean[component] >= upper ? lower : upper;
}

// How far a surplus is from the peers' balance and, unless clients starve, from 0.
double SurplusOf(const Comparison& comparison, std::size_t component, const GateFacts& facts) {
  const double mean = comparison.mean[component];
  const double surplus = std::min(mean, mean - OthersMean(comparison, component));
  // Not beside those of whose network hogs half of the servers have.
  return facts.carried.starved ? std::max(surplus, mean - comparison.middle_means[1]) : surplus;
}

// How far a balance is from the peers', of a surplus without what is doubtful.
double Imbalance(const Comparison& comparison, std::size_t component, const GateFacts& facts) {
  const double away = comparison.mean[component] - OthersMean(comparison, component);
  return away < 0 ? -away : SurplusOf(comparison, component, facts) - facts.carried.doubtful;
}

// What of a surplus one of several disks moves by itself, B/s.
double AtOneDisk(const Comparison& comparison, std::size_t component, const GateFacts& facts) {
  const double away = SurplusOf(comparison, component, facts);
  const double more = facts.carried.at_one_disk;
  return facts.carried.surplus && more >= kOneDisksPart * away
             ? std::min(away, more) - facts.carried.doubtful
             : 0;
}

// Of it beside the other servers' disks in its place: of two dozen even a starved one moves little
// of what the server does. Disks are unlike each other by themselves, and many together less so.
GatedDegree OneDisksDegree(const Comparison& comparison, std::size_t component,
                           const GateFacts& facts, double spread, double floor) {
  const double one = AtOneDisk(comparison, component, facts);
  if (one <= floor) {
    return {};
  }
  const auto& carried = facts.carried;
  const double alike = kMinSpread * carried.bytes / std::sqrt(static_cast<double>(carried.disks));
  GatedDegree result;
  result.effect = Quotient(one, std::max(carried.of_one_disk, floor));
  result.z = Quotient(one, std::max({spread, alike, floor / kFloorSpreads}));
  result.degree = std::min(result.effect / kEffect, result.z / kZ);
  return result;
}

// The most that a balance may count for, by the traffic that would explain it.
double TrafficBound(const MetricRow& metric, double away, const GateFacts& facts) {
  if (away >= 0) {
    return kLargest;
  }
  const auto& carried = facts.carried;
  if (carried.excess && *carried.excess >= kExplainedByTraffic * -away && carried.usual > 0 &&
      -away >= (1 - carried.usual / 2) * *carried.excess) {
    return kLargest;
  }
  return metric.checklist.symptom == Symptom::kUnsent ? facts.sent_degree : facts.received_degree;
}

// How much longer the disk of a hog has to wait.
double HogAwait(const PresetSettings& preset) {
  if (preset.step <= kEverySecond) {
    return kEffect;
  }
  const double asked = kEffect * preset.threshold_factor;
  return preset.IsScale() ? std::max(kHogAwait, asked) : asked;
}

bool Passes(const MetricRow& metric, const Comparison& comparison, std::size_t component,
            double effect, double floor, const PresetSettings& preset, const GateFacts& facts) {
  const double mean = comparison.mean[component];
  // A hog makes its own numbers rise; that its victims' fall is its doing, not theirs.
  if (preset.hog_direction && metric.only_high &&
      comparison.direction[component] != Direction::kHigh) {
    return false;
  }
  switch (metric.gate) {
    case Gate::kLatency:
      return facts.requests >= kMinWindowRequests && mean > floor;
    case Gate::kThroughput:
      return std::abs(mean - comparison.median_mean) > floor &&
             (!preset.balance || (effect >= kHogEffect && facts.await_effect >= HogAwait(preset)));
    case Gate::kNetwork:
      return facts.mean_difference > floor;
    case Gate::kBalance: {
      // Beside peers alone, a server with less cache than they would look like one with a hog.
      const double away = mean - OthersMean(comparison, component);
      const double least = floor + facts.carried.doubtful;
      return (facts.carried.surplus && SurplusOf(comparison, component, facts) > least) ||
             (facts.carried.deficit && away < -floor && mean < -floor);
    }
    case Gate::kNone:
      break;
  }
  return true;
}

// Whether what the device takes for its work proves more than the floor.
bool IsTimed(const PresetSettings& preset, const GateFacts& facts) {
  return facts.timed_flash && preset.service_time == ServiceTime::kDevice;
}

double WindowSeconds(const PresetSettings& preset) {
  return ToSeconds(preset.step) * static_cast<double>(preset.window);
}

bool IsAwake(const PresetSettings& preset, const GateFacts& facts) {
  return facts.requests >= kAwakeRequests * WindowSeconds(preset);
}

// Latencies of flash span two orders of magnitude, so one floor fits few of them.
double FlashFloor(const PresetSettings& preset, const GateFacts& facts, double median) {
  const double relative = std::max(kMinFlashFloor, kRelativeFlashFloor * median);
  return preset.latency_floor_flash <= 0 ? relative
         : IsTimed(preset, facts)        ? std::min(relative, preset.latency_floor_flash)
                                         : preset.latency_floor_flash;
}

double Floor(const MetricRow& metric, const PresetSettings& preset, const GateFacts& facts,
             double median) {
  const double floor = preset.NoiseFloor(metric.name);
  if (metric.gate == Gate::kBalance && floor <= 0) {
    return kBalanceFloor;
  }
  return metric.gate == Gate::kLatency && facts.flash && IsAwake(preset, facts)
             ? std::min(floor, FlashFloor(preset, facts, median))
             : floor;
}

// Takes back the part of a time scale's factor that its windows are too long for: in short ones
// buffers empty, and the time that a disk takes for its work scatters.
double WindowRelief(const PresetSettings& preset) {
  const double factor = preset.threshold_factor;
  return factor > 1 ? factor / std::clamp(kSettledWindow / WindowSeconds(preset), 1.0, factor) : 1;
}

// What a slower device needs no more of than in the preset's own windows. In 16 samples it does: a
// healthy path beside a disk hog was called busy.
double SamplesRelief(const PresetSettings& preset) {
  return preset.window >= kSettledSamples ? std::max(1.0, preset.threshold_factor) : 1;
}

double DeviceRelief(const PresetSettings& preset) {
  return std::max(WindowRelief(preset), SamplesRelief(preset));
}

double LeastExcess(const GateFacts& facts, bool brief) {
  return facts.busiest ? kBusiestEffect : brief ? kBriefEffect : kEffect;
}

double DeviceBound(const PresetSettings& preset, const GateFacts& facts, bool brief) {
  return DeviceRelief(preset) * *facts.svctm_effect / LeastExcess(facts, brief);
}

// The most that await may count for, by its service time.
double SvctmBound(double await_effect, const PresetSettings& preset, const GateFacts& facts,
                  bool brief) {
  if (!facts.svctm_effect || preset.svctm_gate == SvctmGate::kOff) {
    return kLargest;
  }
  // Busy time may be capped, and a disk idle at times: the kernel's clock knows better.
  if (facts.device_time && facts.device_time->decides) {
    return DeviceBound(preset, facts, brief);
  }
  // Requests do not queue at a disk that has idle time: its await is its own.
  if (preset.svctm_gate == SvctmGate::kBusy && facts.mean_util.value_or(kFullyBusy) < kBusyUtil) {
    return kLargest;
  }
  if (preset.svctm_gate == SvctmGate::kUncapped && facts.least_util >= kCappedUtil) {
    return kLargest;
  }
  if (preset.svctm_gate == SvctmGate::kUncapped && facts.busy_within_limit) {
    return facts.busiest ? await_effect / kBusiestCappedEffect : kLargest;
  }
  if (preset.svctm_gate == SvctmGate::kEither && await_effect > kLargeAwaitEffect) {
    return kLargest;
  }
  return DeviceBound(preset, facts, brief);
}

double AwaitExcess(const Comparison& comparison, std::size_t component) {
  return comparison.median_mean > 0 ? comparison.mean[component] / comparison.median_mean - 1 : 0;
}

// What the device's time for its work proves by itself.
double SlowdownDegree(const Comparison& comparison, std::size_t component,
                      const PresetSettings& preset, const GateFacts& facts, bool brief) {
  if (!facts.slowdown || AwaitExcess(comparison, component) < kSlowAwait) {
    return 0;
  }
  const double excess = *facts.slowdown - 1;
  return std::min(SamplesRelief(preset) * excess / LeastExcess(facts, brief),
                  excess / (kZ * std::max(kMinSlowdownScatter, facts.slowdown_scatter)));
}

// Disks and network balance over a window, not at every instant: the spread of samples is that of
// buffers, and what is left of it in a mean is the less the longer the window.
double BalanceSpread(const Comparison& comparison, const PresetSettings& preset,
                     const GateFacts& facts) {
  const auto independent = static_cast<double>(preset.window) /
                           static_cast<double>(std::max<std::size_t>(preset.smoothing, 1));
  return std::max(facts.means_scatter, comparison.median_iqr / std::sqrt(independent));
}

}  // namespace

GatedDegree GateDegree(const Comparison& comparison, std::size_t component, const MetricRow& metric,
                       const PresetSettings& preset, const GateFacts& facts) {
  const double floor = Floor(metric, preset, facts, comparison.median_mean);
  const double scale_floor = metric.gate == Gate::kNetwork ? std::min(floor, kNetworkFloor) : floor;
  const bool balance = metric.gate == Gate::kBalance;
  const double away = comparison.mean[component] - OthersMean(comparison, component);
  const double s = balance ? Imbalance(comparison, component, facts) : comparison.s[component];
  const double median = balance ? facts.carried.bytes : comparison.median_mean;
  const double spread = balance ? BalanceSpread(comparison, preset, facts) : comparison.median_iqr;
  GatedDegree result;
  result.effect = Quotient(s, std::max(median, scale_floor));
  result.z = Quotient(s, std::max({spread, kMinSpread * median, scale_floor / kFloorSpreads}));
  if (!Passes(metric, comparison, component, result.effect, floor, preset, facts)) {
    return result;
  }
  result.degree = std::min({(balance ? WindowRelief(preset) : 1) * result.effect / kEffect,
                            result.z / kZ, LikeBound(comparison, component, facts, scale_floor)});
  if (balance) {
    // Of samples further apart a burst of some minutes would be one.
    if (const auto one = OneDisksDegree(comparison, component, facts, spread, scale_floor);
        preset.step <= kEverySecond && one.degree > result.degree) {
      result = one;
    }
    result.degree = std::min(result.degree, TrafficBound(metric, away, facts));
  }
  if (metric.judged_with) {
    const bool brief =
        IsTimed(preset, facts) && comparison.mean[component] < preset.latency_floor_flash;
    result.degree =
        std::max(std::min(result.degree, SvctmBound(result.effect, preset, facts, brief)),
                 SlowdownDegree(comparison, component, preset, facts, brief));
  }
  result.degree = std::min(result.degree, kLargest);
  return result;
}

// Effect and z grow with s and nothing else here depends on it, so a degree made from the bound is
// a bound of the degree. The gate of another metric reads the effect alone, so that must not reach
// the threshold even where z keeps the own degree small.
bool GatedBoundSuffices(const Comparison& comparison, std::size_t component,
                        const MetricRow& metric, const PresetSettings& preset,
                        const GateFacts& facts, double threshold) {
  // How long the device takes is not known yet, and its own degree does not depend on s.
  if (metric.judged_with && preset.service_time == ServiceTime::kDevice &&
      AwaitExcess(comparison, component) >= kSlowAwait) {
    return false;
  }
  const auto gated = GateDegree(comparison, component, metric, preset, facts);
  return (metric.judges ? DeviceRelief(preset) * gated.effect / kEffect : gated.degree) <=
         threshold;
}

double FarDistance(const Comparison& comparison, std::size_t component, double threshold) {
  const double effect = comparison.effect[component];
  const double z = comparison.z[component];
  if (effect <= 0 || z <= 0) {
    return std::numeric_limits<double>::infinity();
  }
  // degree = min(e / kEffect, z / kZ), so the larger of the two quotients decides.
  return threshold * comparison.s[component] * std::max(kEffect / effect, kZ / z);
}

}  // namespace limpet
