#include "diagnoser/commands/progress_line.h"

#include <gtest/gtest.h>

namespace limpet::progress_line_test {
namespace {

using namespace std::chrono_literals;

ReplayReport Report() {
  ReplayReport report;
  report.samples = 30'000'000;
  report.file_bytes = 250;
  report.total_bytes = 1000;
  report.first = UnixFromSeconds(1000);
  return report;
}

TEST(EstimateProgress, IsByTheBytesOfTheFiles) {
  const auto progress = EstimateProgress(UnixFromSeconds(2000), Report(), 3s, UnixTime::max());
  EXPECT_EQ(progress.samples_per_second, 1e7);
  EXPECT_EQ(progress.done, 0.25);
  EXPECT_EQ(progress.seconds_left, 9);
}

TEST(EstimateProgress, AnEndThatWasAskedForComesBeforeThatOfTheFiles) {
  const auto progress =
      EstimateProgress(UnixFromSeconds(1500), Report(), 3s, UnixFromSeconds(2000));
  EXPECT_EQ(progress.done, 0.5);
  EXPECT_EQ(progress.seconds_left, 3);
}

TEST(EstimateProgress, NobodyKnowsHowMuchAPipeWillGive) {
  auto report = Report();
  report.total_bytes = 0;
  const auto progress = EstimateProgress(UnixFromSeconds(1500), report, 3s, UnixTime::max());
  EXPECT_FALSE(progress.done);
  EXPECT_FALSE(progress.seconds_left);
}

TEST(EstimateProgress, TheFirstMomentsPromiseNothing) {
  auto report = Report();
  report.file_bytes = 1;
  EXPECT_FALSE(EstimateProgress(UnixFromSeconds(1500), report, 1ms, UnixTime::max()).seconds_left);
}

}  // namespace
}  // namespace limpet::progress_line_test
