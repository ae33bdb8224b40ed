// What a table counts, as tests of single runs: half of a group sick, and worse.
#include "tests/accuracy/scenarios.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "diagnoser/detect/default_presets.h"
#include "tests/accuracy/one_run.h"

namespace limpet::accuracy::scenarios_test {
namespace {

using ::testing::Contains;
using ::testing::IsSubsetOf;

RunKey Sick(std::size_t sick, std::size_t servers, simulator::Fault fault,
            simulator::Workload workload, std::uint64_t seed) {
  RunKey key{.servers = servers, .workload = workload, .fault = fault, .seed = seed};
  key.sick = sick;
  return key;
}

std::vector<std::string> Disks(const std::vector<std::string>& nodes) {
  std::vector<std::string> disks;
  for (const auto& node : nodes) {
    disks.push_back(node + "/sdb");
  }
  return disks;
}

// Indicts nobody healthy; says of svctm that half of the group is slow, and which.
void ExpectHalf(const RunKey& key, const std::vector<PresetSettings>& presets) {
  const auto run = Diagnose(key, {.presets = presets, .groups = PeerGroups()});
  for (const auto& one : run.indictments) {
    EXPECT_THAT(run.sick, Contains(one.node)) << Describe(key) << " at " << one.at;
  }
  bool said = false;
  for (const auto& storm : run.storms) {
    if (storm.metric == "svctm") {
      said = said || storm.half;
      EXPECT_THAT(storm.components, IsSubsetOf(Disks(run.sick))) << Describe(key);
    }
  }
  EXPECT_TRUE(said) << Describe(key);
}

TEST(HalfSick, SevenOfTwelveAreNamedAndNotTheFive) {
  const auto key = Sick(7, 12, simulator::Fault::kDiskBusy, simulator::Workload::kDdr, 1);
  ExpectHalf(key, DefaultPresets());
  ExpectHalf(key, {BarePreset()});
}

TEST(HalfSick, SixOfTwelveAreNamedAndNotTheOthers) {
  ExpectHalf(Sick(6, 12, simulator::Fault::kDiskBusy, simulator::Workload::kDdr, 1),
             DefaultPresets());
}

TEST(HalfSick, TwoOfFourAreNamedAndNotTheOthers) {
  ExpectHalf(Sick(2, 4, simulator::Fault::kDiskBusy, simulator::Workload::kDdr, 1),
             DefaultPresets());
}

// By their balance: what the other half does is what is usual.
TEST(HalfSick, HogsOfHalfAreNamedSoonAndNobodyElse) {
  using simulator::Fault;
  using simulator::Workload;
  const auto named = [](const RunKey& key) {
    const auto run = Diagnose(key, {.presets = DefaultPresets(), .groups = PeerGroups()});
    std::set<std::string> soon;
    for (const auto& one : run.indictments) {
      EXPECT_THAT(run.sick, Contains(one.node)) << Describe(key) << " at " << one.at;
      if (Name(one.cause) == simulator::CauseOf(*key.fault) &&
          one.at < key.fault_start.count() + 60) {
        soon.insert(one.node);
      }
    }
    return soon.size();
  };
  EXPECT_EQ(named(Sick(6, 12, Fault::kDiskHog, Workload::kDdr, 1)), 6U);
  EXPECT_EQ(named(Sick(6, 12, Fault::kDiskHog, Workload::kDdw, 5)), 6U) << "reads beside writes";
  EXPECT_EQ(named(Sick(2, 4, Fault::kReadNetworkHog, Workload::kDdw, 1)), 2U);
  (void)named(Sick(2, 4, Fault::kReadNetworkHog, Workload::kDdr, 2));
}

// A deficit of the healthy beside many hogs must not become a surplus when the hogs end.
TEST(HalfSick, HogsThatEndLeaveNobodyIndicted) {
  const auto run =
      Diagnose(Sick(6, 12, simulator::Fault::kDiskHog, simulator::Workload::kIozoner, 3),
               {.presets = DefaultPresets(), .groups = PeerGroups()});
  for (const auto& one : run.indictments) {
    EXPECT_THAT(run.sick, Contains(one.node)) << "at " << one.at;
  }
}

TEST(Table, OfHalvesHasARowForEachShareAndCause) {
  const auto text =
      HalfTable({.presets = {BarePreset()}, .seeds = 1}, [](std::size_t, std::size_t) {});
  EXPECT_EQ(std::ranges::count(text, '\n'), 14);
}

}  // namespace
}  // namespace limpet::accuracy::scenarios_test
