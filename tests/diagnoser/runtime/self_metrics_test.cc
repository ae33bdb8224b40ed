#include "diagnoser/runtime/self_metrics.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/families.h"

namespace limpet::self_metrics_test {
namespace {

using namespace std::chrono_literals;

constexpr UnixTime kStarted = UnixFromSeconds(1'700'000'000);

struct SelfMetricsTest : ::testing::Test {
  // Of a series that is there; -1: there is none.
  double Value(const std::string& name, const std::string& labels = "") const {
    return testing::Value(metrics.Collect(), name, labels).value_or(-1);
  }
  SelfMetrics metrics{kStarted};
};

TEST_F(SelfMetricsTest, BeginWithEverySeriesAtZeroThatARateMayBeTakenOf) {
  for (const auto* reason : {"resolve", "connect", "timeout", "page", "absent"}) {
    EXPECT_EQ(Value("target_scrape_errors_total", "reason=\"" + std::string(reason) + "\""), 0)
        << reason;
  }
  for (const auto* result : {"result=\"ok\"", "result=\"failed\""}) {
    EXPECT_EQ(Value("state_saves_total", result), 0);
    EXPECT_EQ(Value("events_written_total", result), 0);
  }
  EXPECT_EQ(Value("target_scrapes_total"), 0);
  EXPECT_EQ(Value("diagnoser_config_last_reload_successful"), 1);
  EXPECT_EQ(Value("diagnoser_start_time_seconds"), 1'700'000'000);
}

TEST_F(SelfMetricsTest, AScrapeCountsOnceAndItsFailureUnderItsReasonOnly) {
  metrics.RecordScrape(std::nullopt, 1000, 40);
  metrics.RecordScrape(FetchFailure::kTimeout, 0, 0);
  EXPECT_EQ(Value("target_scrapes_total"), 2);
  EXPECT_EQ(Value("target_scraped_bytes_total"), 1000);
  EXPECT_EQ(Value("ingested_samples_total"), 40);
  EXPECT_EQ(Value("target_scrape_errors_total", "reason=\"timeout\""), 1);
  EXPECT_EQ(Value("target_scrape_errors_total", "reason=\"connect\""), 0);
}

TEST_F(SelfMetricsTest, WhatOthersCountIsTakenAsItStandsNotAddedUp) {
  metrics.RecordIngest(3, 20ms);
  metrics.RecordIngest(5, 10ms);
  EXPECT_EQ(Value("ingest_dropped_scrapes_total"), 5);
  EXPECT_DOUBLE_EQ(Value("ingest_lag_seconds"), 0.01);
  metrics.RecordAdvance(8, 250ms);
  metrics.RecordAdvance(16, 250ms);
  EXPECT_EQ(Value("windows_compared_total"), 16);
  EXPECT_DOUBLE_EQ(Value("window_compute_seconds_total"), 0.5);
  metrics.RecordProcess({.cpu_time = 3s, .resident_bytes = 5e6});
  metrics.RecordProcess({.cpu_time = 4s, .resident_bytes = 4e6, .open_fds = 17});
  EXPECT_EQ(Value("process_cpu_seconds_total"), 4);
  EXPECT_EQ(Value("process_resident_memory_bytes"), 4e6);
  EXPECT_EQ(Value("process_open_fds"), 17);
  EXPECT_GT(Value("process_max_fds"), 0);
  EXPECT_EQ(Value("diagnoser_cpu_seconds_total"), 4);
  EXPECT_EQ(Value("diagnoser_resident_memory_bytes"), 4e6);
}

TEST_F(SelfMetricsTest, ACounterNeverFalls) {
  metrics.RecordAdvance(16, 0s);
  metrics.RecordAdvance(2, 0s);  // the pipeline has begun anew
  EXPECT_GE(Value("windows_compared_total"), 16);
}

TEST_F(SelfMetricsTest, TheInstantOfTheStateIsThatOfTheLastSaveThatWorked) {
  metrics.RecordStateSave(false, kStarted + 5s);
  EXPECT_EQ(Value("state_saved_timestamp_seconds"), -1) << "0 would be a state of 1970";
  metrics.RecordStateSave(true, kStarted + 10s);
  metrics.RecordStateSave(false, kStarted + 20s);
  EXPECT_EQ(Value("state_saved_timestamp_seconds"), 1'700'000'010);
  EXPECT_EQ(Value("state_saves_total", "result=\"ok\""), 1);
  EXPECT_EQ(Value("state_saves_total", "result=\"failed\""), 2);
}

TEST_F(SelfMetricsTest, EventsAreCountedByTheLineAndAReloadIsTheLatest) {
  metrics.RecordEvents(true, 7);
  metrics.RecordEvents(false, 2);
  EXPECT_EQ(Value("events_written_total", "result=\"ok\""), 7);
  EXPECT_EQ(Value("events_written_total", "result=\"failed\""), 2);
  metrics.RecordReload(false);
  EXPECT_EQ(Value("diagnoser_config_last_reload_successful"), 0);
  metrics.RecordReload(true);
  EXPECT_EQ(Value("diagnoser_config_last_reload_successful"), 1);
}

}  // namespace
}  // namespace limpet::self_metrics_test
