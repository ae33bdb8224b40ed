#include "diagnoser/verdict/persistence.h"

#include <gmock/gmock.h>

namespace limpet::persistence_test {
namespace {

using ::testing::ElementsAre;

TEST(Persistence, AnAccumulatorNeverGoesUnderZero) {
  EXPECT_EQ(Accumulate(0, false), 0U);
  EXPECT_EQ(Accumulate(0, true), 1U);
  EXPECT_EQ(Accumulate(5, false), 4U);
}

TEST(Persistence, ProductionWindowsAddEightAnHourAtMost) {
  std::uint32_t accumulator = 0;
  for (int seconds = 0; seconds < 3600; seconds += 30 * 15) {
    accumulator = Accumulate(accumulator, true);
  }
  EXPECT_EQ(accumulator, 8U);
}

TEST(Persistence, TheTopIsByAccumulatorThenName) {
  const auto top =
      TopPersistent({{"io", "b/x", 3}, {"io", "a/x", 3}, {"io", "c/x", 9}, {"io", "d/x", 0}}, 2);
  ASSERT_EQ(top.size(), 2U);
  EXPECT_EQ(top[0].component, "c/x");
  EXPECT_EQ(top[1].component, "a/x");
}

TEST(Persistence, AnHourHoldsTheWindowEndsUpToItsLastInstant) {
  HourlyList list;
  constexpr auto kHour = UnixFromSeconds(1'700'085'600);  // 2023-11-15 22:00 UTC
  list.Record(kHour, {});
  list.Record(kHour + std::chrono::seconds(32), {{"io", "io02/sdb", 1}});
  list.Record(kHour + std::chrono::hours(1), {{"io", "io02/sdb", 8}, {"io", "io05/sdb", 3}});
  EXPECT_THAT(list.Rows(), ElementsAre("20231115.21:", "20231115.22: 8 io:io02/sdb 3 io:io05/sdb"));
}

}  // namespace
}  // namespace limpet::persistence_test
