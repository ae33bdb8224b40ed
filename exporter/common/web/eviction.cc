#include "exporter/common/web/eviction.h"

#include <limits>
#include <tuple>

namespace limpet::web {

std::size_t LeastUseful(std::span<const Usage> usages, SteadyTime now) {
  constexpr Duration kGrace = std::chrono::seconds(1);
  // Lower goes first. An honest client sends its request within the grace; a flood of silent ones
  // thus evicts itself.
  const auto rank = [&](const Usage& usage) {
    const bool is_stuck =
        usage.is_pipelining || (!usage.is_idle_good && now - usage.since >= kGrace);
    // A scraper of another client is worth more than the 300th connection of one that floods,
    // however busy that is; hence the count before the idle and the ones that have just come.
    return std::tuple(is_stuck ? 0 : 1,
                      std::numeric_limits<std::size_t>::max() - usage.of_same_client,
                      usage.is_idle_good ? 0 : 1, usage.since);
  };
  std::size_t least = 0;
  for (std::size_t i = 1; i < usages.size(); ++i) {
    if (rank(usages[i]) < rank(usages[least])) {
      least = i;
    }
  }
  return least;
}

}  // namespace limpet::web
