#include "tests/accuracy/score.h"

#include <gtest/gtest.h>

namespace limpet::accuracy::score_test {
namespace {

RunResult HogOn(const std::string& node, std::vector<Indictment> indictments) {
  return {.key = {.fault = simulator::Fault::kDiskHog},
          .faulty = node,
          .indictments = std::move(indictments)};
}

Indictment Of(const std::string& node, Cause cause, double at) {
  return {.preset = "p", .at = at, .node = node, .cause = cause, .degree = 2};
}

TEST(Judge, TakesTheCauseOfMostWindows) {
  const auto outcome =
      Judge(HogOn("a", {Of("a", Cause::kDiskBusy, 200), Of("a", Cause::kDiskHog, 232),
                        Of("a", Cause::kDiskHog, 264)}),
            "p");
  EXPECT_TRUE(outcome.indicted);
  EXPECT_TRUE(outcome.diagnosed);
  EXPECT_FALSE(outcome.misdiagnosed);
  EXPECT_TRUE(outcome.first_wrong);
  EXPECT_EQ(outcome.delay, 65);
}

TEST(Judge, CountsAnotherServerOnceWhateverTheWindow) {
  const auto outcome =
      Judge(HogOn("a", {Of("a", Cause::kDiskHog, 200), Of("b", Cause::kDiskHog, 500)}), "p");
  EXPECT_TRUE(outcome.diagnosed);
  EXPECT_TRUE(outcome.misindicted);
  EXPECT_TRUE(outcome.misdiagnosed);
}

TEST(Judge, CallsTheRightServerTooEarlyAMistake) {
  const auto outcome = Judge(HogOn("a", {Of("a", Cause::kDiskHog, 100)}), "p");
  EXPECT_FALSE(outcome.indicted);
  EXPECT_TRUE(outcome.misindicted);
}

TEST(Judge, KnowsWhenTheFaultOfARunBegan) {
  auto run = HogOn("a", {Of("a", Cause::kDiskHog, 200)});
  run.key.fault_start = simulator::Seconds(199);
  EXPECT_EQ(Judge(run, "p").delay, 1);
  run.key.fault_start = simulator::Seconds(201);
  EXPECT_TRUE(Judge(run, "p").misindicted);
}

TEST(Judge, LooksAtOnePresetOnly) {
  const auto outcome = Judge(HogOn("a", {Of("a", Cause::kDiskHog, 200)}), "q");
  EXPECT_FALSE(outcome.indicted);
  EXPECT_FALSE(outcome.misdiagnosed);
}

TEST(Judge, AWrongCauseIsAMisdiagnosis) {
  const auto outcome = Judge(HogOn("a", {Of("a", Cause::kPacketLoss, 200)}), "p");
  EXPECT_TRUE(outcome.indicted);
  EXPECT_FALSE(outcome.diagnosed);
  EXPECT_TRUE(outcome.misdiagnosed);
}

TEST(RatesOf, ArePartsOfAllRuns) {
  const std::vector<Outcome> outcomes = {{.indicted = true, .diagnosed = true, .delay = 90},
                                         {.indicted = true, .misdiagnosed = true, .delay = 120},
                                         {.misindicted = true, .misdiagnosed = true},
                                         {}};
  const auto rates = RatesOf(outcomes);
  EXPECT_EQ(rates.runs, 4U);
  EXPECT_EQ(rates.itp, 0.5);
  EXPECT_EQ(rates.ifp, 0.25);
  EXPECT_EQ(rates.dtp, 0.25);
  EXPECT_EQ(rates.dfp, 0.5);
  EXPECT_EQ(rates.delay, 120);
  EXPECT_EQ(RatesOf({}).runs, 0U);
}

}  // namespace
}  // namespace limpet::accuracy::score_test
