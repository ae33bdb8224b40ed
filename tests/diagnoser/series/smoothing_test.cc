#include "diagnoser/series/smoothing.h"

#include <gmock/gmock.h>

namespace limpet::smoothing_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Smooth, IsTheMeanOfTheLastSamples) {
  const std::vector<double> samples = {1, 2, 6, 4, 5};
  EXPECT_THAT(Smooth(samples, 3), ElementsAre(3, 4, 5));
  EXPECT_THAT(Smooth(samples, 1), ElementsAre(1, 2, 6, 4, 5));
}

TEST(Smooth, LeavesMissingSamplesOutAndMissing) {
  const std::vector<double> samples = {1, kMissing, 5, kMissing, 7};
  const auto means = Smooth(samples, 3);
  ASSERT_EQ(means.size(), 3U);
  EXPECT_EQ(means[0], 3);
  EXPECT_TRUE(IsMissing(means[1]));
  EXPECT_EQ(means[2], 6);
}

TEST(Smooth, NeedsAWholeWindow) {
  EXPECT_THAT(Smooth(std::vector<double>{1, 2}, 3), IsEmpty());
  EXPECT_THAT(Smooth({}, 1), IsEmpty());
}

}  // namespace
}  // namespace limpet::smoothing_test
