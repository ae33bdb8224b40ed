#include "diagnoser/publish/checklist.h"

#include <gmock/gmock.h>

namespace limpet::checklist_test {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

Evidence Flag(const std::string& metric, Direction direction = Direction::kHigh) {
  return {.component = metric == "await" || metric == "rd_sec" ? "io03/sda" : "io03",
          .group = "g",
          .metric = metric,
          .degree = 2,
          .direction = direction,
          .mean = 60.0,
          .peer_median = 10.0};
}

VerdictEvent Verdict(Cause cause, std::vector<Evidence> evidence) {
  return {.preset = "default", .node = "io03", .cause = cause, .evidence = std::move(evidence)};
}

TEST(Checklist, EndsWithTheStepThatDecided) {
  const auto steps = ExplainChecklist(Verdict(Cause::kDiskBusy, {Flag("await")}));
  ASSERT_THAT(steps, SizeIs(2));
  EXPECT_FALSE(steps[0].found);
  EXPECT_TRUE(steps[1].found && steps[1].decided);
  EXPECT_THAT(steps[1].text, HasSubstr("Yes: await of io03/sda 6.00× its peers, +50.0 ms."));
}

TEST(Checklist, TrafficOneWayAloneIsAskedForLast) {
  const auto one_way = ExplainChecklist(Verdict(Cause::kNetworkHog, {Flag("rxbyt")}));
  ASSERT_THAT(one_way, SizeIs(5));
  EXPECT_FALSE(one_way[2].found);
  EXPECT_TRUE(one_way[4].decided);
  const auto both = ExplainChecklist(Verdict(Cause::kNetworkHog, {Flag("rxbyt"), Flag("txbyt")}));
  EXPECT_THAT(both, SizeIs(3));
}

TEST(Checklist, ByBalanceAskedForBytesThatOneSideAloneMoves) {
  const auto steps = ExplainChecklist(Verdict(Cause::kDiskHog, {Flag("rd_sec"), Flag("unsent")}));
  ASSERT_THAT(steps, SizeIs(1));
  EXPECT_THAT(steps[0].text,
              HasSubstr("bytes that its network does not? Yes: unsent_bytes of io03"));
  EXPECT_THAT(ExplainChecklist(
                  Verdict(Cause::kNetworkHog, {Flag("rxbyt"), Flag("unsent", Direction::kLow)})),
              SizeIs(3));
}

TEST(Checklist, EveryCauseHasOneStepThatDecidedAndANextStep) {
  for (const auto& verdict :
       {Verdict(Cause::kDiskHog, {Flag("rd_sec")}), Verdict(Cause::kDiskBusy, {Flag("await")}),
        Verdict(Cause::kNetworkHog, {Flag("txbyt")}),
        Verdict(Cause::kPacketLoss, {Flag("cwnd_client")}), Verdict(Cause::kBehaviour, {})}) {
    const auto steps = ExplainChecklist(verdict);
    EXPECT_TRUE(steps.back().decided) << Name(verdict.cause);
    EXPECT_THAT(AdviseNextStep(verdict), HasSubstr("io03"));
  }
}

TEST(Checklist, FactsTellTheComponentFromTheWorkload) {
  auto verdict = Verdict(Cause::kDiskBusy, {Flag("await")});
  verdict.luns = {{"io03/sda", LunKind::kComponent}, {"io03/sdb", LunKind::kWorkload}};
  verdict.secondary = true;
  verdict.local = true;
  const auto facts = ListFacts(verdict);
  ASSERT_THAT(facts, SizeIs(5));
  EXPECT_THAT(facts[0], HasSubstr("the component itself"));
  EXPECT_THAT(facts[1], HasSubstr("the workload"));
}

}  // namespace
}  // namespace limpet::checklist_test
