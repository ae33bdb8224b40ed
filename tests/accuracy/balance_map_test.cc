// The map of byte balances, a few runs of each kind: nobody healthy is named, strangers are where
// the network explains the disks.
#include "tests/accuracy/balance_map.h"

#include <gmock/gmock.h>

#include "diagnoser/detect/default_presets.h"

namespace limpet::accuracy {
namespace {

using ::testing::IsEmpty;

// What bytes cannot tell (docs/how-it-decides.md).
bool CannotBeTold(const BalanceCase& one) {
  // Strangers at the disk beside clients that nobody sees, and files that come from memory.
  return (one.cause == "disk-hog" && one.rates.servers.front().seen < 1.0 / 16) ||
         one.kind == "a hot file at one";
}

TEST(BalanceMap, NobodyHealthyIsNamedAndStrangersAre) {
  const auto presets = DefaultPresets();
  std::size_t runs = 0;
  for (const auto& one : BalanceCases(false, 1)) {
    const auto outcome = RunBalance(one, presets);
    ++runs;
    if (one.kind != "a hot file at one") {
      EXPECT_THAT(outcome.wrong, IsEmpty()) << one.kind << ": " << one.what;
    }
    if (!one.cause.empty() && !CannotBeTold(one)) {
      EXPECT_TRUE(outcome.delay) << one.kind << ": " << one.what;
    }
  }
  EXPECT_GT(runs, 100U);
}

}  // namespace
}  // namespace limpet::accuracy
