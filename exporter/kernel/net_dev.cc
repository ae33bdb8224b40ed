#include "exporter/kernel/net_dev.h"

#include <optional>

#include "exporter/common/text.h"

namespace limpet {
namespace {

std::optional<NetDevLine> ParseInterface(std::string_view line) {
  // The last one: an alias is "eth0:1:", and the counters hold none.
  const auto colon = line.rfind(':');
  if (colon == std::string_view::npos) {
    return std::nullopt;
  }
  NetDevLine interface;
  interface.name = Trim(line.substr(0, colon));
  if (interface.name.empty()) {
    return std::nullopt;
  }
  Fields fields(line.substr(colon + 1));
  for (auto& counter : interface.counters) {
    const auto value = ParseU64(fields.Next());
    if (!value) {
      return std::nullopt;
    }
    counter = *value;
  }
  return interface;
}

}  // namespace

NetDev ParseNetDev(std::string_view text) {
  return ParseDeviceLines<NetDevLine>(text, 2, "expected an interface, a colon and 16 numbers",
                                      ParseInterface);
}

}  // namespace limpet
