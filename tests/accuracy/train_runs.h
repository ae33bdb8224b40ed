// train_runs.h: thresholds from fault-free runs, as [Kasick10 §10.1] and [Kasick12 §4.2.1] train
// them.
//
// [Kasick10 §10.1] trains on ten fault-free iterations of each of ddr, ddw and postmark, and so do
// we. Threads: pure.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "diagnoser/detect/preset.h"
#include "diagnoser/detect/thresholds.h"
#include "tests/accuracy/one_run.h"

namespace limpet::accuracy {

// The runs to train on, on the same hardware as `like`.
[[nodiscard]] std::vector<RunKey> TrainingRuns(const RunKey& like, std::size_t iterations = 10);

// One a preset, in their order. `progress` is called with how many runs are done.
[[nodiscard]] std::vector<Thresholds> TrainOn(const std::vector<RunKey>& runs,
                                              const std::vector<PresetSettings>& presets,
                                              std::size_t threads,
                                              const std::function<void(std::size_t)>& progress);

}  // namespace limpet::accuracy
