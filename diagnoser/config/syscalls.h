// syscalls.h: the section `syscalls` of the configuration file.
//
// Threads: pure.
#pragma once

#include <optional>

#include "diagnoser/detect/syscalls/training.h"
#include "diagnoser/evidence/syscall_plan.h"
#include "exporter/common/yaml.h"

namespace limpet {

struct SyscallSettings {
  bool enabled = true;
  SyscallPlan plan;            // without what was learned
  SyscallTraining training;    // of the thresholds file
  std::optional<bool> events;  // absent: a replay writes them, a live diagnosis does not
};

// Problems are added to those of `top`.
[[nodiscard]] SyscallSettings ReadSyscalls(yaml::MapReader& top);

}  // namespace limpet
