#include "diagnoser/detect/wasserstein/saturation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace limpet::saturation_test {
namespace {

struct Steps {
  std::vector<double> util;
  std::vector<double> requests;
  std::vector<double> queue;

  // A load that swings by `swing` around 100 requests a second; the queue goes with it to the power
  // of `power`.
  static Steps Swinging(double swing, double power, double util = 100, std::size_t count = 120) {
    Steps steps;
    for (std::size_t i = 0; i < count; ++i) {
      const double load = std::exp(swing * std::sin(0.3 * static_cast<double>(i)));
      steps.util.push_back(util);
      steps.requests.push_back(100 * load);
      steps.queue.push_back(3 * std::pow(load, power));
    }
    return steps;
  }
  [[nodiscard]] bool WithinLimit() const { return IsBusyWithinItsLimit(util, requests, queue); }
};

TEST(Saturation, WorkThatFollowsTheLoadIsWithinTheLimit) {
  EXPECT_TRUE(Steps::Swinging(0.2, 1).WithinLimit());
  EXPECT_TRUE(Steps::Swinging(0.2, 1.5).WithinLimit()) << "requests take longer under load";
}

TEST(Saturation, WorkThatIsAlwaysTheSameIsAtTheLimit) {
  EXPECT_FALSE(Steps::Swinging(0.02, 1).WithinLimit());
}

TEST(Saturation, AQueueThatGrowsBeyondTheWorkIsAtTheLimit) {
  EXPECT_FALSE(Steps::Swinging(0.06, 8).WithinLimit());
}

// What it serves varies with the requests' kind; as many wait as before.
TEST(Saturation, AQueueThatDoesNotFollowTheWorkIsAtTheLimit) {
  auto steps = Steps::Swinging(0.2, 1);
  for (std::size_t i = 0; i < steps.queue.size(); ++i) {
    steps.queue[i] = i % 2 == 0 ? 30 : 36;
  }
  EXPECT_FALSE(steps.WithinLimit());
}

TEST(Saturation, NothingIsSaidOfADiskWithIdleTimeOrOfFewSteps) {
  EXPECT_FALSE(Steps::Swinging(0.2, 1, 80).WithinLimit());
  EXPECT_FALSE(Steps::Swinging(0.2, 1, 100, 8).WithinLimit());
  auto steps = Steps::Swinging(0.2, 1);
  steps.queue.pop_back();
  EXPECT_FALSE(steps.WithinLimit()) << "a step is missing";
}

}  // namespace
}  // namespace limpet::saturation_test
