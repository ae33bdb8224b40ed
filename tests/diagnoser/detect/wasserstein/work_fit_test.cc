#include "diagnoser/detect/wasserstein/work_fit.h"

#include <gmock/gmock.h>

#include <cmath>

namespace limpet::work_fit_test {
namespace {

constexpr double kPerRequest = 2e-3;  // seconds
constexpr double kPerByte = 1e-8;

// Sizes and numbers of requests go up and down; `error` of them in turn too much and too little.
std::vector<WorkStep> Steps(double slow = 1, double error = 0) {
  std::vector<WorkStep> steps;
  for (int t = 0; t < 16; ++t) {
    const double requests = 100 + 50 * std::sin(t);
    const double bytes = requests * 64e3 * (1 + 0.5 * std::cos(2 * t));
    const double seconds = slow * (kPerRequest * requests + kPerByte * bytes);
    steps.push_back({seconds * (1 + (t % 2 == 0 ? error : -error)), requests, bytes});
  }
  return steps;
}

WorkStep MeanOf(const std::vector<WorkStep>& steps) {
  WorkStep mean;
  for (const auto& step : steps) {
    mean.seconds += step.seconds / static_cast<double>(steps.size());
    mean.requests += step.requests / static_cast<double>(steps.size());
    mean.bytes += step.bytes / static_cast<double>(steps.size());
  }
  return mean;
}

WorkFit Fit(double last_slow, double error = 0) {
  WorkFit fit;
  for (const double slow : {1.0, 1.0, 1.0, last_slow}) {
    const auto steps = Steps(slow, error);
    fit.Add(steps, MeanOf(steps));
  }
  return fit;
}

TEST(WorkFit, SaysHowManyTimesAsLongTheSameWorkTakes) {
  EXPECT_NEAR(Fit(1.8).Slowdown(3).value(), 1.8, 1e-9);
  EXPECT_NEAR(Fit(1).Slowdown(3).value(), 1, 1e-9);
}

TEST(WorkFit, OfSeveralOwnWorksTheWorstCounts) {
  const auto own = Steps(2);
  EXPECT_NEAR(Fit(1.8).Slowdown(3, {{own[0], Steps(3)[1]}}).value(), 3, 1e-9);
}

TEST(WorkFit, MisfitIsTheSquareOfTheRelativeError) {
  EXPECT_NEAR(Fit(1).Misfits()[3].value(), 0, 1e-12);
  EXPECT_NEAR(std::sqrt(Fit(1, 0.1).Misfits()[3].value()), 0.1, 0.01);
  EXPECT_NEAR(Fit(5).Misfits()[0].value(), 0, 1e-12) << "a slow peer follows from its work, too";
}

TEST(WorkFit, TheBusiestHasMoreOfBothThanAnyOther) {
  WorkFit fit;
  fit.Add({}, {0.1, 10, 500});
  fit.Add({}, {0.1, 20, 700});
  fit.Add({}, {0.1, 15, 700});
  for (std::size_t place = 0; place < 3; ++place) {
    EXPECT_FALSE(fit.IsBusiest(place)) << "another has as many bytes";
  }
  fit.Add({}, {0.1, 20.5, 730});
  EXPECT_FALSE(fit.IsBusiest(3)) << "by chance";
  fit.Add({}, {0.1, 22, 770});
  EXPECT_TRUE(fit.IsBusiest(4));
  EXPECT_FALSE(fit.IsBusiest(1));
}

TEST(WorkFit, MisfitsAreTheMedianOfTheOthers) {
  WorkFit fit;
  const auto add = [&](double error) {
    const auto steps = Steps(1, error);
    fit.Add(steps, MeanOf(steps));
    return WorkFit(fit).Misfits();
  };
  for (const double error : {0.1, 0.3, 0.2}) {
    (void)add(error);
  }
  fit.Add({}, {});  // idle: judged, but nobody by it
  const auto of = fit.Misfits();
  ASSERT_EQ(of.size(), 4U);
  EXPECT_NEAR(of[3].value(), 0.04, 0.01) << "0.2 is in the middle";
  EXPECT_NEAR(of[0].value(), (0.09 + 0.04) / 2, 0.015);
  EXPECT_NEAR(of[1].value(), (0.01 + 0.04) / 2, 0.01);
}

TEST(WorkFit, WithoutWorkThereIsNothingToSay) {
  WorkFit idle;
  for (int i = 0; i < 4; ++i) {
    idle.Add({}, {});
  }
  EXPECT_FALSE(idle.Slowdown(0));
  EXPECT_FALSE(idle.Misfits()[0]);
}

}  // namespace
}  // namespace limpet::work_fit_test
