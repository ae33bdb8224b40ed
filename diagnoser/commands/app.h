// app.h: the subcommands of limpet-diagnoser. Wiring only.
//
// Threads: from main.
#pragma once

#include "exporter/common/command_line.h"

namespace limpet {

// Exit codes of all: 0 ok, 1 failed, 2 wrong use or a configuration that cannot be used.
[[nodiscard]] Program DiagnoserProgram();

}  // namespace limpet
