#include "diagnoser/detect/profile/alarm.h"

#include <gtest/gtest.h>

namespace limpet::alarm_test {
namespace {

AlarmCount After(int alarms, AlarmCount count = {}) {
  for (int i = 0; i < alarms; ++i) {
    count = Next(count, true);
  }
  return count;
}

TEST(Alarm, TwentyInARowIndict) {
  EXPECT_FALSE(IsIndicted(After(19), AlarmRule::kConsecutive));
  EXPECT_TRUE(IsIndicted(After(20), AlarmRule::kConsecutive));
}

TEST(Alarm, OneSecondWithoutBeginsTheRowAnew) {
  const auto broken = Next(After(25), false);
  EXPECT_FALSE(IsIndicted(broken, AlarmRule::kConsecutive));
  EXPECT_FALSE(IsIndicted(After(19, broken), AlarmRule::kConsecutive));
}

// 10 (1 - 0.9^n) passes 8 between n = 15 (7.94) and n = 16 (8.15).
TEST(Alarm, TheWeightedCountPassesEightWithTheSixteenthAlarm) {
  EXPECT_FALSE(IsIndicted(After(15), AlarmRule::kWeighted));
  EXPECT_TRUE(IsIndicted(After(16), AlarmRule::kWeighted));
}

TEST(Alarm, TheWeightedCountForgivesASecondWithout) {
  auto count = After(40);
  count = Next(count, false);  // 0.9 * 9.85 = 8.87
  EXPECT_TRUE(IsIndicted(count, AlarmRule::kWeighted));
  count = Next(count, false);  // 7.98
  EXPECT_FALSE(IsIndicted(count, AlarmRule::kWeighted));
}

}  // namespace
}  // namespace limpet::alarm_test
