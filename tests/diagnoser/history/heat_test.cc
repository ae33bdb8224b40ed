#include "diagnoser/history/heat.h"

#include <gmock/gmock.h>

namespace limpet::heat_test {
namespace {

using namespace std::chrono_literals;

constexpr UnixTime kBegin = UnixFromSeconds(1'700'000'040);  // a whole minute

NodeStates Degree(double degree) { return {{"a", {.degree = degree}}}; }

TEST(Heat, KeepsTheLargestDegreeOfAMinute) {
  Heat heat;
  EXPECT_TRUE(heat.Record(kBegin, Degree(0.1)));
  EXPECT_FALSE(heat.Record(kBegin + 30s, Degree(10)));
  EXPECT_FALSE(heat.Record(kBegin + 59s, Degree(0.1)));
  EXPECT_TRUE(heat.Record(kBegin + 60s, Degree(0)));
  const auto& strip = heat.All().at("a");
  EXPECT_EQ(strip[Heat::kSteps - 1], 0);
  EXPECT_EQ(strip[Heat::kSteps - 2],
            Quantised(ColumnRows()[static_cast<std::size_t>(Column::kDegree)], 10));
  EXPECT_EQ(strip[Heat::kSteps - 3], kUnknown);
  EXPECT_EQ(heat.Begin(), kBegin + 60s - 119min);
}

TEST(Heat, ForgetsNodesAfterTwoHours) {
  Heat heat;
  (void)heat.Record(kBegin, Degree(1));
  (void)heat.Record(kBegin + 119min, {{"b", {.degree = 1}}});
  EXPECT_EQ(heat.All().size(), 2U);
  (void)heat.Record(kBegin + 120min, {{"b", {.degree = 1}}});
  EXPECT_EQ(heat.All().size(), 1U);
  (void)heat.Record(kBegin + 24h, {});
  EXPECT_TRUE(heat.All().empty());
}

TEST(Heat, AClockThatWasSetBackCostsNothing) {
  Heat heat;
  (void)heat.Record(kBegin + 1h, Degree(1));
  EXPECT_FALSE(heat.Record(kBegin, Degree(2)));
  EXPECT_EQ(heat.All().size(), 1U);
}

}  // namespace
}  // namespace limpet::heat_test
