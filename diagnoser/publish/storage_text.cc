#include "diagnoser/publish/storage_text.h"

#include <fmt/format.h>

#include <cmath>

#include "diagnoser/publish/component_text.h"

namespace limpet {
namespace {

// "osd.7 on io04 (sdb)"; of a node that is the component its name alone.
std::string NamePlace(const Evidence& evidence) {
  const auto slash = evidence.component.find('/');
  if (slash == std::string::npos) {
    return evidence.component;
  }
  auto text = fmt::format("{} on {}", evidence.component.substr(slash + 1),
                          evidence.component.substr(0, slash));
  return evidence.storage->disk.empty() ? text
                                        : text + fmt::format(" ({})", evidence.storage->disk);
}

}  // namespace

// Units of a configuration are free texts; a few are known, and are told in what fits their size.
Display StorageDisplay(std::string_view unit, double size) {
  constexpr double kMilli = 1e3;
  constexpr double kMicro = 1e6;
  const double value = std::fabs(size);
  if (unit == "s" && value < 1) {
    return value >= 1 / kMilli ? Display{kMilli, "ms"} : Display{kMicro, "\u00b5s"};
  }
  if (unit == "B/s" || unit == "B") {
    return {1 / kMicro, unit == "B" ? "MB" : "MB/s"};
  }
  // Longer units are the configuration's own; whoever prints them has the text.
  return {1, {}};
}

std::string ExplainStorage(const Evidence& evidence) {
  const auto& reading = *evidence.storage;
  const auto display = StorageDisplay(reading.unit, reading.own);
  const auto name = display.unit.empty() ? reading.unit : std::string(display.unit);
  const auto unit = name.empty() ? std::string() : " " + name;
  return fmt::format("{} of {}: {}{}{}, its peers' {} to {}{}", reading.text, NamePlace(evidence),
                     reading.quantile.empty() ? "" : reading.quantile + " ",
                     Rounded(reading.own * display.factor), unit,
                     Rounded(reading.peers_low * display.factor),
                     Rounded(reading.peers_high * display.factor), unit);
}

}  // namespace limpet
