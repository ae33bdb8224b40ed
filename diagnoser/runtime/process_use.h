// process_use.h: the CPU time and memory of this process, as the kernel counts them.
//
// Threads: any, with a FileReader of their own.
#pragma once

#include "diagnoser/runtime/self_metrics.h"
#include "exporter/common/files.h"

namespace limpet {

// `process` reads /proc/self. What cannot be read is 0.
[[nodiscard]] ProcessUse ReadProcessUse(FileReader& process);

}  // namespace limpet
