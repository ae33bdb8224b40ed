#include "diagnoser/detect/syscalls/service_means.h"

#include <gmock/gmock.h>

namespace limpet::service_means_test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<ServiceMean> Feed(ServiceMeans& means, std::int64_t second, double value) {
  const ServiceSample sample{.server = "a", .value = value};
  return means.Observe(second, {&sample, 1});
}

TEST(ServiceMeans, AreOfTheLastFiveSeconds) {
  ServiceMeans means;
  for (int second = 1; second <= 5; ++second) {
    (void)Feed(means, second, second);
  }
  const auto now = Feed(means, 6, 16);
  ASSERT_THAT(now, SizeIs(1));
  EXPECT_DOUBLE_EQ(now[0].value, (2 + 3 + 4 + 5 + 16) / 5.0);
}

TEST(ServiceMeans, SecondsWithoutCallsAreLeftOut) {
  ServiceMeans means;
  (void)Feed(means, 1, 2);
  EXPECT_THAT(means.Observe(2, {}), IsEmpty());
  const auto now = Feed(means, 3, 4);
  ASSERT_THAT(now, SizeIs(1));
  EXPECT_DOUBLE_EQ(now[0].value, 3);
}

TEST(ServiceMeans, WhatIsFiveSecondsOldNoLongerCounts) {
  ServiceMeans means;
  (void)Feed(means, 1, 100);
  EXPECT_DOUBLE_EQ(Feed(means, 6, 4)[0].value, 4);
}

TEST(ReferenceMean, IsTheMedianOfThoseThatAreNotLeftOut) {
  const std::vector<ServiceMean> means = {{"a", 1}, {"b", 2}, {"c", 9}, {"d", 4}};
  EXPECT_DOUBLE_EQ(*ReferenceMean(means, {}), 3);
  EXPECT_DOUBLE_EQ(*ReferenceMean(means, {"c"}), 2);
}

TEST(ReferenceMean, TwoServersHaveNone) {
  const std::vector<ServiceMean> means = {{"a", 1}, {"b", 2}};
  EXPECT_FALSE(ReferenceMean(means, {}));
  const std::vector<ServiceMean> three = {{"a", 1}, {"b", 2}, {"c", 3}};
  EXPECT_FALSE(ReferenceMean(three, {"a", "b"}));
}

}  // namespace
}  // namespace limpet::service_means_test
