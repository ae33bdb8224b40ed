#include "exporter/kernel/loadavg.h"

#include <cmath>

#include "exporter/common/text.h"
#include "exporter/kernel/whole_lines.h"

namespace limpet {
namespace {

// ParseDouble also reads "inf" and "nan", which no kernel prints.
std::optional<double> ParseLoad(std::string_view text) {
  const auto load = ParseDouble(text);
  return load && std::isfinite(*load) && *load >= 0 ? load : std::nullopt;
}

}  // namespace

std::optional<LoadAverage> ParseLoadAverage(std::string_view text) {
  Fields fields(Trim(WholeLines(text)));
  const auto load1 = ParseLoad(fields.Next());
  const auto load5 = ParseLoad(fields.Next());
  const auto load15 = ParseLoad(fields.Next());
  const auto counts = fields.Next();
  const auto slash = counts.find('/');
  if (!load1 || !load5 || !load15 || slash == std::string_view::npos) {
    return std::nullopt;
  }
  const auto runnable = ParseU64(counts.substr(0, slash));
  const auto threads = ParseU64(counts.substr(slash + 1));
  if (!runnable || !threads) {
    return std::nullopt;
  }
  return LoadAverage{*load1, *load5, *load15, *runnable, *threads};
}

}  // namespace limpet
