// A small part of the matrix: what holds there must hold here.
#include "tests/accuracy/profiles/matrix.h"

#include <gtest/gtest.h>

namespace limpet::simulator::matrix_test {
namespace {

TEST(SimulatedHosts, AreTheSameForTheSameSeed) {
  const HostScenario scenario{.seconds = 100, .seed = 3, .fault = HostFault::kDiskHog, .onset = 50};
  const auto a = SimulateHosts(scenario);
  const auto b = SimulateHosts(scenario);
  EXPECT_EQ(a.hosts, b.hosts);
  EXPECT_EQ(a.seconds, b.seconds);
}

TEST(SimulatedHosts, ACpuHogRaisesTheCulpritsUserTime) {
  const auto run = SimulateHosts({.fault = HostFault::kCpuHog, .culprit = 2, .missing = 0});
  const auto mean = [&](std::size_t host) {
    double sum = 0;
    for (std::size_t second = 200; second < 600; ++second) {
      sum += run.seconds[host][second][Index(HostMetric::kUser)];
    }
    return sum / 400;
  };
  EXPECT_GT(mean(2), mean(0) + 25);
}

TEST(ProfileAccuracy, HogsAreFoundAndNobodyElse) {
  const auto matrix =
      RunProfileMatrix({.runs = 2,
                        .clusters = {5},
                        .faults = {HostFault::kNone, HostFault::kCpuHog, HostFault::kDiskHog}});
  ProfileScore hogs;
  ProfileScore quiet;
  for (const auto& cell : matrix.cells) {
    auto& sum = cell.fault == HostFault::kNone ? quiet : hogs;
    sum.faulty += cell.score.faulty;
    sum.found += cell.score.found;
    sum.healthy += cell.score.healthy;
    sum.accused += cell.score.accused;
  }
  EXPECT_GE(hogs.TruePositives(), 0.9);
  EXPECT_LE(hogs.FalsePositives(), 0.05);
  EXPECT_LE(quiet.FalsePositives(), 0.05);
}

}  // namespace
}  // namespace limpet::simulator::matrix_test
