// Congestion windows of servers over seconds: least share, flags.
#include "tests/accuracy/cwnd_spans.h"

#include <gmock/gmock.h>

namespace limpet::accuracy::cwnd_spans_test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Four servers with a log of 4, the first of them with `odd` from a second on.
CwndSeconds Seconds(std::size_t all, std::size_t from, double odd) {
  CwndSeconds seconds;
  for (std::size_t at = 0; at < all; ++at) {
    seconds.push_back(std::vector<double>{at < from ? 4 : odd, 4, 4, 4});
  }
  return seconds;
}

TEST(CwndSpans, LeastShareIsOfTheMedian) {
  EXPECT_EQ(LeastShare(Seconds(10, 10, 0)), 1);
  EXPECT_EQ(LeastShare(Seconds(10, 5, 1)), 0.25);
  EXPECT_EQ(LeastShare({std::nullopt}), 1);
}

TEST(CwndSpans, ThreeWindowsWithHalfTheirSecondsLowAreAFlag) {
  // Windows that end at 96 (half of it), 128 and 160 s.
  const auto flags = FlagsOf(Seconds(200, 64, 1), 0.5, 4);
  EXPECT_THAT(flags[0], ElementsAre(160, 192));
  EXPECT_THAT(flags[1], IsEmpty());
  EXPECT_THAT(FlagsOf(Seconds(200, 64, 3), 0.5, 4), Each(IsEmpty()));
}

TEST(CwndSpans, SecondsBeforeTheSpanHaveNoMean) {
  RunKey key{.fault = {}, .also = {}, .cached_first = {}};
  key.seconds = 20;
  const auto sides = ReadWindows(key, 5);
  ASSERT_THAT(sides, SizeIs(2));
  ASSERT_THAT(sides[0], SizeIs(20));
  EXPECT_FALSE(sides[0][3]);
  ASSERT_TRUE(sides[0][4]);
  EXPECT_THAT(*sides[0][4], SizeIs(key.servers));
}

}  // namespace
}  // namespace limpet::accuracy::cwnd_spans_test
