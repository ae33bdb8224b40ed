// train_runs.h: thresholds from fault-free runs, as 000 §10.1 and 002 §4.2.1 train them.
//
// 000 trains on ten fault-free iterations of each of ddr, ddw and postmark, and so do we.
// Threads: pure.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "diagnoser/detect/thresholds.h"
#include "diagnoser/verdict/events.h"

namespace limpet::accuracy {

// What one run or many say: the largest k-th largest degree in 2k-1 windows of each component, the
// least ratio of each side's logs of congestion windows.
class Trainer {
 public:
  explicit Trainer(const PresetSettings& preset) : preset_(preset) {}
  void Add(const Event& event);
  // The run is over: the next one's windows are not its neighbours.
  void EndRun();
  void Merge(const Trainer& other);
  [[nodiscard]] Thresholds Result() const;

 private:
  using Name = std::tuple<std::string, std::string, std::string>;  // group, metric, component
  PresetSettings preset_;
  std::map<Name, std::map<UnixTime, double>> run_;
  std::map<Name, double> most_;
  std::map<std::pair<std::string, std::string>, double> least_ratio_;  // group, side
};

}  // namespace limpet::accuracy
