// What the monitor makes of pages that come, that do not, and of those of a store.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/support/quick_monitor.h"

namespace limpet::monitor_pages_test {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::MonitorTest;
using ::testing::SizeIs;
using namespace std::chrono_literals;

using MonitorPagesTest = MonitorTest;

TEST_F(MonitorPagesTest, APageThatIsNoneMarksItsTargetOnly) {
  Give("a", "limpet_disk{device=\"sda} 1\n");
  Give("b", Page("b", 10));
  EXPECT_FALSE(Status("a").up);
  EXPECT_EQ(Status("a").failure, FetchFailure::kPage);
  EXPECT_TRUE(Status("b").up);
  EXPECT_EQ(Status("b").samples, 8U);
  EXPECT_THAT(log_, ElementsAre(HasSubstr("a: http://a:9836/metrics: line 1")));
  EXPECT_THAT(MetricsPage(), HasSubstr("limpet_target_scrape_errors_total{reason=\"page\"} 1\n"));
  Give("a", Page("a", 10));
  EXPECT_TRUE(Status("a").up);
  EXPECT_THAT(log_, Contains("a: up again"));
}

TEST_F(MonitorPagesTest, AFailureThatRepeatsIsLoggedOnceAMinute) {
  for (int i = 0; i < 30; ++i) {
    clock_.Advance(1s);
    Take("a", {.failure = FetchFailure::kTimeout, .error = "not done within 0.9 s"});
  }
  EXPECT_THAT(log_, SizeIs(1));
  EXPECT_EQ(Status("a").failures_in_a_row, 30U);
}

TEST_F(MonitorPagesTest, AClockThatIsWrongIsMeasuredAndWarnedOf) {
  const auto page = [&](Duration ahead) {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(
        (clock_.Now() + ahead).time_since_epoch());
    return fmt::format("limpet_sample_timestamp_seconds {}.{:03}\n", ms.count() / 1000,
                       ms.count() % 1000);
  };
  Give("a", page(-300ms));
  Give("b", page(3s));
  Give("c", page(-5s));
  EXPECT_EQ(Status("a").clock_skew, 0s);
  EXPECT_EQ(Status("b").clock_skew, 3s);
  EXPECT_EQ(Status("c").clock_skew, -4s);
  EXPECT_EQ(Status("d").clock_skew, std::nullopt);
  EXPECT_THAT(log_, ElementsAre(HasSubstr("b: its clock is ahead of ours by at least 3"),
                                HasSubstr("c: its clock is behind ours, or its samples stand")));
}

TEST_F(MonitorPagesTest, AStoreWithNothingToCompareIsLoggedOnceAMinute) {
  ReadStore();
  for (int i = 0; i < 8; ++i) {
    clock_.Advance(15s);
    monitor_->Ingest(StoreBatch{.until = clock_.Now(), .targets = {}, .pages = {}});
  }
  EXPECT_THAT(log_, SizeIs(2));
  EXPECT_THAT(log_, Each(HasSubstr("no series that a peer group compares with the selector job=")));
}

TEST_F(MonitorPagesTest, AStoreWithFewerReadingsThanStepsSaysWhatToExpect) {
  ReadStore();
  const Target target{.node = "a", .role = "server"};
  for (int i = 1; i <= 8; ++i) {
    clock_.Advance(15s);
    StoreBatch batch{.until = clock_.Now(), .targets = {target}, .pages = {}};
    if (i % 4 == 0) {
      const auto ms = clock_.Now().time_since_epoch() / 1ms;
      batch.pages.push_back(
          {.target = std::make_shared<const Target>(target),
           .result = {.body = fmt::format(
                          "node_disk_reads_completed_total{{device=\"sda\"}} {} {}\n", i, ms)},
           .arrived = clock_.Steady()});
    }
    monitor_->Ingest(batch);
  }
  EXPECT_THAT(log_, Contains(HasSubstr("a reading every 60 s and is read every 15 s; expected "
                                       "step: 60s")));
}

}  // namespace
}  // namespace limpet::monitor_pages_test
