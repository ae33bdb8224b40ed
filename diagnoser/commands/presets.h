// presets.h: the `presets` command: prints built-in presets as YAML to start one's own from.
//
// Threads: from main.
#pragma once

#include <string>
#include <vector>

#include "exporter/common/command_line.h"

namespace limpet {

struct PresetsOptions {
  std::vector<std::string> names;  // none: all

  void Bind(Flags& flags);
};

// Prints a section `presets` with every key, its value and what it does.
// The exit code: 0 ok, 1 standard output cannot be written, 2 a name is unknown.
[[nodiscard]] int RunPresets(const PresetsOptions& options);

}  // namespace limpet
