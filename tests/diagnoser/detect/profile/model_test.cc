#include "diagnoser/detect/profile/model.h"

#include <gmock/gmock.h>

#include <cmath>

namespace limpet::model_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kText = R"(version: 1
metrics: [user, ctxt]
sigma: [0.5, 2]
profiles:
  - mean: [1, 2]
    covariance: [[1, 0.5], [0.5, 2]]
  - mean: [3, 4]
    covariance:
      - [0.001, 0]
      - [0, 1]
threshold: 0.21
seed: 7
)";

std::string ProblemOf(std::string text, const std::string& what, const std::string& with) {
  text.replace(text.find(what), what.size(), with);
  const auto model = ParseProfileModel(text, "m.yml");
  return model ? "" : model.error().Text();
}

TEST(ProfileModel, IsReadAndPrintedAgain) {
  const auto model = ParseProfileModel(kText, "m.yml");
  ASSERT_TRUE(model) << model.error().Text();
  EXPECT_EQ(model->metrics[1], HostMetric::kContextSwitches);
  EXPECT_EQ(model->profiles[0].covariance, (std::vector<double>{1, 0.5, 0.5, 2}));
  EXPECT_TRUE(model->trained);
  EXPECT_EQ(model->seed, 7U);
  const auto again = ParseProfileModel(PrintProfileModel(*model, {"from a test"}), "m.yml");
  ASSERT_TRUE(again) << again.error().Text();
  EXPECT_EQ(*again, *model);
}

TEST(ProfileModel, WithoutAThresholdIsUntrained) {
  std::string text = kText;
  text.erase(text.find("threshold: 0.21\n"), 16);
  const auto model = ParseProfileModel(text, "m.yml");
  ASSERT_TRUE(model);
  EXPECT_EQ(model->threshold, 0.5);
  EXPECT_FALSE(model->trained);
}

TEST(ProfileModel, WhatDoesNotFitIsNamed) {
  EXPECT_THAT(ProblemOf(kText, "version: 1", "version: 2"), HasSubstr("version"));
  EXPECT_THAT(ProblemOf(kText, "user,", "users,"), HasSubstr("no host metric \"users\""));
  EXPECT_THAT(ProblemOf(kText, "user, ctxt", "user, user"), HasSubstr("twice"));
  EXPECT_THAT(ProblemOf(kText, "[0.5, 2]", "[0.5]"), HasSubstr("sigma: expected a list of 2"));
  EXPECT_THAT(ProblemOf(kText, "[0.5, 2]", "[0.5, 0]"),
              HasSubstr("sigma: expected numbers over 0"));
  EXPECT_THAT(ProblemOf(kText, "mean: [1, 2]", "mean: [1, x]"), HasSubstr("profiles[0].mean"));
  EXPECT_THAT(ProblemOf(kText, "[[1, 0.5], [0.5, 2]]", "[[1, 3], [3, 2]]"),
              HasSubstr("m.yml:6: profiles[0].covariance: expected a symmetric matrix"));
  EXPECT_THAT(ProblemOf(kText, "[[1, 0.5], [0.5, 2]]", "[[1, 0.5], [0.4, 2]]"),
              HasSubstr("symmetric"));
  EXPECT_THAT(ProblemOf(kText, "threshold: 0.21", "threshold: 2"), HasSubstr("threshold"));
}

TEST(ProfileModel, NormalisesTheLogarithms) {
  const auto model = ParseProfileModel(kText, "m.yml");
  auto sample = MissingHostSample();
  sample[Index(HostMetric::kUser)] = std::exp(1.0) - 1;
  EXPECT_EQ(Normalise(*model, sample), std::nullopt);  // ctxt is missing
  sample[Index(HostMetric::kContextSwitches)] = 0;
  const auto x = Normalise(*model, sample);
  ASSERT_TRUE(x);
  EXPECT_DOUBLE_EQ((*x)[0], 2);
  EXPECT_DOUBLE_EQ((*x)[1], 0);
}

}  // namespace
}  // namespace limpet::model_test
