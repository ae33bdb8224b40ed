#include "diagnoser/detect/gates.h"

#include <algorithm>
#include <cmath>

namespace limpet {
namespace {

constexpr double kEffect = 0.25;  // a quarter more than its peers is a window degree of 1
constexpr double kZ = 3;
constexpr double kMinSpread = 0.02;  // of the median mean: peers are never more alike than that
constexpr double kMinRequests = 30;
constexpr double kBusyUtil = 90;
constexpr double kLargeAwaitEffect = 10;
constexpr double kNetworkFloor = 1024;  // B/s, in e and z
constexpr double kLargest = 1e300;

enum class Subject { kLatency, kThroughput, kNetwork, kOther };

Subject SubjectOf(std::string_view metric) {
  if (metric == "await" || metric == "svctm") {
    return Subject::kLatency;
  }
  if (metric == "rd_sec" || metric == "wr_sec") {
    return Subject::kThroughput;
  }
  return metric == "rxbyt" || metric == "txbyt" ? Subject::kNetwork : Subject::kOther;
}

double Quotient(double s, double denominator) {
  if (s <= 0) {
    return 0;
  }
  return denominator > 0 ? std::min(s / denominator, kLargest) : kLargest;
}

bool Passes(Subject subject, std::string_view metric, double mean, double median_mean,
            Direction direction, double floor, const PresetSettings& preset,
            const GateFacts& facts) {
  const bool judged_by_direction =
      subject == Subject::kThroughput || subject == Subject::kNetwork || metric == "await";
  if (preset.hog_direction && judged_by_direction && direction != Direction::kHigh) {
    return false;
  }
  switch (subject) {
    case Subject::kLatency:
      return facts.requests >= kMinRequests && mean > floor;
    case Subject::kThroughput:
      return std::abs(mean - median_mean) > floor;
    case Subject::kNetwork:
      return facts.mean_difference > floor;
    case Subject::kOther:
      break;
  }
  return true;
}

// The most that await may count for, by its service time.
double SvctmBound(double await_effect, const PresetSettings& preset, const GateFacts& facts) {
  if (!facts.svctm_effect || preset.svctm_gate == SvctmGate::kOff) {
    return kLargest;
  }
  if (preset.svctm_gate == SvctmGate::kBusy && facts.mean_util.value_or(100) < kBusyUtil) {
    return kLargest;
  }
  if (preset.svctm_gate == SvctmGate::kEither && await_effect > kLargeAwaitEffect) {
    return kLargest;
  }
  return *facts.svctm_effect / kEffect;
}

}  // namespace

GatedDegree GateDegree(const PeerComparison& comparison, std::size_t component,
                       std::string_view metric, const PresetSettings& preset,
                       const GateFacts& facts) {
  const auto subject = SubjectOf(metric);
  double floor = preset.NoiseFloor(metric);
  if (subject == Subject::kLatency && facts.flash) {
    floor = std::min(floor, preset.latency_floor_flash);
  }
  const double scale_floor = subject == Subject::kNetwork ? std::min(floor, kNetworkFloor) : floor;
  const double s = comparison.s[component];
  GatedDegree result;
  result.effect = Quotient(s, std::max(comparison.median_mean, scale_floor));
  result.z = Quotient(
      s, std::max({comparison.median_iqr, kMinSpread * comparison.median_mean, scale_floor / 100}));
  if (!Passes(subject, metric, comparison.mean[component], comparison.median_mean,
              comparison.direction[component], floor, preset, facts)) {
    return result;
  }
  result.degree = std::min(result.effect / kEffect, result.z / kZ);
  if (metric == "await") {
    result.degree = std::min(result.degree, SvctmBound(result.effect, preset, facts));
  }
  result.degree = std::min(result.degree, kLargest);
  return result;
}

// Effect and z grow with s and nothing else here depends on it, so a degree made from the bound is
// a bound of the degree.
bool BoundSuffices(const PeerComparison& comparison, std::size_t component, std::string_view metric,
                   const PresetSettings& preset, const GateFacts& facts, double threshold) {
  if (preset.distance != DistanceKind::kW1) {
    return comparison.s[component] <= threshold;
  }
  const auto gated = GateDegree(comparison, component, metric, preset, facts);
  return (metric == "svctm" ? gated.effect / kEffect : gated.degree) <= threshold;
}

}  // namespace limpet
