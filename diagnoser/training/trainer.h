// trainer.h: the events of fault-free data in, the thresholds of every preset out ([Kasick10
// §10.1], [Kasick12 §4.2.1]; training.h).
//
// Windows under the noise floor, and those with too few peers, train nothing. Memory: of each
// component and metric the last 2k-1 degrees, however long the training.
// Threads: one at a time; no I/O.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "diagnoser/detect/thresholds_text.h"
#include "diagnoser/detect/training.h"
#include "diagnoser/detect/training_rule.h"
#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/verdict/events.h"

namespace limpet {

// `config` as a pipeline needs it to give a Trainer what it wants: untrained, every second of the
// congestion windows told.
[[nodiscard]] PipelineConfig ConfigForTraining(PipelineConfig config);

// The groups of components added recently: they have the thresholds of their main group.
[[nodiscard]] std::set<std::string> RecentGroups(const PipelineConfig& config);

class Trainer {
 public:
  // `left_out`: groups that are judged by another one's thresholds, see RecentGroups.
  explicit Trainer(const std::vector<PresetSettings>& presets, std::set<std::string> left_out = {});

  // Takes events in order of time. Verdicts and summaries are of no interest.
  void Learn(const Event& event);

  // One a preset, in their order; without windows it holds nothing but a note that says so.
  [[nodiscard]] std::vector<TrainedPreset> Finish() const;

 private:
  template <class T>
  using ByName = Thresholds::ByName<T>;

  struct Metric {
    ByName<TrainingRun> components;  // those without a window too
    std::size_t most_peers = 0;      // taking part in one window
  };
  struct Preset {
    PresetSettings settings;
    TrainingRule rule;
    ByName<ByName<Metric>> groups;  // group, metric
    std::uint64_t windows = 0;      // window times
    std::optional<UnixTime> last;
  };

  void LearnWindow(const WindowEvent& window);
  void LearnCwnd(const CwndEvent& second);
  [[nodiscard]] TrainedPreset Finish(const Preset& preset) const;
  static void FinishMetric(const Preset& preset, const std::string& group,
                           const std::string& metric, const Metric& of, TrainedPreset& result);

  std::set<std::string> left_out_;
  std::vector<Preset> presets_;
  ByName<ByName<double>> cwnd_least_;  // group, side; the same for every preset
};

}  // namespace limpet
