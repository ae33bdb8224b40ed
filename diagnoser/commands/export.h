// export.h: the `export` command: recordings as OpenMetrics text for promtool and other stores.
//
// Threads: from main.
#pragma once

#include <string>
#include <vector>

#include "exporter/common/command_line.h"

namespace limpet {

struct ExportOptions {
  std::vector<std::string> inputs;
  std::string output = "-";
  std::string job = "limpet-exporter";

  void Bind(Flags& flags);
};

// The exit code: 0 ok, 1 a recording cannot be read or the output not be written, 2 wrong use.
[[nodiscard]] int RunExport(const ExportOptions& options);

}  // namespace limpet
