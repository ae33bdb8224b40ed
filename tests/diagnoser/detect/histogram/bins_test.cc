#include "diagnoser/detect/histogram/bins.h"

#include <gmock/gmock.h>

namespace limpet::bins_test {
namespace {

using ::testing::ElementsAre;

TEST(Bins, SturgesCountsByTheWindow) {
  EXPECT_EQ(SturgesBins(64), 7U);
  EXPECT_EQ(SturgesBins(65), 8U);
  EXPECT_EQ(SturgesBins(60), 7U);
  EXPECT_EQ(SturgesBins(1), 1U);
}

TEST(Bins, FreedmanDiaconisCountsBySpread) {
  // 10 * cbrt(64) / (2 * 2) = 10 exactly: rounding must not make it 11.
  EXPECT_EQ(FreedmanDiaconisBins(10, 2, 64, 0), 10U);
  EXPECT_EQ(FreedmanDiaconisBins(10.01, 2, 64, 0), 11U);
  EXPECT_EQ(FreedmanDiaconisBins(1, 1000, 64, 0), 1U);
  EXPECT_EQ(FreedmanDiaconisBins(1, 1e-6, 64, 0), kMaxBins);
}

TEST(Bins, WithoutSpreadTheNoiseFloorIsTheBin) {
  EXPECT_EQ(FreedmanDiaconisBins(10, 0, 64, 0), kMaxBins);
  EXPECT_EQ(FreedmanDiaconisBins(10, 1e-9, 64, 0), kMaxBins);
  EXPECT_EQ(FreedmanDiaconisBins(10, 0, 64, 3), 4U);
  EXPECT_EQ(FreedmanDiaconisBins(10, 0, 64, 1e-9), kMaxBins);
}

TEST(Bins, TheHighestSampleFallsInTheLastBin) {
  const std::vector<double> samples = {0, 0.9, 1, 3.999, 4};
  EXPECT_THAT(CountInBins(samples, {.lo = 0, .hi = 4, .count = 4}), ElementsAre(2, 1, 0, 2));
}

TEST(Bins, RoundingDoesNotPullASampleIntoTheBinBelow) {
  // 0.3 is a bin edge: (0.3 - 0) * 10 / 1 is 2.9999999999999996 in doubles.
  const std::vector<double> samples = {0.1 + 0.2};
  EXPECT_EQ(CountInBins(samples, {.lo = 0, .hi = 1, .count = 10})[3], 1);
}

TEST(Bins, OneFaultyComponentDoesNotInflateTheWithinSpread) {
  SampleSet set;
  set.Add(std::vector<double>{1, 2, 3, 4});
  set.Add(std::vector<double>{1, 2, 3, 4});
  set.Add(std::vector<double>{100, 200, 300, 400});
  EXPECT_DOUBLE_EQ(FindIqr(set, IqrKind::kWithin), 1.5);
  EXPECT_GT(FindIqr(set, IqrKind::kPooled), 50);
}

}  // namespace
}  // namespace limpet::bins_test
