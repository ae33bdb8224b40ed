#include "diagnoser/detect/cwnd/cwnd.h"

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

#include "diagnoser/metrics/missing.h"

namespace limpet::cwnd_test {
namespace {

TEST(Cwnd, TheMeanNeedsSixteenSeconds) {
  std::vector<double> observations(31, kMissing);
  std::fill(observations.begin(), observations.begin() + 15, 8.0);
  EXPECT_FALSE(CwndMean(observations));
  observations[30] = 24;
  EXPECT_DOUBLE_EQ(*CwndMean(observations), (15 * 8.0 + 24) / 16);
}

TEST(Cwnd, AWindowUnderOneSegmentHasLogZero) {
  EXPECT_EQ(CwndLog(0), 0);
  EXPECT_EQ(CwndLog(1), 0);
  EXPECT_DOUBLE_EQ(CwndLog(20), std::log(20.0));
}

TEST(Cwnd, TwoServersHaveNoMedian) {
  EXPECT_FALSE(CwndMedian(std::vector<double>{1, 2}));
  EXPECT_EQ(*CwndMedian(std::vector<double>{1, 2, 4}), 2);
}

TEST(Cwnd, DegreeIsOverOneExactlyWhenAnomalous) {
  for (double log = 0; log < 4; log += 0.05) {
    EXPECT_EQ(CwndAnomalous(log, 3, 0.5), CwndDegree(log, 3, 0.5) > 1) << log;
  }
  EXPECT_FALSE(CwndAnomalous(0, 0, 0.5)) << "everybody is idle";
  EXPECT_EQ(CwndDegree(0, 0, 0.5), 0);
}

TEST(Cwnd, HalfOfTheSecondsThatAreThereDecideAWindow) {
  const std::vector<double> medians = {4, 4, 4, 4, kMissing, 4};
  const auto odd = JudgeCwndWindow(std::vector<double>{1, 1, 4, 4, 1, kMissing}, medians, 0.5);
  ASSERT_TRUE(odd);
  EXPECT_TRUE(odd->anomalous);
  EXPECT_DOUBLE_EQ(odd->degree, 0.75);  // median of 1.5, 1.5, 0, 0
  const auto even = JudgeCwndWindow(std::vector<double>{1, 4, 4, 4, 1, kMissing}, medians, 0.5);
  EXPECT_FALSE(even->anomalous);
  EXPECT_FALSE(JudgeCwndWindow(std::vector<double>(6, kMissing), medians, 0.5));
}

}  // namespace
}  // namespace limpet::cwnd_test
