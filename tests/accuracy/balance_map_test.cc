// The map of byte balances, a few runs of each kind: nobody healthy is named, strangers are where
// the network explains the disks.
#include "tests/accuracy/balance_map.h"

#include <gmock/gmock.h>

#include "diagnoser/detect/default_presets.h"

namespace limpet::accuracy::balance_map_test {
namespace {

using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::SizeIs;

// What bytes cannot tell (docs/how-it-decides.md): files that come from memory where nobody counts
// connections.
bool MayBeNamed(const BalanceCase& one) { return one.kind == "a hot file at one"; }

// And strangers at the disk beside clients that nobody sees.
bool MayBeMissed(const BalanceCase& one) {
  return one.cause == "disk-hog" && one.rates.servers.front().seen < 1.0 / 16;
}

// Of a server that reads ahead under a load that hardly varies, or has just begun to be watched,
// nobody can say whose the bytes are.
bool IsPartlyTold(const BalanceCase& one) { return one.kind == "one reads ahead or amplifies"; }

TEST(BalanceMap, NobodyHealthyIsNamedAndStrangersAre) {
  const auto presets = DefaultPresets();
  std::size_t runs = 0;
  std::vector<std::string> partly;
  for (const auto& one : BalanceCases(false, 1)) {
    const auto outcome = RunBalance(one, presets);
    ++runs;
    if (IsPartlyTold(one) && !outcome.wrong.empty()) {
      partly.push_back(one.what);
    } else if (!MayBeNamed(one)) {
      EXPECT_THAT(outcome.wrong, IsEmpty()) << one.kind << ": " << one.what;
    }
    if (!one.cause.empty() && !MayBeMissed(one)) {
      EXPECT_TRUE(outcome.delay) << one.kind << ": " << one.what;
    }
  }
  EXPECT_GT(runs, 100U);
  EXPECT_THAT(partly, SizeIs(Le(1U))) << "of 9: as recorded when the map was made";
}

}  // namespace
}  // namespace limpet::accuracy::balance_map_test
