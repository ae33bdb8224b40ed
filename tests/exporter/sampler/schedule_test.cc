#include "exporter/sampler/schedule.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

namespace limpet::schedule_test {
namespace {

using std::chrono_literals::operator""h;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""ns;
using std::chrono_literals::operator""s;

TEST(NextTick, IsTheNextWholeSecond) {
  EXPECT_EQ(NextTick(UnixFromMilliseconds(1'700'000'000'250), 1s), UnixFromSeconds(1'700'000'001));
}

TEST(NextTick, OnATickIsTheOneAfterIt) {
  EXPECT_EQ(NextTick(UnixFromSeconds(1'700'000'000), 1s), UnixFromSeconds(1'700'000'001));
}

TEST(NextTick, HoldsForOtherIntervals) {
  EXPECT_EQ(NextTick(UnixFromSeconds(1'700'000'001), 15s), UnixFromSeconds(1'700'000'010));
  EXPECT_EQ(NextTick(UnixFromMilliseconds(1'100), 250ms), UnixFromMilliseconds(1'250));
}

TEST(NextTick, HoldsBefore1970WhereABrokenClockMayBe) {
  EXPECT_EQ(NextTick(UnixFromMilliseconds(-250), 1s), UnixFromSeconds(0));
  EXPECT_EQ(NextTick(UnixFromSeconds(-1), 1s), UnixFromSeconds(0));
}

TEST(NextTick, IsAlwaysAfterNowByAtMostAnIntervalAndAMultipleOfIt) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10'000; ++i) {
    const Duration interval(1 + static_cast<std::int64_t>(random() % 60'000'000'000));
    const UnixTime now(Duration(static_cast<std::int64_t>(random() >> 3U)) - Duration(1h));
    const auto next = NextTick(now, interval);
    EXPECT_GT(next, now);
    EXPECT_LE(next - now, interval);
    EXPECT_EQ(next.time_since_epoch() % interval, 0ns);
  }
}

TEST(MissedTicks, NoneWhenOnTimeOrALittleLateOrEarly) {
  EXPECT_EQ(MissedTicks(1s, 1s), 0U);
  EXPECT_EQ(MissedTicks(1499ms, 1s), 0U);
  EXPECT_EQ(MissedTicks(3ms, 1s), 0U);
}

TEST(MissedTicks, CountsWhatWasLeftOut) {
  EXPECT_EQ(MissedTicks(2s, 1s), 1U);
  EXPECT_EQ(MissedTicks(3600s, 1s), 3599U);
  EXPECT_EQ(MissedTicks(2500ms, 500ms), 4U);
}

}  // namespace
}  // namespace limpet::schedule_test
