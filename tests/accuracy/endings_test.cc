#include "tests/accuracy/endings.h"

#include <gmock/gmock.h>

namespace limpet::accuracy {
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

}  // namespace
}  // namespace limpet::accuracy
