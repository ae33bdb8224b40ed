// converter.h: another program's file, piece by piece, as the text of a recording.
//
// Text:    OpenMetrics with a timestamp on every line (docs/formats/recording.md), so that nothing
//          behind the source knows whose file it was.
// Bounds:  what a converter keeps does not grow with the length of the file.
// Threads: one at a time.
#pragma once

#include <string>
#include <string_view>

#include "exporter/common/result.h"

namespace limpet {

class Converter {
 public:
  virtual ~Converter() = default;
  // Whole lines of a recording, maybe none, for the next bytes of the file. An error ends the file.
  [[nodiscard]] virtual Result<std::string> Feed(std::string_view plain) = 0;
  // The same for what is left at the end of the file.
  [[nodiscard]] virtual Result<std::string> Finish() = 0;
};

}  // namespace limpet
