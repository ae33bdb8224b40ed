#include "diagnoser/evidence/timed_masks.h"

#include <gmock/gmock.h>

#include "tests/support/live_cluster.h"

namespace limpet::timed_masks_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::LiveCluster;

// 2023-11-12 was a Sunday.
constexpr std::int64_t kSunday = 1'699'747'200;
UnixTime At(int day, int hour, int minute = 0) {
  return UnixFromSeconds(kSunday + day * 86'400LL + hour * 3'600LL + minute * 60LL);
}
bool HoldsAt(const TimedMask& mask, UnixTime at) {
  return Holds(mask, at - std::chrono::seconds(1), at);
}

TEST(TimedMask, HoldsBetweenItsTimesOfEveryDay) {
  const TimedMask mask{.what = "io03", .from = 120, .to = 300};
  for (int day = 0; day < 7; ++day) {
    EXPECT_FALSE(HoldsAt(mask, At(day, 1, 59)));
    EXPECT_TRUE(HoldsAt(mask, At(day, 2)));
    EXPECT_TRUE(HoldsAt(mask, At(day, 4, 59)));
    EXPECT_FALSE(HoldsAt(mask, At(day, 5, 1)));
  }
}

TEST(TimedMask, HoldsOnItsDaysAlone) {
  const TimedMask mask{.what = "io03", .from = 120, .to = 300, .days = 0b000'0001};
  EXPECT_TRUE(HoldsAt(mask, At(0, 3)));
  EXPECT_FALSE(HoldsAt(mask, At(1, 3)));
  EXPECT_FALSE(HoldsAt(mask, At(6, 3)));
  EXPECT_TRUE(HoldsAt(mask, At(7, 3)));
}

TEST(TimedMask, LastsIntoTheNextDay) {
  const TimedMask mask{.what = "io03", .from = 23 * 60, .to = 60, .days = 0b100'0000};
  EXPECT_FALSE(HoldsAt(mask, At(-1, 22, 59)));
  EXPECT_TRUE(HoldsAt(mask, At(-1, 23, 30)));
  EXPECT_TRUE(HoldsAt(mask, At(0, 0, 30)));
  EXPECT_FALSE(HoldsAt(mask, At(0, 1, 30)));
  const TimedMask all_day{.what = "io03", .from = 0, .to = kDayMinutes};
  EXPECT_TRUE(HoldsAt(all_day, At(3, 0)));
  EXPECT_TRUE(HoldsAt(all_day, At(3, 23, 59)));
}

TEST(TimedMask, AWindowThatReachesIntoItsTimesIsMasked) {
  const TimedMask mask{.what = "io03", .from = 120, .to = 300};
  EXPECT_TRUE(Holds(mask, At(1, 4, 59), At(1, 5, 10)));
  EXPECT_TRUE(Holds(mask, At(1, 1, 50), At(1, 2)));
  EXPECT_FALSE(Holds(mask, At(1, 5), At(1, 5, 10)));
  EXPECT_TRUE(Holds(mask, At(1, 6), At(2, 6)));
}

TEST(MaskedWithin, ListsEachOnce) {
  const std::vector<TimedMask> masks = {{.what = "io03", .from = 120, .to = 300},
                                        {.what = "io04/sdb", .from = 600, .to = 660},
                                        {.what = "io03", .from = 180, .to = 240}};
  EXPECT_THAT(MaskedWithin(masks, At(0, 3), At(0, 3, 30)), ElementsAre("io03"));
  EXPECT_THAT(MaskedWithin(masks, At(0, 3), At(0, 10, 30)), ElementsAre("io03", "io04/sdb"));
  EXPECT_THAT(MaskedWithin(masks, At(0, 12), At(0, 13)), IsEmpty());
}

TEST(TimedMask, IsDescribed) {
  EXPECT_EQ(Describe({.what = "io03", .from = 125, .to = 300}), "io03 from 02:05 to 05:00 UTC");
  EXPECT_EQ(Describe({.what = "io03", .from = 0, .to = 1440, .days = 0b100'0001}),
            "io03 from 00:00 to 24:00 UTC on sun, sat");
  EXPECT_EQ(DayNumber("sat"), 6);
  EXPECT_EQ(DayNumber("Sat"), -1);
}

// Of the cluster of live_cluster.h io03 is slow; its data begins on 14 November 2023 at 22:13:20.
TEST(TimedMask, AMaskedServerIsNoVerdictWhileItHolds) {
  for (const bool masked : {false, true}) {
    PipelineConfig config{.presets = {testing::LivePreset()}, .groups = {{.name = "disks"}}};
    if (masked) {
      config.timed_masks = {{.what = "io03", .from = 22 * 60, .to = 23 * 60}};
    }
    LiveCluster cluster(std::move(config));
    cluster.Steps(60, 80);
    const auto view = cluster.Data().View();
    EXPECT_EQ(view.verdicts.empty(), masked);
    EXPECT_EQ(view.masked.size(), masked ? 1U : 0U);
  }
}

TEST(TimedMask, OthersStayMaskedBesideIt) {
  PipelineConfig config{.presets = {testing::LivePreset()},
                        .groups = {{.name = "disks"}},
                        .masked = {"io01"},
                        .timed_masks = {{.what = "io03", .from = 22 * 60, .to = 23 * 60}}};
  LiveCluster cluster(std::move(config));
  cluster.Steps(30, 10);
  EXPECT_THAT(cluster.Data().View().masked, ElementsAre("io01", "io03"));
  cluster.Data().SetMasked({"io02"});
  EXPECT_THAT(cluster.Data().View().masked, ElementsAre("io02", "io03"));
}

}  // namespace
}  // namespace limpet::timed_masks_test
