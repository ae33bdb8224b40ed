#include "exporter/common/ports.h"

#include <algorithm>
#include <optional>
#include <string>

#include "exporter/common/text.h"

namespace limpet {
namespace {

std::optional<std::uint16_t> ParsePort(std::string_view text) {
  const auto number = ParseU64(text);
  if (!number || *number == 0 || *number > 65535) {
    return std::nullopt;
  }
  return static_cast<std::uint16_t>(*number);
}

}  // namespace

Result<PortRange> ParsePortRange(std::string_view text) {
  const auto dash = text.find('-');
  const auto first = ParsePort(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : ParsePort(text.substr(dash + 1));
  if (!first || !last || *last < *first) {
    return Error{ErrorCode::kInvalid,
                 "expected a port such as 2049 or a range such as 49152-49251, got \"" +
                     std::string(text) + "\"",
                 ""};
  }
  return PortRange{*first, *last};
}

std::vector<PortRange> Normalise(std::span<const PortRange> ranges) {
  std::vector<PortRange> sorted(ranges.begin(), ranges.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const PortRange& a, const PortRange& b) { return a.first < b.first; });
  std::vector<PortRange> joined;
  for (const auto& range : sorted) {
    // + 1 (an int, so 65535 does not wrap): 2049 and 2050 are one range, too.
    if (!joined.empty() && range.first <= joined.back().last + 1) {
      joined.back().last = std::max(joined.back().last, range.last);
    } else {
      joined.push_back(range);
    }
  }
  return joined;
}

}  // namespace limpet
