#include "diagnoser/verdict/filter.h"

#include <gmock/gmock.h>

namespace limpet::filter_test {
namespace {

using std::chrono::seconds;

constexpr Duration kShift = seconds(32);
constexpr std::size_t kK = 3;

// Windows 32 s apart by number; a degree over 1 is anomalous.
std::vector<FilterEntry> History(const std::vector<std::pair<int, double>>& windows) {
  std::vector<FilterEntry> recent;
  for (const auto& [number, degree] : windows) {
    recent =
        Remember(std::move(recent),
                 {.end = UnixFromSeconds(number * 32), .degree = degree, .anomalous = degree > 1},
                 kK, kShift);
  }
  return recent;
}

TEST(Filter, ThreeOfFiveFlag) {
  EXPECT_FALSE(IsFlagged(History({{1, 2}, {2, 2}}), kK));
  EXPECT_TRUE(IsFlagged(History({{1, 2}, {2, 2}, {3, 2}}), kK));
  EXPECT_TRUE(IsFlagged(History({{1, 2}, {2, 0}, {3, 2}, {4, 0}, {5, 2}}), kK));
  EXPECT_FALSE(IsFlagged(History({{1, 2}, {2, 2}, {3, 0}, {4, 0}, {5, 0}}), kK));
}

TEST(Filter, TheCurrentWindowNeedNotBeAnomalous) {
  EXPECT_TRUE(IsFlagged(History({{1, 2}, {2, 2}, {3, 2}, {4, 0}, {5, 0}}), kK));
  EXPECT_FALSE(IsFlagged(History({{1, 2}, {2, 2}, {3, 2}, {4, 0}, {5, 0}, {6, 0}}), kK));
}

TEST(Filter, AnAbsentWindowTimeStillPasses) {
  EXPECT_TRUE(IsFlagged(History({{1, 2}, {2, 2}, {5, 2}}), kK));
  EXPECT_FALSE(IsFlagged(History({{1, 2}, {2, 2}, {6, 2}}), kK));
}

TEST(Filter, KthLargestDegreeIsOverTheThresholdExactlyWhenFlagged) {
  EXPECT_EQ(KthDegree(History({{1, 5}, {2, 9}}), kK), 0);
  const auto recent = History({{1, 5}, {2, 0.5}, {3, 9}, {4, 1.5}});
  EXPECT_EQ(KthDegree(recent, kK), 1.5);
  EXPECT_TRUE(IsFlagged(recent, kK));
}

TEST(Filter, AWindowTimeThatComesTwiceCountsOnce) {
  EXPECT_EQ(History({{1, 5}, {1, 5}, {1, 5}}).size(), 1U);
}

}  // namespace
}  // namespace limpet::filter_test
