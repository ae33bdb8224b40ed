// train_profiles.h: `train --profiles`: learns behaviour profiles of host metrics.
//
// Threads: from main.
#pragma once

#include "diagnoser/commands/train.h"
#include "diagnoser/config/config.h"

namespace limpet {

// Reads the recordings and writes the model. The configuration's section `profiles` says which
// nodes take part; the model that it names need not exist yet.
// The exit code: 0 ok, 1 nothing to train on, or an input or the output failed.
[[nodiscard]] int TrainProfiles(const TrainOptions& options, const DiagnoserConfig& config);

}  // namespace limpet
