#include "exporter/record/retention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace limpet::retention_test {
namespace {

using std::chrono_literals::operator""h;
using std::chrono_literals::operator""s;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr UnixTime kNow = std::chrono::sys_days(std::chrono::year(2026) / 1 / 31) + 12h;

const std::vector<StoredRecording> kStored = {{"20260131T000005Z.om.zst", 40},
                                              {"20260129T000005Z.om.zst", 30},
                                              {"20260130T000005Z.om.zst", 20},
                                              {"20260129T000005Z-1.om.zst", 10},
                                              {"19990101T000000Z.txt", 1'000'000}};

TEST(Expired, NothingWithoutLimits) { EXPECT_THAT(Expired(kStored, {}, "", kNow), IsEmpty()); }

TEST(Expired, WhatIsTooOldToItsLastPossibleSample) {
  EXPECT_THAT(Expired(kStored, {.keep_days = 1}, "", kNow),
              ElementsAre("20260129T000005Z-1.om.zst", "20260129T000005Z.om.zst"));
  EXPECT_THAT(Expired(kStored, {.keep_days = 2}, "", kNow), IsEmpty());
}

TEST(Expired, NothingByAgeWhenNobodyKnowsTheTime) {
  EXPECT_THAT(Expired(kStored, {.keep_days = 1}, "", std::nullopt), IsEmpty());
}

TEST(Expired, TheOldestUntilTheRestFits) {
  EXPECT_THAT(Expired(kStored, {.max_bytes = 100}, "", kNow), IsEmpty());
  EXPECT_THAT(Expired(kStored, {.max_bytes = 99}, "", kNow),
              ElementsAre("20260129T000005Z-1.om.zst"));
  EXPECT_THAT(Expired(kStored, {.max_bytes = 50}, "", std::nullopt),
              ElementsAre("20260129T000005Z-1.om.zst", "20260129T000005Z.om.zst",
                          "20260130T000005Z.om.zst"));
}

TEST(Expired, NeverTheFileThatIsWritten) {
  EXPECT_THAT(Expired(kStored, {.keep_days = 1, .max_bytes = 1}, "20260131T000005Z.om.zst", kNow),
              ElementsAre("20260129T000005Z-1.om.zst", "20260129T000005Z.om.zst",
                          "20260130T000005Z.om.zst"));
}

TEST(ClockWatch, TrustsAClockThatGoesOnAsItDid) {
  ClockWatch watch;
  const SteadyTime start(1h);
  EXPECT_TRUE(watch.IsTrusted(kNow, start));
  EXPECT_TRUE(watch.IsTrusted(kNow + 63s, start + 60s)) << "ntp moves it a little";
  EXPECT_FALSE(watch.IsTrusted(kNow + 3h, start + 120s));
  EXPECT_FALSE(watch.IsTrusted(kNow + 3h + 59 * 60s, start + 61 * 60s));
  EXPECT_TRUE(watch.IsTrusted(kNow + 4h, start + 62 * 60s));
  EXPECT_FALSE(watch.IsTrusted(kNow, start + 63 * 60s)) << "and back";
}

}  // namespace
}  // namespace limpet::retention_test
