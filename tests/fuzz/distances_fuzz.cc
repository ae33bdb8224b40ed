// The fast comparison of a group against the formulas.
#include <cmath>
#include <cstdlib>

#include "tests/fuzz/peers_input.h"
#include "tests/support/compare_peers.h"

namespace limpet {
namespace {

void Check(const std::vector<double>& fast, const std::vector<double>& slow) {
  for (std::size_t i = 0; i < slow.size(); ++i) {
    if (!(std::abs(fast[i] - slow[i]) <= 1e-9 * (1 + slow[i]))) {
      std::abort();
    }
  }
}

}  // namespace
}  // namespace limpet

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace limpet;
  const auto input = testing::ReadPeers(data, size);
  const auto& all = input.samples;
  if (all.empty()) {
    return 0;
  }
  const auto set = testing::SetOf(all);
  Check(testing::ComparePeers(set, "tps", DefaultPreset()).s,
        testing::SlowDegrees(
            all.size(), [&](auto i, auto j) { return testing::SlowWasserstein(all[i], all[j]); }));
  for (const auto& preset : {TestbenchPreset(), ProductionPreset()}) {
    const auto result = testing::ComparePeers(set, "tps", preset);
    if (result.bins == 0) {
      continue;
    }
    const auto slow = preset.distance == DistanceKind::kKl ? testing::SlowKl : testing::SlowCdf;
    Check(result.s, testing::SlowDegrees(all.size(), [&](auto i, auto j) {
            return slow(all[i], all[j], result.lo, result.hi, result.bins);
          }));
  }
  return 0;
}
