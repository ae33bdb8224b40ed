#include "diagnoser/detect/syscalls/service_training.h"

#include <gmock/gmock.h>

#include <random>

namespace limpet::service_training_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(FindSaturated, IsWhoDeviatesFarMoreThanTheOthers) {
  // Median 2, median absolute deviation 1: over 5 is saturated.
  EXPECT_THAT(FindSaturated({{"a", 1}, {"b", 2}, {"c", 3}, {"d", 1}, {"e", 5.1}}),
              ElementsAre("e"));
  EXPECT_THAT(FindSaturated({{"a", 1}, {"b", 2}, {"c", 3}, {"d", 1}, {"e", 5}}), IsEmpty());
}

TEST(FindSaturated, WithoutAnySpreadNobodyIs) {
  EXPECT_THAT(FindSaturated({{"a", 1}, {"b", 1}, {"c", 1}, {"d", 9}}), IsEmpty());
  EXPECT_THAT(FindSaturated({}), IsEmpty());
}

TEST(ServiceTraining, TheThresholdIsTheLargestDeviation) {
  ServiceTraining training;
  for (std::int64_t second = 1; second <= 60; second += 10) {
    // Ten seconds apart, so that each mean is one sample.
    const double odd = second == 31 ? 0.5 : 0;
    const std::vector<ServiceSample> samples = {{"a", 10}, {"b", 11 + odd}, {"c", 12}};
    training.Observe(second, samples);
  }
  const auto thresholds = training.Finish();
  EXPECT_DOUBLE_EQ(thresholds.deviations.at("a"), 1.5);
  EXPECT_DOUBLE_EQ(thresholds.deviations.at("b"), 0);
  EXPECT_DOUBLE_EQ(thresholds.deviations.at("c"), 1);
}

TEST(ServiceTraining, ASaturatedServerIsLeftOutOfTheReference) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> jitter(-0.5, 0.5);
  ServiceTraining training;
  for (std::int64_t second = 1; second <= 200; ++second) {
    const std::vector<ServiceSample> samples = {{"a", 10 + jitter(random)},
                                                {"b", 10.3 + jitter(random)},
                                                {"c", 9.8 + jitter(random)},
                                                {"d", 10.1 + jitter(random)},
                                                {"e", 30 + jitter(random)}};
    training.Observe(second, samples);
  }
  const auto thresholds = training.Finish();
  EXPECT_THAT(thresholds.saturated, ElementsAre("e"));
  EXPECT_GT(thresholds.deviations.at("e"), 15);
  EXPECT_LT(thresholds.deviations.at("a"), 1.5);
}

TEST(ServiceTraining, TooFewServersTeachNothing) {
  ServiceTraining training;
  const std::vector<ServiceSample> samples = {{"a", 1}, {"b", 2}};
  training.Observe(5, samples);
  EXPECT_THAT(training.Finish().deviations, IsEmpty());
}

}  // namespace
}  // namespace limpet::service_training_test
