// thresholds.h: what training wrote: one threshold a component, by peer group and metric.
//
//   version: 1
//   preset: testbench
//   settings: {step: 1s, window: 64, distance: kl}   # of the preset when it was trained
//   thresholds:                 # group: metric: component: threshold
//     io: {await: {io01/sdb: 0.8, io02/sdb: 0.8}}
//   cwnd:                       # group: side: f
//     io-cwnd: {cwnd_client: 0.91, cwnd_server: 0.91}
//
// or several presets in one file: `presets`, a list of maps with these keys but `version`.
// Other keys (time range, degrees seen) are for people and are skipped. Full description:
// docs/formats/thresholds.md.
// Threads: values.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "exporter/common/result.h"

namespace limpet {

// The thresholds of one group and metric. Valid while the Thresholds they are from are.
class MetricThresholds {
 public:
  using ByComponent = std::map<std::string, double, std::less<>>;
  MetricThresholds(const ByComponent& components, double median)
      : components_(&components), median_(median) {}

  struct Limit {
    double threshold = 0;
    bool own = false;  // from its own training; else it was not there, and has its group's median
  };
  // Every component has one.
  [[nodiscard]] Limit Find(std::string_view component) const;

 private:
  const ByComponent* components_;
  double median_;
};

struct Thresholds {
  template <class T>
  using ByName = std::map<std::string, T, std::less<>>;

  std::string preset;
  ByName<std::string> settings;               // as SettingsForTraining gives them; may lack any
  ByName<ByName<ByName<double>>> components;  // group, metric, component
  ByName<ByName<double>> cwnd;                // group, metric
  ByName<ByName<double>> medians;             // of `components`, by FillMedians

  bool operator==(const Thresholds&) const = default;

  // nullopt: not trained.
  [[nodiscard]] std::optional<MetricThresholds> FindMetric(std::string_view group,
                                                           std::string_view metric) const;
  [[nodiscard]] std::optional<double> Find(std::string_view group, std::string_view metric,
                                           std::string_view component) const;
  [[nodiscard]] std::optional<double> FindCwnd(std::string_view group,
                                               std::string_view metric) const;
  // Once `components` is complete: finding a metric's thresholds then takes no median of them.
  void FillMedians();
};

// Returns what a preset's degrees depend on, in words: step, smoothing, window, shift, k, distance
// and the settings of its detector (training_rule.h).
[[nodiscard]] Thresholds::ByName<std::string> SettingsForTraining(const PresetSettings& preset);

// Why thresholds that were trained with other settings must not be used with `preset`, one text a
// setting ("window 64, which is 60 now"); empty when they may.
[[nodiscard]] std::vector<std::string> OtherSettings(const Thresholds& thresholds,
                                                     const PresetSettings& preset);

inline constexpr std::size_t kMaxThresholdBytes = std::size_t{64} << 20U;

// One element a preset, none where only system calls were learned. `file` is the name in messages.
// Refused: what is not UTF-8, another version, two sets for one preset, a threshold that is not a
// number over 0, an f outside [0.05, 0.95].
[[nodiscard]] Result<std::vector<Thresholds>> ParseThresholds(std::string_view text,
                                                              const std::string& file);

}  // namespace limpet
