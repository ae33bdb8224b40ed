#include "exporter/common/web/eviction.h"

#include <tuple>

namespace limpet::web {

std::size_t LeastUseful(std::span<const Usage> usages, SteadyTime now) {
  constexpr Duration kGrace = std::chrono::seconds(1);
  // Lower goes first: 0 slow or silent, 1 an idle scraper, 2 one that has just come. An honest
  // client sends its request within the grace; a flood of silent ones thus evicts itself.
  const auto rank = [&](const Usage& usage) {
    const int kind = usage.is_idle_good ? 1 : now - usage.since >= kGrace ? 0 : 2;
    return std::tuple(kind, usage.since);
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
