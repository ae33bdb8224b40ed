// app.h: the commands of limpet-exporter; wiring only.
//
// Each returns the exit code: 0 done, 1 failed, 2 wrong use (a configuration that is not right).
// Threads: one, the one that made Signals.
#pragma once

#include <functional>
#include <string_view>

#include "exporter/common/flags.h"
#include "exporter/common/log.h"
#include "exporter/common/time.h"

namespace limpet {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;

[[nodiscard]] Program ExporterProgram();

// `print` takes what belongs on standard output. `clock` must outlive everything.
[[nodiscard]] int RunExporter(const CommandLine& line, const Clock& clock,
                              const std::function<void(std::string_view)>& print);

}  // namespace limpet
