// app.h: the subcommands of limpet-exporter; wiring only.
//
// Each returns the exit code: 0 done, 1 failed, 2 wrong use (a configuration that is not right).
// Threads: one, the one that made Signals.
#pragma once

#include <functional>
#include <string_view>

#include "exporter/common/command_line.h"
#include "exporter/common/time.h"

namespace limpet {

// `print` is given what belongs on standard output. `clock` must outlive the program.
[[nodiscard]] Program ExporterProgram(const Clock& clock,
                                      const std::function<void(std::string_view)>& print);

}  // namespace limpet
