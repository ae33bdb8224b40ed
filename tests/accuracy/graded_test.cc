#include "tests/accuracy/graded.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "diagnoser/detect/default_presets.h"

namespace limpet::accuracy::graded_test {
namespace {

using simulator::Fault;

TEST(Grades, GoUpWithinAFault) {
  std::map<Fault, std::vector<double>> strengths;
  for (const auto& grade : Grades()) {
    EXPECT_FALSE(StrengthText(grade).empty());
    if (grade.strength > 0) {
      strengths[grade.fault].push_back(grade.strength);
    }
  }
  EXPECT_EQ(strengths.size(), 6U);  // a busy disk has no strength
  for (const auto& [fault, all] : strengths) {
    EXPECT_TRUE(std::ranges::is_sorted(all)) << simulator::Name(fault);
    EXPECT_GE(all.size(), 4U) << simulator::Name(fault);
  }
}

TEST(Grades, HaveTheirUnit) {
  EXPECT_EQ(StrengthText({Fault::kSlowDisk, 1.05}), "1.05 times");
  EXPECT_EQ(StrengthText({Fault::kDiskHog, 0.1}), "10 % of the disk");
  EXPECT_EQ(StrengthText({Fault::kReadNetworkHog, 0.05}), "5 % of the link");
  EXPECT_EQ(StrengthText({Fault::kReceivePktloss, 0.002}), "0.2 %");
  EXPECT_EQ(StrengthText({Fault::kDiskHog, 0}), "all it can get");
}

RunResult Judged(std::vector<Indictment> indictments) {
  RunResult run{.key = {.fault = Fault::kSlowDisk},
                .faulty = "io03",
                .second = {},
                .sick = {},
                .indictments = std::move(indictments),
                .storms = {},
                .false_alarms = {}};
  run.key.fault_start = simulator::Seconds(100);
  run.key.fault_end = simulator::Seconds(400);
  return run;
}

TEST(Said, CountsTheFirstVerdictWithTheRightCause) {
  const auto said = WhatWasSaid(Judged({{.at = 120, .node = "io03", .cause = Cause::kDiskHog},
                                        {.at = 130, .node = "io03", .cause = Cause::kDiskBusy},
                                        {.at = 140, .node = "io03", .cause = Cause::kDiskBusy}}));
  EXPECT_EQ(said.delay, 30);
  EXPECT_FALSE(said.other_cause);
  EXPECT_FALSE(said.accused);
}

TEST(Said, TellsAnotherCauseAndWhoElseWasNamed) {
  const auto other = WhatWasSaid(Judged({{.at = 120, .node = "io03", .cause = Cause::kDiskHog}}));
  EXPECT_FALSE(other.delay);
  EXPECT_TRUE(other.other_cause);
  EXPECT_TRUE(
      WhatWasSaid(Judged({{.at = 120, .node = "io02", .cause = Cause::kDiskBusy}})).accused);
  EXPECT_TRUE(WhatWasSaid(Judged({{.at = 90, .node = "io03", .cause = Cause::kDiskBusy}})).accused);
  const auto late = WhatWasSaid(Judged({{.at = 410, .node = "io03", .cause = Cause::kDiskBusy}}));
  EXPECT_FALSE(late.delay);
  EXPECT_FALSE(late.accused);
}

Said Try(Fault fault, double strength) {
  RunKey key{.servers = 6, .workload = simulator::Workload::kDdr, .fault = fault, .seed = 2};
  key.strength = strength;
  key.segments = true;
  key.seconds = 300;
  return WhatWasSaid(Diagnose(key, {.presets = DefaultPresets(), .groups = PeerGroups()}));
}

TEST(Strength, DecidesWhoIsNamed) {
  EXPECT_TRUE(Try(Fault::kSlowDisk, 2).delay);
  EXPECT_TRUE(Try(Fault::kDiskHog, 0.5).delay);
  EXPECT_TRUE(Try(Fault::kReadNetworkHog, 0.5).delay);
  EXPECT_TRUE(Try(Fault::kReceivePktloss, 0.02).delay);
  for (const auto fault : {Fault::kDiskHog, Fault::kReadNetworkHog, Fault::kReceivePktloss}) {
    const auto said = Try(fault, 0.001);
    EXPECT_FALSE(said.delay) << simulator::Name(fault);
    EXPECT_FALSE(said.accused) << simulator::Name(fault);
  }
}

}  // namespace
}  // namespace limpet::accuracy::graded_test
