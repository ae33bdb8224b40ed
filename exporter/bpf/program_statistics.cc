#include "exporter/bpf/program_statistics.h"

#include "exporter/common/text.h"

namespace limpet::bpf {

std::optional<ProgramStatistics> ParseProgramFdinfo(std::string_view text) {
  ProgramStatistics statistics;
  bool is_program = false;
  Lines lines(text);
  while (const auto line = lines.Next()) {
    Fields fields(*line);
    const auto key = fields.Next();
    const auto value = ParseU64(fields.Next());
    if (!value) {
      continue;
    }
    if (key == "run_time_ns:") {
      statistics.run_ns = *value;
      is_program = true;
    } else if (key == "run_cnt:") {
      statistics.runs = *value;
    } else if (key == "recursion_misses:") {
      statistics.missed = *value;
    }
  }
  return is_program ? std::optional(statistics) : std::nullopt;
}

}  // namespace limpet::bpf
