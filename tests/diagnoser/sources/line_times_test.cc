#include "diagnoser/sources/line_times.h"

#include <gtest/gtest.h>

#include <string>

namespace limpet::line_times_test {
namespace {

constexpr auto kOpenMetrics = Format::kOpenMetrics;

// Three seconds of two series with comments between them.
const std::string kText =
    "# TYPE a counter\n"
    "a_total{l=\"} 9\"} 1 10.000\n"
    "b 2 10.000\n"
    "a_total{l=\"} 9\"} 2 11.000\n"
    "# a comment\n"
    "b 3 11.000\n"
    "b 4 12.500\n";

TEST(LineTimes, CommentsAndLinesWithoutATimeArePassedOver) {
  EXPECT_EQ(FindFirstTime(kText, 0, kText.size(), kOpenMetrics), UnixFromSeconds(10));
  EXPECT_EQ(FindFirstTime("# x\nb 3\n", 0, 8, kOpenMetrics), std::nullopt);
  EXPECT_EQ(FindLastTime(kText + "# EOF\n", kOpenMetrics), UnixFromMilliseconds(12'500));
  EXPECT_EQ(FindLastTime("", kOpenMetrics), std::nullopt);
}

TEST(LineTimes, ThePlainFormatHasMilliseconds) {
  EXPECT_EQ(FindLastTime("b 3 12500\n", Format::kText), UnixFromMilliseconds(12'500));
  EXPECT_EQ(FindLastTime("b 3 99999999999999\n", Format::kText), std::nullopt);
}

TEST(LineTimes, LaterLinesBeginWhereWalkingFindsThem) {
  for (const auto until : {9'000, 10'000, 10'500, 11'000, 12'000, 12'500, 13'000}) {
    std::size_t expected = kText.size();
    for (std::size_t at = 0; at < kText.size(); at = kText.find('\n', at) + 1) {
      const auto end = kText.find('\n', at) + 1;
      const auto time = FindFirstTime(kText, at, end, kOpenMetrics);
      if (time && *time > UnixFromMilliseconds(until)) {
        expected = at;
        break;
      }
    }
    const auto place = FindLater(kText, UnixFromMilliseconds(until), kOpenMetrics);
    // Comments before a later line may stand on either side.
    EXPECT_LE(place, expected) << until;
    EXPECT_EQ(FindFirstTime(kText, place, kText.size(), kOpenMetrics),
              FindFirstTime(kText, expected, kText.size(), kOpenMetrics))
        << until;
  }
}

}  // namespace
}  // namespace limpet::line_times_test
