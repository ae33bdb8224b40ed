#include "diagnoser/config/byte_count.h"

#include <cstdint>
#include <utility>

#include "exporter/common/text.h"

namespace limpet {

std::optional<std::size_t> ParseByteCount(std::string_view text) {
  constexpr std::pair<std::string_view, unsigned> kUnits[] = {
      {"KiB", 10U}, {"MiB", 20U}, {"GiB", 30U}, {"", 0U}};
  constexpr std::uint64_t kMax = std::uint64_t{1} << 40U;
  for (const auto& [unit, shift] : kUnits) {
    if (text.ends_with(unit)) {
      const auto number = ParseU64(text.substr(0, text.size() - unit.size()));
      return number && *number <= (kMax >> shift) ? std::optional<std::size_t>(*number << shift)
                                                  : std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace limpet
