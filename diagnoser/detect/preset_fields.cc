#include "diagnoser/detect/preset_fields.h"

#include <limits>

#include "diagnoser/detect/detectors.h"
#include "diagnoser/detect/training.h"

namespace limpet {
namespace {

constexpr std::int64_t kMaxComponents = 1'000'000'000;

template <auto member>
ChoiceField Choice(const std::vector<std::string>& names) {
  return {
      .names = names,
      .get = [](const PresetSettings& preset) { return static_cast<std::size_t>(preset.*member); },
      .set =
          [](PresetSettings& preset, std::size_t value) {
            using Enum = std::remove_reference_t<decltype(preset.*member)>;
            preset.*member = static_cast<Enum>(value);
          }};
}

// When trained thresholds depend on a key: always, or when the detector says that it reads it.
bool Always(const PresetSettings&) { return true; }
bool DetectorReads(const PresetSettings& preset, const char* key) {
  return MakeDetector(preset)->Training().settings.contains(key);
}

using P = PresetSettings;

// Rows with kDependsAlways are hashed in this order (DescribeForState): their order is part of the
// format of the state file and must stay.
std::vector<PresetField> WindowFields() {
  constexpr auto kInState = SavedState::kDependsAlways;
  return {
      {.key = "name",
       .kind = TextField{&P::name},
       .text = "used in metrics, events and thresholds; unique"},
      {.key = "step",
       .kind = TimeField{&P::step},
       .text = "step of the time grid; scrape at least once every max_gap",
       .trained = Always,
       .state = kInState},
      {.key = "smoothing",
       .kind = CountField{&P::smoothing, 1, 1000},
       .text = "samples in the trailing mean",
       .trained = Always,
       .state = kInState},
      {.key = "window",
       .kind = CountField{&P::window, 5, 100'000},
       .text = "samples in a window",
       .trained = Always,
       .state = kInState},
      {.key = "shift",
       .kind = CountField{&P::shift, 1, 100'000},
       .text = "samples between window ends",
       .trained = Always,
       .state = kInState},
      {.key = "k",
       .kind = CountField{&P::k, 1, 100},
       .text = "a component is flagged when anomalous in k of its last 2k-1 windows",
       .trained = Always,
       .state = kInState},
  };
}

std::vector<PresetField> ComparisonFields() {
  constexpr auto kInState = SavedState::kDependsAlways;
  return {
      {.key = "distance",
       .kind = Choice<&P::distance>(DetectorNames()),
       .text = "how components are compared",
       .trained = Always,
       .state = kInState},
      {.key = "bins",
       .kind = Choice<&P::bins>({"sturges", "freedman-diaconis"}),
       .text = "kl and cdf: rule for the number of bins",
       .trained = [](const P& preset) { return DetectorReads(preset, "bins"); },
       .state = kInState},
      {.key = "iqr",
       .kind = Choice<&P::iqr>({"pooled", "within"}),
       .text = "freedman-diaconis: quartile range of all samples, or within components",
       .trained = [](const P& preset) { return DetectorReads(preset, "iqr"); },
       .state = kInState},
      {.key = "hog_direction",
       .kind = BoolField{&P::hog_direction},
       .text = "throughput and await are anomalous only when high",
       .trained = [](const P& preset) { return DetectorReads(preset, "hog_direction"); }},
      {.key = "svctm_gate",
       .kind = Choice<&P::svctm_gate>({"always", "busy", "either", "off", "uncapped"}),
       .text = "w1: when a high await counts only with a high service time",
       .trained = [](const P& preset) { return DetectorReads(preset, "svctm_gate"); },
       .state = kInState,
       .state_name = "gate"},
      {.key = "service_time",
       .kind = Choice<&P::service_time>({"request", "device"}),
       .text = "w1: service time by request, or by what peers need for the same requests and bytes",
       .trained = [](const P& preset) { return DetectorReads(preset, "service_time"); },
       .state = SavedState::kDependsOnValue},
      {.key = "balance",
       .kind = BoolField{&P::balance},
       .text = "hogs need an imbalance between the server's disks and network, where known",
       .state = SavedState::kDependsOnValue},
      {.key = "device_kinds",
       .kind = BoolField{&P::device_kinds},
       .text = "of several devices a server, each is also held against those in its place on the "
               "other servers (distance w1)"},
      {.key = "scatter",
       .kind = Choice<&P::scatter>({"own", "residuals"}),
       .text = "w1: measure z in the peers' own spread, or in that of their residuals",
       .trained = [](const P& preset) { return DetectorReads(preset, "scatter"); }},
  };
}

std::vector<PresetField> DataFields() {
  constexpr auto kInState = SavedState::kDependsAlways;
  return {
      {.key = "latency_floor_flash",
       .kind = NumberField{&P::latency_floor_flash, 1e-6, 1e6, "a tenth of the group's median"},
       .text = "w1: floor of await and svctm for flash with 20 requests a second, ms",
       .state = kInState,
       .state_name = "flash"},
      {.key = "noise_floor_relative",
       .kind = NumberField{&P::noise_floor_relative, 0, 1e6},
       .text = "kl and cdf: ignore differences below this fraction of the median",
       .state = kInState,
       .state_name = "relative"},
      {.key = "max_gap",
       .kind = DerivedTimeField{&P::max_gap, &P::MaxGap},
       .text = "samples between readings further apart are missing; default: max(5s, 2.5 steps)",
       .state = kInState,
       .state_name = "gap"},
      {.key = "noise_floor",
       .kind = ByMetricField{&P::noise_floor, false},
       .text = "ignore smaller differences; by metric, in ms, sectors/s or B/s",
       .state = kInState,
       .state_name = "floor"},
      {.key = "doubt_readings",
       .kind = BoolField{&P::doubt_readings},
       .text = "a counter that falls has not restarted at 0 unless its source says so, and what "
               "one rose by at once indicts nobody"},
      {.key = "exact_up_to",
       .kind = CountField{&P::exact_up_to, 2, kMaxComponents},
       .text = "in groups of more components, degrees of unsuspicious ones are upper bounds"},
      {.key = "domain_size",
       .kind = CountField{&P::domain_size, 3, kMaxComponents, "off"},
       .text = "larger groups are compared in rotating domains of at least this size"},
      {.key = "domain_seed",
       .kind = CountField{&P::domain_seed, 0, std::numeric_limits<std::int64_t>::max()},
       .text = "seed for dealing components into domains"},
  };
}

std::vector<PresetField> VerdictFields() {
  return {
      {.key = "ranking",
       .kind = BoolField{&P::ranking},
       .text = "servers far less deviant than the worst are secondary, not indicted"},
      {.key = "ranking_scope",
       .kind = Choice<&P::ranking_scope>({"all", "peers"}),
       .text = "compare with the worst of all servers, or of those that share a peer group"},
      {.key = "rho",
       .kind = NumberField{&P::rho, 1, 1e6},
       .text = "secondary: a degree below 1/rho of the worst"},
      {.key = "default_threshold",
       .kind = NumberField{&P::default_threshold, 1e-6, 1e9},
       .text = "threshold of components without training"},
      {.key = "default_thresholds",
       .kind = ByMetricField{&P::default_thresholds, true},
       .text = "the same for single metrics"},
      {.key = "threshold_factor",
       .kind = NumberField{&P::threshold_factor, 1e-3, 1e6},
       .text = "all thresholds of degrees, trained or not, are so many times as high"},
      {.key = "training_scale",
       .kind = NumberField{&P::training_scale, 1, 1000},
       .text = "training: thresholds are this many times the degrees seen"},
      {.key = "training_cap",
       .kind = NumberField{&P::training_cap, 1, 1e6, "no bound"},
       .text = "training: largest threshold; kl and cdf: times the group's median"},
      {.key = "retransmissions",
       .kind = BoolField{&P::retransmissions},
       .text = "packet loss is told by segments sent again, where exporters count them",
       .state = SavedState::kDependsOnValue},
      {.key = "round_trips",
       .kind = BoolField{&P::round_trips},
       .text = "delay without loss is told by connections' round-trip times"},
      {.key = "training_deviant",
       .kind = Choice<&P::training_deviant>({"cap", "group"}),
       .text = "training: who is deviant has a threshold of its own up to the cap, or its group's"},
      {.key = "cwnd_f",
       .kind = NumberField{&P::cwnd_f, kMinCwndF, kMaxCwndF},
       .text = "congestion windows: anomalous below f times the peers' median logarithm"},
      {.key = "cwnd_events",
       .kind = BoolField{&P::cwnd_events},
       .text = "write an event with the congestion windows of every second"},
      {.key = "max_named_peers",
       .kind = CountField{&P::max_named_peers, 0, 1000},
       .text = "peers named in evidence, as far and as near ones each"},
      {.key = "hourly_top",
       .kind = CountField{&P::hourly_top, 1, 1000},
       .text = "components in a row of the hourly list"},
      {.key = "hourly_metric",
       .kind = TextField{&P::hourly_metric},
       .text = "metric whose accumulators the hourly list shows"},
  };
}

}  // namespace

std::span<const PresetField> PresetFields() {
  static const auto kFields = [] {
    auto fields = WindowFields();
    for (const auto& part : {ComparisonFields(), DataFields(), VerdictFields()}) {
      fields.insert(fields.end(), part.begin(), part.end());
    }
    return fields;
  }();
  return kFields;
}

}  // namespace limpet
