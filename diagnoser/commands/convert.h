// convert.h: the `convert` command: recordings from text into columns, or back.
//
// Threads: from main.
#pragma once

#include <string>
#include <vector>

#include "exporter/common/command_line.h"

namespace limpet {

struct ConvertOptions {
  std::vector<std::string> inputs;
  std::string output_dir;
  std::string format = "columns";

  void Bind(Flags& flags);
};

// The exit code: 0 ok, 1 a recording cannot be read or written, 2 wrong use.
[[nodiscard]] int RunConvert(const ConvertOptions& options);

}  // namespace limpet
