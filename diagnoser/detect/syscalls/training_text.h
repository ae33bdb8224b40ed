// training_text.h: what training learned of system calls as a part of the thresholds file, and
// back (docs/formats/thresholds.md).
//
//   syscalls:
//     - role: server
//       errors: [EDQUOT]                  # that are returned when nothing is wrong
//       dread:
//         saturated: [io03]               # left out of the median
//         deviations: {io01: 0.0021}      # the largest from the median, seconds a call
// Threads: pure.
#pragma once

#include <string>
#include <string_view>

#include "diagnoser/detect/syscalls/training.h"
#include "exporter/common/result.h"

namespace limpet {

// Empty when nothing was learned; else lines to be put after those of ThresholdsText.
[[nodiscard]] std::string SyscallTrainingText(const SyscallTraining& training);

// Reads a whole thresholds file; empty when it has no such part. `file` is the name in messages.
[[nodiscard]] Result<SyscallTraining> ParseSyscallTraining(std::string_view text,
                                                           const std::string& file);

}  // namespace limpet
