// preset.h: every number of the peer comparison, and the sets of them that have names.
//
// The step, window and threshold settings are those of the papers ([Kasick10 §10.1], [Kasick12
// §4.2]) or, for the untrained default, ours; what each does is in docs/how-it-decides.md. Threads:
// values.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "diagnoser/series/window_shape.h"
#include "exporter/common/time.h"

namespace limpet {

// The number of a row of the table of detectors (detectors.cc), which asks for it and nobody else.
// Only the rows of built-in presets have a name here.
enum class DistanceKind : std::uint8_t { kKl, kCdf, kW1 };
enum class BinRule { kSturges, kFreedmanDiaconis };
enum class IqrKind { kPooled, kWithin };
// The condition under which a high await needs a high service time beside it (w1 only).
enum class SvctmGate { kAlways, kBusy, kEither, kOff, kUncapped };
enum class TrainingDeviant { kCap, kGroup };
// The service time that is meant: busy time per request, or what a device of the peers would need
// for the same requests and bytes (device_time.h).
enum class ServiceTime { kRequest, kDevice };
// The unit that z is measured in (w1 only): the peers' own spread, or what is left of it when that
// which all do at the same time is taken away (wasserstein/scatter.h).
enum class Scatter { kOwn, kResiduals };

// Whom a flagged server is ranked against: all that are flagged, or those that it shares a peer
// group with, directly or through others.
enum class RankingScope { kAll, kPeers };

// The preset of which another one is a time scale (time_scales.h).
struct ScaleOf {
  std::string preset;  // empty: of none, it stands for itself
  std::string scale;   // "fast"
  bool operator==(const ScaleOf&) const = default;
};

struct PresetSettings {
  std::string name = "default";
  ScaleOf scale_of;
  Duration step = std::chrono::seconds(1);  // of the grid; at least 1 ms
  std::size_t smoothing = 5;                // w: samples of the trailing mean, at least 1
  std::size_t window = 64;                  // W: samples a window, at least 5
  std::size_t shift = 32;                   // S: samples between window ends, at least 1
  std::size_t k = 3;                        // flagged: k of the last 2k-1 window times

  DistanceKind distance = DistanceKind::kW1;
  BinRule bins = BinRule::kSturges;  // kl and cdf only
  IqrKind iqr = IqrKind::kPooled;    // Freedman-Diaconis only
  bool hog_direction = true;         // throughput and await count only when high
  SvctmGate svctm_gate = SvctmGate::kAlways;
  ServiceTime service_time = ServiceTime::kRequest;
  Scatter scatter = Scatter::kOwn;
  // Throughput and traffic prove a hog only where a server's disks and network do not balance
  // (series/balance.h), as far as both are known.
  bool balance = false;
  // True: of several devices a server, each is also held against those in its place on the other
  // servers (wasserstein/like_devices.h). Distance w1 only.
  bool device_kinds = false;
  // Groups or domains with more components compare all pairs only for those who may be anomalous;
  // the others' degrees are upper bounds (pruning.h). kl always compares all.
  std::size_t exact_up_to = 5000;
  // Number over 0: larger groups are compared in rotating domains of at least so many (domains.h).
  std::size_t domain_size = 0;
  std::size_t domain_seed = 0;
  bool ranking = true;
  RankingScope ranking_scope = RankingScope::kAll;
  double rho = 3;  // a server under 1/rho of the top degree is secondary

  // Floors by metric, in the metric's unit (ms, sectors/s, B/s). With kl and cdf all distances are
  // 0 when the samples differ by less; with w1 it is the floor of the effect and of the gates.
  std::map<std::string, double, std::less<>> noise_floor;
  double noise_floor_relative = 0;  // kl and cdf: of |median of all samples|
  // w1: floor of await and svctm for devices known not to rotate, ms; 0: a tenth of the group's
  // median, at least 0.02.
  double latency_floor_flash = 0.5;

  // A counter that falls has not restarted unless its source says so (series/counter_course.h), and
  // nobody is anomalous by what one rose by at once (series/largest_rise.h). Off: the papers'
  // letter.
  bool doubt_readings = false;

  double default_threshold = 1.0;  // until trained
  std::map<std::string, double, std::less<>>
      default_thresholds;  // by metric, where another one is wanted
  // All thresholds of window degrees, trained or not, are so many times as high: a short window has
  // to be more extreme.
  double threshold_factor = 1;

  // Training (training.h): how far over the degrees seen the thresholds are put, and the most they
  // may be; 0: no bound. w1: T = min(cap, max(1, scale v)); kl and cdf: cap is of the group's
  // median.
  double training_scale = 1.25;
  double training_cap = 3;
  TrainingDeviant training_deviant = TrainingDeviant::kCap;

  // Readings further apart leave the samples between them missing; absent: max(5 s, 2.5 steps).
  std::optional<Duration> max_gap;

  // Segments sent again prove a loss (detect/loss/retransmissions.h); where they are known a small
  // congestion window alone does not.
  bool retransmissions = false;
  bool round_trips = false;
  double cwnd_f = 0.5;       // until trained: anomalous iff log < f * median
  bool cwnd_events = false;  // emit the state of every second

  std::size_t max_named_peers = 5;  // of each kind, far and near, in the evidence of a flag

  std::size_t hourly_top = 4;           // components a row of the hourly list
  std::string hourly_metric = "await";  // which accumulators it shows

  bool operator==(const PresetSettings&) const = default;
  [[nodiscard]] bool IsScale() const { return !scale_of.preset.empty(); }
  [[nodiscard]] WindowShape Shape() const {
    return {.step = step, .window = window, .smoothing = smoothing};
  }
  // Returns the time from one window end to the next.
  [[nodiscard]] Duration Shift() const { return step * static_cast<Duration::rep>(shift); }
  [[nodiscard]] Duration MaxGap() const;
  [[nodiscard]] double DefaultThreshold(std::string_view metric) const;
  [[nodiscard]] double NoiseFloor(std::string_view metric) const;
};

[[nodiscard]] PresetSettings TestbenchPreset();  // [Kasick10]: 1 s, KL over Sturges bins
[[nodiscard]] PresetSettings
ProductionPreset();                            // [Kasick12]: 15 s, CDF over Freedman-Diaconis bins
[[nodiscard]] PresetSettings DefaultPreset();  // what runs at 1 s when nothing is said
// The same at 15 s steps, named "default-15s".
[[nodiscard]] PresetSettings SlowDefaultPreset();

struct BuiltInPreset {
  PresetSettings settings;
  const char* text;  // what it is, in one sentence
};
// All that have a name, the default first.
[[nodiscard]] std::span<const BuiltInPreset> BuiltInPresets();
// nullopt for a name that none of them has.
[[nodiscard]] std::optional<PresetSettings> PresetByName(std::string_view name);

}  // namespace limpet
