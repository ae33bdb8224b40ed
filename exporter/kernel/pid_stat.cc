#include "exporter/kernel/pid_stat.h"

#include "exporter/common/text.h"
#include "exporter/kernel/whole_lines.h"

namespace limpet {

std::optional<PidStat> ParsePidStat(std::string_view text) {
  const auto line = Trim(WholeLines(text));
  // The name is whatever the program calls itself, blanks and brackets included: look from behind.
  const auto name_end = line.rfind(')');
  if (name_end == std::string_view::npos) {
    return std::nullopt;
  }
  Fields fields(line.substr(name_end + 1));
  PidStat stat;
  for (int field = 3; field <= 24; ++field) {  // numbered as in proc.rst
    const auto value = fields.Next();
    if (field == 20 || field == 24) {
      const auto number = ParseU64(value);
      if (!number) {
        return std::nullopt;
      }
      (field == 20 ? stat.threads : stat.resident_pages) = *number;
    }
  }
  return stat;
}

}  // namespace limpet
