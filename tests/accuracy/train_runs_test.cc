#include "tests/accuracy/train_runs.h"

#include <gmock/gmock.h>

namespace limpet::accuracy::train_runs_test {
namespace {

TEST(TrainingRuns, AreTenOfEachOfThePapersThreeAndNoneThatIsJudged) {
  const auto runs =
      TrainingRuns({.servers = 7, .fault = simulator::Fault::kDiskHog, .hardware = 3});
  ASSERT_EQ(runs.size(), 30U);
  for (const auto& run : runs) {
    EXPECT_EQ(run.servers, 7U);
    EXPECT_EQ(run.hardware, 3U);
    EXPECT_FALSE(run.fault);
    EXPECT_GE(run.seed, 500U);
  }
}

TEST(TrainOn, GivesEveryDiskItsThresholdAndEverySideItsF) {
  const std::vector<RunKey> runs = {
      {.servers = 3, .workload = simulator::Workload::kDdr, .fault = {}, .seed = 500},
      {.servers = 3, .workload = simulator::Workload::kDdw, .fault = {}, .seed = 500},
      {.servers = 3, .workload = simulator::Workload::kDdr, .fault = {}, .seed = 501}};
  const auto thresholds =
      TrainOn(runs, {TestbenchUnderTest(), ProductionUnderTest()}, 2, [](std::size_t) {});
  ASSERT_EQ(thresholds.size(), 2U);
  EXPECT_EQ(thresholds[0].preset, "testbench");
  EXPECT_EQ(thresholds[1].preset, "production");
  for (const auto* disk : {"io01/sdb", "io02/sdb", "io03/sdb"}) {
    const auto found = thresholds[0].Find("io", "await", disk);
    ASSERT_TRUE(found);
    EXPECT_GE(*found, 0.2);
  }
  EXPECT_TRUE(thresholds[0].FindCwnd("io-cwnd", "cwnd_server"));
}

}  // namespace
}  // namespace limpet::accuracy::train_runs_test
