#include "diagnoser/metrics/samples.h"

#include <gmock/gmock.h>

#include "diagnoser/metrics/missing.h"

namespace limpet::samples_test {
namespace {

using std::chrono::seconds;

double Of(const DiskSamples& samples, DiskMetric metric) {
  return samples[static_cast<std::size_t>(metric)];
}

// 30 reads and 10 writes in 2 s: 20 KiB read, 60 KiB written, 0.3 s + 0.1 s waited, 0.5 s busy.
constexpr DiskIncreases kTwoSeconds = {30, 10, 20480, 61440, 0.3, 0.1, 0.5, 0.8};

TEST(Metrics, FollowIostat) {
  const auto samples = ComputeSamples(kTwoSeconds, seconds(2));
  EXPECT_DOUBLE_EQ(Of(samples, DiskMetric::kRequests), 20);
  EXPECT_DOUBLE_EQ(Of(samples, DiskMetric::kRead), 20);
  EXPECT_DOUBLE_EQ(Of(samples, DiskMetric::kWrite), 60);
  EXPECT_DOUBLE_EQ(Of(samples, DiskMetric::kRequestSize), 160.0 / 40);
  EXPECT_DOUBLE_EQ(Of(samples, DiskMetric::kQueueSize), 0.4);
  EXPECT_DOUBLE_EQ(Of(samples, DiskMetric::kAwait), 10);
  EXPECT_DOUBLE_EQ(Of(samples, DiskMetric::kServiceTime), 12.5);
  EXPECT_DOUBLE_EQ(Of(samples, DiskMetric::kUtil), 25);
}

TEST(Metrics, UtilisationIsAtMostAHundred) {
  auto increases = kTwoSeconds;
  increases[6] = 2.5;
  EXPECT_EQ(Of(ComputeSamples(increases, seconds(2)), DiskMetric::kUtil), 100);
}

TEST(Metrics, RatiosAreZeroWithoutRequests) {
  const DiskIncreases idle = {0.005, 0.004, 100, 0, 0.3, 0, 0.1, 0.1};
  const auto samples = ComputeSamples(idle, seconds(1));
  EXPECT_EQ(Of(samples, DiskMetric::kAwait), 0);
  EXPECT_EQ(Of(samples, DiskMetric::kServiceTime), 0);
  EXPECT_EQ(Of(samples, DiskMetric::kRequestSize), 0);
  EXPECT_GT(Of(samples, DiskMetric::kUtil), 0);
}

TEST(Metrics, OnlyWhatNeedsAMissingIncreaseIsMissing) {
  auto increases = kTwoSeconds;
  increases[static_cast<std::size_t>(DiskCounter::kBusySeconds)] = kMissing;
  const auto samples = ComputeSamples(increases, seconds(2));
  EXPECT_TRUE(IsMissing(Of(samples, DiskMetric::kServiceTime)));
  EXPECT_TRUE(IsMissing(Of(samples, DiskMetric::kUtil)));
  EXPECT_DOUBLE_EQ(Of(samples, DiskMetric::kAwait), 10);
  increases[static_cast<std::size_t>(DiskCounter::kReads)] = kMissing;
  EXPECT_TRUE(IsMissing(Of(ComputeSamples(increases, seconds(2)), DiskMetric::kAwait)));
}

}  // namespace
}  // namespace limpet::samples_test
