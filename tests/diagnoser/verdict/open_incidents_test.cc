#include "diagnoser/verdict/open_incidents.h"

#include <gmock/gmock.h>

namespace limpet::open_incidents_test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

using Standing = OpenIncidents::Standing;
constexpr auto kAgain = 96s;

UnixTime At(int second) { return UnixFromSeconds(1'700'000'000 + second); }

VerdictEvent Busy(const std::string& node, bool secondary = false) {
  Evidence evidence;
  evidence.component = node + "/sdb";
  evidence.group = "disks";
  evidence.metric = "await";
  VerdictEvent verdict;
  verdict.preset = "default";
  verdict.node = node;
  verdict.cause = Cause::kDiskBusy;
  verdict.secondary = secondary;
  verdict.evidence = {evidence};
  return verdict;
}

// Everybody stands alike.
OpenIncidents::FindStanding All(std::optional<Standing> standing) {
  return [standing](const std::string&, const std::string&) { return standing; };
}
constexpr Standing kEnough{.comparable = 4, .enough = true};
constexpr Standing kTwo{.comparable = 2, .enough = false};
constexpr Standing kNotItself{.comparable = 4, .enough = true, .compared = false};

std::vector<UnknownEvent> Update(OpenIncidents& incidents, int second,
                                 const std::vector<VerdictEvent>& verdicts,
                                 std::optional<Standing> standing) {
  return incidents.Update(At(second), verdicts, kAgain, All(standing));
}

TEST(OpenIncidents, AreUnknownWhilePeersAreTooFew) {
  OpenIncidents incidents;
  EXPECT_THAT(Update(incidents, 0, {Busy("c")}, kEnough), IsEmpty());
  for (const int second : {32, 64, 9600}) {
    const auto unknown = Update(incidents, second, {}, kTwo);
    ASSERT_THAT(unknown, SizeIs(1));
    EXPECT_EQ(unknown[0].node, "c");
    EXPECT_EQ(unknown[0].cause, Cause::kDiskBusy);
    EXPECT_EQ(unknown[0].judged, At(0));
    EXPECT_EQ(unknown[0].group, "disks");
    EXPECT_EQ(unknown[0].n, 2U);
  }
}

TEST(OpenIncidents, EndWithTheVerdictWhereAllAreCompared) {
  OpenIncidents incidents;
  (void)Update(incidents, 0, {Busy("c")}, kEnough);
  EXPECT_THAT(Update(incidents, 32, {}, kEnough), IsEmpty());
  EXPECT_THAT(Update(incidents, 64, {}, kTwo), IsEmpty());
}

TEST(OpenIncidents, WaitUntilPeersThatAreBackCouldFlag) {
  OpenIncidents incidents;
  (void)Update(incidents, 0, {Busy("c")}, kEnough);
  (void)Update(incidents, 32, {}, kTwo);
  EXPECT_THAT(Update(incidents, 64, {}, kEnough), SizeIs(1));
  EXPECT_THAT(Update(incidents, 96, {}, kEnough), SizeIs(1));
  EXPECT_THAT(Update(incidents, 128, {}, kEnough), IsEmpty());
}

TEST(OpenIncidents, AreUnknownWhileTheServerItselfIsNotCompared) {
  OpenIncidents incidents;
  (void)Update(incidents, 0, {Busy("c")}, kEnough);
  const auto unknown = Update(incidents, 32, {}, kNotItself);
  ASSERT_THAT(unknown, SizeIs(1));
  EXPECT_TRUE(unknown[0].missing);
  EXPECT_EQ(unknown[0].n, 4U);
  EXPECT_EQ(WhyUnknown(unknown[0]), "it has too few readings");
  const auto back = Update(incidents, 64, {}, kEnough);
  ASSERT_THAT(back, SizeIs(1)) << "one window makes no flag";
  EXPECT_EQ(WhyUnknown(back[0]), "it is compared again, but not for long enough");
  EXPECT_THAT(Update(incidents, 128, {}, kEnough), IsEmpty());
}

TEST(OpenIncidents, GoOnAsVerdictsWhenTheServerIsStillSick) {
  OpenIncidents incidents;
  (void)Update(incidents, 0, {Busy("c")}, kEnough);
  (void)Update(incidents, 32, {}, kTwo);
  EXPECT_THAT(Update(incidents, 96, {Busy("c")}, kEnough), IsEmpty());
  EXPECT_THAT(Update(incidents, 128, {}, kEnough), IsEmpty());
}

TEST(OpenIncidents, EndWhenTheServerLeavesItsGroup) {
  OpenIncidents incidents;
  (void)Update(incidents, 0, {Busy("c")}, kEnough);
  EXPECT_THAT(Update(incidents, 32, {}, std::nullopt), IsEmpty());
}

TEST(OpenIncidents, AreNotOfSecondaryServers) {
  OpenIncidents incidents;
  (void)Update(incidents, 0, {Busy("c", true)}, kEnough);
  EXPECT_THAT(Update(incidents, 32, {}, kTwo), IsEmpty());
}

TEST(OpenIncidents, SurviveARestart) {
  OpenIncidents before;
  (void)Update(before, 0, {Busy("b"), Busy("c")}, kEnough);
  EXPECT_THAT(before.Export(), IsEmpty());
  const auto unknown = Update(before, 32, {Busy("b")}, kTwo);
  OpenIncidents after;
  ASSERT_THAT(before.Export(), SizeIs(1));
  after.Restore(before.Export().front());
  const auto again = Update(after, 32, {Busy("b")}, kTwo);
  ASSERT_THAT(again, SizeIs(1));
  EXPECT_EQ(again[0].node, unknown[0].node);
  EXPECT_EQ(again[0].judged, unknown[0].judged);
}

}  // namespace
}  // namespace limpet::open_incidents_test
