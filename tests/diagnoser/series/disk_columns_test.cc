#include "diagnoser/series/disk_columns.h"

#include <gmock/gmock.h>

#include <random>
#include <vector>

#include "diagnoser/metrics/missing.h"
#include "diagnoser/series/smoothing.h"
#include "tests/support/each_target.h"

namespace limpet::disk_columns_test {
namespace {

using ::limpet::testing::ForEachTarget;

DiskColumns Random(std::mt19937& random, std::size_t steps) {
  DiskColumns columns(steps);
  for (std::size_t counter = 0; counter < kDiskCounters; ++counter) {
    for (double& increase : columns.Column(counter)) {
      const auto kind = std::uniform_int_distribution<int>(0, 9)(random);
      increase = kind == 0   ? 0
                 : kind == 1 ? std::uniform_real_distribution<double>(0, 0.01)(random)
                             : std::uniform_real_distribution<double>(0, 1e7)(random);
    }
  }
  return columns;
}

TEST(DiskColumns, GiveTheBitsOfEveryStepByItselfOnEveryInstructionSet) {
  std::mt19937 random(1);
  for (const std::size_t w : {1U, 2U, 5U}) {
    for (const std::size_t steps : {5U, 8U, 9U, 63U, 68U}) {
      const auto columns = Random(random, steps);
      std::vector<std::vector<double>> metrics(kDiskMetricNames.size());
      const auto step = std::chrono::milliseconds(1500);
      for (std::size_t i = 0; i < steps; ++i) {
        DiskIncreases increases{};
        for (std::size_t counter = 0; counter < kDiskCounters; ++counter) {
          increases[counter] = columns.Column(counter)[i];
        }
        const auto samples = ComputeSamples(increases, step);
        for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
          metrics[metric].push_back(samples[metric]);
        }
      }
      std::vector<double> expected;
      for (const auto& metric : metrics) {
        const auto smoothed = Smooth(metric, w);
        expected.insert(expected.end(), smoothed.begin(), smoothed.end());
      }
      ForEachTarget([&](const char* target) {
        ASSERT_TRUE(columns.IsWhole());
        auto own = columns;
        ASSERT_EQ(own.SmoothedSamples(step, w), expected) << target << " " << steps << " " << w;
      });
    }
  }
}

TEST(DiskColumns, AHoleAnywhereIsFound) {
  for (std::size_t counter = 0; counter < kDiskCounters; ++counter) {
    for (std::size_t i = 0; i < 11; ++i) {
      DiskColumns columns(11);
      columns.Column((counter + 3) % kDiskCounters)[5] = 1e300;
      EXPECT_TRUE(columns.IsWhole());
      columns.Column(counter)[i] = kMissing;
      ForEachTarget([&](const char* target) { EXPECT_FALSE(columns.IsWhole()) << target; });
    }
  }
}

TEST(DiskColumns, TakeTheBinsOfARingInOrder) {
  const std::vector<double> older{1, 2};
  const std::vector<double> newer{3};
  DiskColumns columns(5);
  columns.Put(DiskCounter::kWrites,
              {.missing_before = 1, .older = older, .newer = newer, .missing_after = 1});
  const auto column = columns.Column(static_cast<std::size_t>(DiskCounter::kWrites));
  EXPECT_TRUE(IsMissing(column[0]));
  EXPECT_EQ(column[1], 1);
  EXPECT_EQ(column[2], 2);
  EXPECT_EQ(column[3], 3);
  EXPECT_TRUE(IsMissing(column[4]));
}

}  // namespace
}  // namespace limpet::disk_columns_test
