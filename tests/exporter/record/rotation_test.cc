#include "exporter/record/rotation.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <set>

namespace limpet::rotation_test {
namespace {

using std::chrono_literals::operator""h;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

constexpr UnixTime kMidnight = std::chrono::sys_days(std::chrono::year(2026) / 2 / 1);

TEST(Place, TheFirstSampleBeginsAFile) {
  EXPECT_EQ(Place(std::nullopt, kMidnight), Placement::kNewFile);
}

TEST(Place, ANewDayBeginsFiveSecondsAfterMidnight) {
  EXPECT_EQ(Place(kMidnight - 1s, kMidnight), Placement::kAppend);
  EXPECT_EQ(Place(kMidnight + 3s, kMidnight + 4s), Placement::kAppend);
  EXPECT_EQ(Place(kMidnight + 4s, kMidnight + 5s), Placement::kNewFile);
  EXPECT_EQ(Place(kMidnight + 5s, kMidnight + 6s), Placement::kAppend);
}

TEST(Place, ASmallStepBackLeavesSamplesOutAndMakesNoFile) {
  EXPECT_EQ(Place(kMidnight + 6s, kMidnight + 2s), Placement::kSkip);
  EXPECT_EQ(Place(kMidnight + 6s, kMidnight + 6s), Placement::kSkip);
  EXPECT_EQ(Place(kMidnight + 6s, kMidnight + 7s), Placement::kAppend);
}

TEST(Place, ALargeStepBackMakesAFileSinceTimeMustGrowInOne) {
  EXPECT_EQ(Place(kMidnight + 6s, kMidnight + 1001ms), Placement::kSkip);
  EXPECT_EQ(Place(kMidnight + 6s, kMidnight + 1s), Placement::kNewFile);
  EXPECT_EQ(Place(kMidnight, kMidnight - 24h), Placement::kNewFile);
}

TEST(Place, AStepForwardIntoAnotherDayMakesAFileAtOnce) {
  EXPECT_EQ(Place(kMidnight - 6h, kMidnight + 2h), Placement::kNewFile);
  EXPECT_EQ(Place(kMidnight - 6h, kMidnight - 1h), Placement::kAppend);
  EXPECT_EQ(Place(kMidnight - 6h, kMidnight + 24h * 40), Placement::kNewFile);
}

// A clock that steps about, followed sample by sample.
TEST(Place, HoldsItsPromisesWhateverTheClockDoes) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    std::optional<UnixTime> last;
    UnixTime now = kMidnight - 1h;
    std::set<std::int64_t> days_seen;
    std::set<std::int64_t> days_filed;
    std::uint64_t large_steps_back = 0;
    std::uint64_t files = 0;
    const auto day = [](UnixTime at) {
      return std::chrono::floor<std::chrono::days>(at - kDayBegins).time_since_epoch().count();
    };
    for (int i = 0; i < 3000; ++i) {
      now += 1s;
      const auto dice = random() % 100;
      if (dice == 0) {
        now += Duration(static_cast<std::int64_t>(random() % Duration(30h).count()));
      } else if (dice == 1) {
        now -= Duration(static_cast<std::int64_t>(random() % Duration(5900ms).count()));
      } else if (dice == 2 && random() % 4 == 0) {
        now -= Duration(static_cast<std::int64_t>(random() % Duration(48h).count()));
      }
      const auto placement = Place(last, now);
      if (last && *last - now >= kSmallStep) {
        ++large_steps_back;
      }
      switch (placement) {
        case Placement::kSkip:
          ASSERT_TRUE(last && now <= *last && *last - now < kSmallStep);
          continue;
        case Placement::kAppend:
          ASSERT_GT(now, *last) << "time grows within a file";
          ASSERT_EQ(day(now), day(*last)) << "a file is of one day";
          break;
        case Placement::kNewFile:
          ++files;
          days_filed.insert(day(now));
          break;
      }
      last = now;
      days_seen.insert(day(now));
    }
    EXPECT_EQ(days_filed, days_seen) << "no day is lost";
    EXPECT_LE(files, days_seen.size() * (1 + large_steps_back));
  }
}

TEST(RecordingName, IsTheStartInUtc) {
  EXPECT_EQ(RecordingName(kMidnight - 24h + 5s + 250ms, 0, RecordingForm::kText),
            "20260131T000005Z.om.zst");
  EXPECT_EQ(RecordingName(UnixFromSeconds(1'709'210'096), 0, RecordingForm::kText),
            "20240229T123456Z.om.zst");
  EXPECT_EQ(RecordingName(kMidnight, 2, RecordingForm::kText), "20260201T000000Z-2.om.zst");
  EXPECT_EQ(RecordingName(kMidnight, 1, RecordingForm::kColumns), "20260201T000000Z-1.columns.zst");
}

TEST(ParseRecordingName, IsTheStartOfOurFilesAndOfNoOthers) {
  EXPECT_EQ(ParseRecordingName("20240229T123456Z.om.zst"), UnixFromSeconds(1'709'210'096));
  EXPECT_EQ(ParseRecordingName("20260201T000000Z-2.om.zst"), kMidnight);
  EXPECT_EQ(ParseRecordingName("20260201T000000Z-2.columns.zst"), kMidnight);
  for (const auto* name :
       {"", ".om.zst", ".columns.zst", "20260229T000000Z.columns.zst",
        "20260201T000000Z.om.columns.zst", "20260229T000000Z.om.zst", "20260201T240000Z.om.zst",
        "20260201T000000Z.om", "20260201T000000Z-.om.zst", "20260201T000000Z-02.om.zst",
        "20260201T000000Z-0.om.zst", "x20260201T000000Z.om.zst", "20260201 000000Z.om.zst",
        "20260201T000000Z2.om.zst", "+2260201T000000Z.om.zst",
        // Beyond what 64 bits of nanoseconds hold.
        "99981231T235959Z.om.zst", "23000101T000000Z.columns.zst"}) {
    EXPECT_EQ(ParseRecordingName(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace limpet::rotation_test
