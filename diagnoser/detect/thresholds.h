// thresholds.h: what training wrote: one threshold a component, by peer group and metric.
//
//   version: 1
//   preset: testbench
//   thresholds:                 # group: metric: component: threshold
//     io: {await: {io01/sdb: 0.8, io02/sdb: 0.8}}
//   cwnd:                       # group: side: f
//     io-cwnd: {cwnd_client: 0.91, cwnd_server: 0.91}
//
// Keys beside these (time range, degrees seen) are for people and are skipped.
// Threads: values.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "exporter/common/result.h"

namespace limpet {

struct Thresholds {
  template <class T>
  using ByName = std::map<std::string, T, std::less<>>;

  std::string preset;
  ByName<ByName<ByName<double>>> components;  // group, metric, component
  ByName<ByName<double>> cwnd;                // group, metric

  bool operator==(const Thresholds&) const = default;

  // nullopt: not trained. A component without training has its group's median (algorithm §4).
  [[nodiscard]] std::optional<double> Find(std::string_view group, std::string_view metric,
                                           std::string_view component) const;
  [[nodiscard]] std::optional<double> FindCwnd(std::string_view group,
                                               std::string_view metric) const;
};

// `file` is the name in messages. Refused: another version, a threshold that is not a number over
// 0, an f outside [0.05, 0.95].
[[nodiscard]] Result<Thresholds> ParseThresholds(std::string_view text, const std::string& file);

}  // namespace limpet
