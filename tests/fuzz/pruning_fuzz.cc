// Pruned comparisons against all pairs: a bound is never under the degree, and whoever is said to
// be exact is.
#include <cstdlib>

#include "tests/fuzz/peers_input.h"
#include "tests/support/compare_peers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace limpet;
  const auto input = testing::ReadPeers(data, size);
  if (input.samples.empty()) {
    return 0;
  }
  const auto set = testing::SetOf(input.samples);
  for (const auto& preset : {ProductionPreset(), DefaultPreset()}) {
    const auto exact = testing::ComparePeers(set, "tps", preset);
    const double limit = exact.s[input.choice % exact.s.size()];
    const auto pruned = testing::ComparePeers(
        set, "tps", preset,
        [&](const Comparison& all, std::size_t i) { return all.s[i] <= limit; });
    for (std::size_t i = 0; i < exact.s.size(); ++i) {
      const bool bound = !pruned.is_bound.empty() && pruned.is_bound[i];
      if (bound ? !(pruned.s[i] >= exact.s[i] && pruned.s[i] <= limit)
                : pruned.s[i] != exact.s[i]) {
        std::abort();
      }
    }
  }
  return 0;
}
