#include "tests/accuracy/endings.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "diagnoser/detect/default_presets.h"

namespace limpet::accuracy::endings_test {
namespace {

using ::testing::ElementsAre;

// A run of 615 s with the fault from 135 to 435 s, and verdicts on a node at these seconds.
RunResult Ran(const std::vector<std::pair<std::string, double>>& verdicts) {
  RunResult run{.key = {.fault = simulator::Fault::kDiskHog}, .faulty = "io04", .sick = {"io04"}};
  run.key.seconds = 615;
  for (const auto& [node, at] : verdicts) {
    run.indictments.push_back({.preset = "p",
                               .at = at,
                               .said = at + 1,
                               .node = node,
                               .cause = Cause::kDiskHog,
                               .degree = 2});
  }
  return run;
}

TEST(Ending, IsTheLastVerdictOnTheFaultyServer) {
  const std::vector runs = {Ran({{"io04", 200}, {"io04", 464}}),
                            Ran({{"io04", 200}, {"io04", 430}}),
                            Ran({{"io04", 200}, {"io04", 600}})};
  const auto ending = EndingOf(runs, "p");
  EXPECT_THAT(ending.last, ElementsAre(0, 30, 166));
  EXPECT_EQ(ending.kept, 1U);
  EXPECT_EQ(ending.healthy, 0U);
  EXPECT_EQ(EndingCell(ending), "30, 166 s (1 kept); 0");
}

TEST(Ending, CountsRunsThatAccuseAnotherServerAfterwards) {
  const std::vector runs = {Ran({{"io01", 200}}), Ran({{"io01", 500}, {"io01", 532}}),
                            Ran({{"io04", 100}})};
  const auto ending = EndingOf(runs, "p");
  EXPECT_EQ(ending.healthy, 1U) << "the one before the end counts as IFP elsewhere";
  EXPECT_EQ(EndingCell(ending), "–; 1") << "a verdict before the fault is none of it";
  EXPECT_EQ(EndingCell(EndingOf(runs, "another")), "–; 0");
}

// An hour of a fault, and an hour after it, at scrapes so many seconds apart. Returns the seconds
// for which its server was still named.
double FindLast(std::size_t step, simulator::Fault fault, double strength = 0) {
  const auto spacing = std::chrono::seconds(step);
  RunKey key{.servers = 6, .fault = fault, .seed = 1};
  const auto steps = [&](std::size_t count) {
    return simulator::Seconds(static_cast<double>(std::max<std::size_t>(count * step, 300)));
  };
  key.clients = 4;
  key.interval = step;
  key.strength = strength;
  key.segments = true;
  key.fault_start = steps(40);
  key.fault_end = steps(100);
  key.seconds = 140 * step + 600;
  PipelineConfig config{.presets = WithScales(DefaultPresetFor(spacing)), .groups = PeerGroups()};
  config.limits.future = std::max<Duration>(config.limits.future, 2 * spacing);
  const std::array runs = {Diagnose(key, config)};
  const auto ending = EndingOf(runs, config.presets.front().name);
  EXPECT_EQ(ending.last.size(), 1U) << Describe(key);
  EXPECT_EQ(ending.healthy, 0U) << Describe(key);
  return ending.last.empty() ? 0 : ending.last.front();
}

// The middle scale's windows hold some of it for 24 steps, and its filter for twelve more.
TEST(Ending, IsToldAsSoonAsTheShortestWindowsAreClear) {
  for (const std::size_t step : {15U, 60U}) {
    const auto most = 16 * static_cast<double>(step);
    EXPECT_LE(FindLast(step, simulator::Fault::kDiskHog), most) << step;
    EXPECT_LE(FindLast(step, simulator::Fault::kSlowDisk, 6), most) << step;
    EXPECT_LE(FindLast(step, simulator::Fault::kWriteNetworkHog), most) << step;
  }
}

}  // namespace
}  // namespace limpet::accuracy::endings_test
