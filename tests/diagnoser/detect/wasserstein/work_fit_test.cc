#include "diagnoser/detect/wasserstein/work_fit.h"

#include <gmock/gmock.h>

#include <cmath>

namespace limpet {
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

TEST(WorkFit, WithoutWorkThereIsNothingToSay) {
  WorkFit idle;
  for (int i = 0; i < 4; ++i) {
    idle.Add({}, {});
  }
  EXPECT_FALSE(idle.Slowdown(0));
  EXPECT_FALSE(idle.Misfits()[0]);
}

}  // namespace
}  // namespace limpet
