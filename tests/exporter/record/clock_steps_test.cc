// What a recording holds when the clock is set while it is written.
//
// Each sample carries a number of its own, so that one that is lost, or there twice, is seen
// whatever the clock said.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>

#include "exporter/record/recorder.h"
#include "exporter/record/rotation.h"
#include "tests/exporter/record/memory_folder.h"
#include "tests/exporter/record/recorded_samples.h"
#include "tests/support/manual_clock.h"

namespace limpet::clock_steps_test {
namespace {

using std::chrono_literals::operator""h;
using std::chrono_literals::operator""s;

constexpr UnixTime kMidnight = std::chrono::sys_days(std::chrono::year(2026) / 6 / 16);
constexpr UnixTime kNewYear = std::chrono::sys_days(std::chrono::year(2027) / 1 / 1);

std::int64_t Day(UnixTime at) {
  return std::chrono::floor<std::chrono::days>(at - kDayBegins).time_since_epoch().count();
}

// (when the clock is set, by how much, into what is recorded)
class ClockSteps : public ::testing::TestWithParam<std::tuple<UnixTime, Duration, RecordingForm>> {
};

TEST_P(ClockSteps, LoseNoDayAndRecordNothingTwice) {
  const auto [when, step, form] = GetParam();
  constexpr int kBefore = 70;
  constexpr int kAfter = 100;
  testing::ManualClock clock(when - kBefore * 1s);
  const auto disk = std::make_shared<testing::MemoryDisk>();
  Recorder recorder({.instance = "io01", .format = form, .compression_level = 1, .keep_days = 1},
                    std::make_unique<testing::MemoryFolder>(disk), clock,
                    [](LogLevel, std::string_view) {});
  std::set<std::int64_t> days;  // that the clock has shown
  for (int i = 0; i < kBefore + kAfter; ++i) {
    if (i == kBefore) {
      clock.StepWall(step);
    }
    days.insert(Day(clock.Now()));
    recorder.Add(testing::NumberedSample(clock.Now(), i));
    clock.Advance(1s);
  }
  recorder.Close();

  std::map<int, int> seen;  // number of a sample → how often
  std::set<std::int64_t> days_of_files;
  for (const auto& [name, bytes] : disk->files) {
    const auto samples = testing::RecordedSamples(bytes);
    ASSERT_FALSE(samples.empty()) << name;
    days_of_files.insert(Day(samples.front().at));
    EXPECT_EQ(WholeSeconds(samples.front().at), WholeSeconds(*ParseRecordingName(name)));
    for (std::size_t i = 0; i < samples.size(); ++i) {
      ++seen[samples[i].number];
      EXPECT_TRUE(i == 0 || samples[i].at > samples[i - 1].at) << "time grows within a file";
      EXPECT_EQ(Day(samples[i].at), Day(samples.front().at));
    }
  }
  for (const auto& [number, times] : seen) {
    EXPECT_EQ(times, 1) << number;
  }
  // After a small step back the clock has to catch up first; otherwise everything is there.
  const bool is_small = step < 0s && -step < kSmallStep;
  const auto lost = static_cast<std::size_t>(is_small ? -step / 1s : 0);
  EXPECT_EQ(seen.size(), kBefore + kAfter - lost);
  EXPECT_EQ(recorder.Total().skipped, lost);
  EXPECT_EQ(days_of_files, days);
}

INSTANTIATE_TEST_SUITE_P(
    Clock, ClockSteps,
    ::testing::Combine(::testing::Values(kMidnight + 12h, kMidnight - 2s, kMidnight, kMidnight + 2s,
                                         kMidnight + 4s, kMidnight + 6s, kMidnight - 30 * 60s,
                                         kMidnight + 30 * 60s, kNewYear - 2s, kNewYear + 2s,
                                         kNewYear + 6s, kNewYear - 30 * 60s, kNewYear + 30 * 60s),
                       ::testing::Values(Duration(3s), Duration(-3s), Duration(1h), Duration(-1h),
                                         Duration(0)),
                       ::testing::Values(RecordingForm::kText, RecordingForm::kColumns)));

}  // namespace
}  // namespace limpet::clock_steps_test
