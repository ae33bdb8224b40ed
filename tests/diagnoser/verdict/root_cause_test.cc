#include "diagnoser/verdict/root_cause.h"

#include <gmock/gmock.h>

namespace limpet::root_cause_test {
namespace {

using ::testing::Pair;
using ::testing::UnorderedElementsAre;

Evidence Flag(std::string metric, double degree = 2, Direction direction = Direction::kHigh,
              std::string component = "io01/sdb") {
  return {.component = std::move(component),
          .group = "io",
          .metric = std::move(metric),
          .degree = degree,
          .direction = direction};
}

Cause CauseFor(const std::vector<std::string>& metrics) {
  std::vector<Evidence> flags;
  for (const auto& metric : metrics) {
    flags.push_back(Flag(metric));
  }
  const auto verdict = JudgeServer(std::move(flags), {.hog_direction = false});
  return verdict ? verdict->cause : Cause::kNone;
}

TEST(RootCause, FollowsTheChecklist) {
  EXPECT_EQ(CauseFor({"rd_sec"}), Cause::kDiskHog);
  EXPECT_EQ(CauseFor({"await", "wr_sec"}), Cause::kDiskHog);
  EXPECT_EQ(CauseFor({"await", "rxbyt", "txbyt"}), Cause::kDiskBusy);
  EXPECT_EQ(CauseFor({"cwnd_client", "rxbyt", "txbyt"}), Cause::kNetworkHog);
  EXPECT_EQ(CauseFor({"cwnd_server", "txbyt"}), Cause::kPacketLoss);
  EXPECT_EQ(CauseFor({"cwnd_client"}), Cause::kPacketLoss);
  EXPECT_EQ(CauseFor({"rxbyt"}), Cause::kNetworkHog);
  EXPECT_EQ(CauseFor({"rtt"}), Cause::kSlowNetwork);
  EXPECT_EQ(CauseFor({"rtt", "rxbyt"}), Cause::kNetworkHog) << "it waits behind its own traffic";
  EXPECT_EQ(CauseFor({"rtt", "retrans_server"}), Cause::kPacketLoss);
  EXPECT_EQ(CauseFor({"svctm", "%util", "tps", "rxpck"}), Cause::kNone);
  EXPECT_EQ(CauseFor({}), Cause::kNone);
}

TEST(RootCause, WithHogDirectionOnlyHighCounts) {
  const auto low = JudgeServer({Flag("rd_sec", 9, Direction::kLow), Flag("await", 2)}, {});
  ASSERT_TRUE(low);
  EXPECT_EQ(low->cause, Cause::kDiskBusy);
  EXPECT_EQ(low->degree, 2);
  EXPECT_FALSE(JudgeServer({Flag("await", 2, Direction::kLow)}, {}));
  EXPECT_TRUE(JudgeServer({Flag("cwnd_client", 2, Direction::kLow)}, {}));
}

TEST(RootCause, DelayIsLocalAndNoEvidenceOfAnythingElse) {
  const auto slow = JudgeServer({Flag("rtt", 3)}, {.balanced = true});
  ASSERT_TRUE(slow);
  EXPECT_EQ(slow->cause, Cause::kSlowNetwork);
  EXPECT_TRUE(slow->local);
  const auto busy = JudgeServer({Flag("await", 2), Flag("rtt", 30)}, {.balanced = true});
  ASSERT_TRUE(busy);
  EXPECT_EQ(busy->cause, Cause::kDiskBusy);
  EXPECT_EQ(busy->degree, 2) << "a slow disk answers late, too";
  EXPECT_EQ(busy->evidence.size(), 1U);
  EXPECT_FALSE(JudgeServer({Flag("txbyt"), Flag("rtt")}, {.balanced = true}))
      << "more traffic than its peers': it waits behind that";
}

TEST(RootCause, WhereSegmentsAreCountedASmallWindowAloneIsNoLoss) {
  const JudgeRules counted{.hog_direction = false, .segments_known = true};
  EXPECT_FALSE(JudgeServer({Flag("cwnd_client"), Flag("cwnd_server")}, counted));
  auto both = counted;
  both.resending = true;
  EXPECT_TRUE(JudgeServer({Flag("cwnd_client")}, both)) << "two signs of the same";
  const auto loss = JudgeServer({Flag("retrans_server", 5), Flag("cwnd_server")}, counted);
  ASSERT_TRUE(loss);
  EXPECT_EQ(loss->cause, Cause::kPacketLoss);
  EXPECT_TRUE(loss->local) << "no other server's fault makes this one's way lossy";
  EXPECT_EQ(loss->evidence.size(), 2U) << "the window is evidence, too";
  EXPECT_FALSE(JudgeServer({Flag("cwnd_server")}, {})->local);
}

TEST(RootCause, EvidenceIsInTheOrderOfTheChecklist) {
  const auto verdict = JudgeServer({Flag("cwnd_client", 3), Flag("txbyt", 2), Flag("svctm", 99)},
                                   {.hog_direction = false});
  ASSERT_EQ(verdict->evidence.size(), 2U);
  EXPECT_EQ(verdict->evidence[0].metric, "txbyt");
  EXPECT_EQ(verdict->evidence[1].metric, "cwnd_client");
  EXPECT_EQ(verdict->degree, 3);
}

std::optional<VerdictEvent> Balanced(std::vector<Evidence> flags) {
  return JudgeServer(std::move(flags), {.balanced = true, .device_time = true});
}

TEST(RootCause, LoadThatBalancesIsNoFault) {
  EXPECT_FALSE(Balanced({Flag("rd_sec", 9), Flag("txbyt", 9)}));
}

// InfiniBand: nothing that its disks move passes the interfaces that are counted.
TEST(RootCause, WhereTheNetworkDoesNotExplainTheDisksThroughputCounts) {
  const auto unexplained = [](std::vector<Evidence> flags) {
    return JudgeServer(std::move(flags),
                       {.balanced = true, .explained = false, .device_time = true});
  };
  const auto disk = unexplained({Flag("rd_sec", 3), Flag("await", 2)});
  ASSERT_TRUE(disk);
  EXPECT_EQ(disk->cause, Cause::kDiskHog);
  EXPECT_EQ(disk->evidence.size(), 2U);
  EXPECT_FALSE(unexplained({Flag("rd_sec", 3)})) << "more load";
  EXPECT_FALSE(unexplained({Flag("txbyt", 9), Flag("rxbyt", 9)})) << "more load, as far as seen";
}

TEST(RootCause, WithBalancesAHogIsWhoMovesBytesOfSomebodyElse) {
  const auto disk = Balanced({Flag("unsent", 2), Flag("await", 9), Flag("rd_sec", 3)});
  ASSERT_TRUE(disk);
  EXPECT_EQ(disk->cause, Cause::kDiskHog);
  EXPECT_TRUE(disk->local);
  const auto network = Balanced({Flag("txbyt", 9), Flag("unsent", 2, Direction::kLow),
                                 Flag("cwnd_client", 3, Direction::kLow)});
  ASSERT_TRUE(network);
  EXPECT_EQ(network->cause, Cause::kNetworkHog);
  EXPECT_TRUE(network->local);
  const auto alone = Balanced({Flag("unreceived", 2, Direction::kLow)});
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->cause, Cause::kNetworkHog) << "no deficit without more traffic (gates.h)";
}

// Copies that it passes on, or what caches save: all of them send more than they read.
TEST(RootCause, ASurplusBesideThePeersAloneIsABusyDisk) {
  auto flag = Flag("unsent", 2);
  flag.peer_median = -45e6;
  flag.mean = -5e6;
  const auto busy = Balanced({flag, Flag("rd_sec", 9)});
  ASSERT_TRUE(busy);
  EXPECT_EQ(busy->cause, Cause::kDiskBusy);
  EXPECT_EQ(busy->evidence.size(), 1U);
  flag.mean = 5e6;
  EXPECT_EQ(Balanced({flag})->cause, Cause::kDiskHog);
  flag.mean = -0.1e6;
  flag.peer_median = -0.1e6;
  EXPECT_EQ(Balanced({flag})->cause, Cause::kDiskHog) << "once the hog is gone";
}

TEST(RootCause, WithBalancesTheEvidenceIsWhatProvesTheCause) {
  const auto busy = Balanced({Flag("rd_sec", 9), Flag("await", 2), Flag("txbyt", 9)});
  ASSERT_TRUE(busy);
  EXPECT_EQ(busy->cause, Cause::kDiskBusy);
  EXPECT_EQ(busy->degree, 2) << "more load is no evidence";
  ASSERT_EQ(busy->evidence.size(), 1U);
  EXPECT_TRUE(busy->local) << "the device itself is slow";
  EXPECT_EQ(busy->luns.at("io01/sdb"), LunKind::kWorkload);
  const auto loss = Balanced({Flag("cwnd_client", 2, Direction::kLow), Flag("txbyt", 9)});
  ASSERT_TRUE(loss);
  EXPECT_EQ(loss->cause, Cause::kPacketLoss);
  EXPECT_FALSE(loss->local);
}

TEST(RootCause, WithoutBalancesNothingIsLocalButADevicesOwnTime) {
  EXPECT_FALSE(JudgeServer({Flag("rd_sec")}, {.device_time = true})->local);
  EXPECT_TRUE(JudgeServer({Flag("await")}, {.device_time = true})->local);
  EXPECT_FALSE(JudgeServer({Flag("await")}, {})->local);
}

TEST(RootCause, ALunIsItsOwnFaultUnlessItsLoadChanged) {
  const auto verdict = JudgeServer(
      {Flag("await", 2, Direction::kHigh, "n/dm-0"), Flag("await", 2, Direction::kHigh, "n/dm-1"),
       Flag("rd_sec", 2, Direction::kHigh, "n/dm-1"),
       Flag("wr_sec", 2, Direction::kHigh, "n/dm-2")},
      {.hog_direction = false});
  EXPECT_THAT(verdict->luns, UnorderedElementsAre(Pair("n/dm-0", LunKind::kComponent),
                                                  Pair("n/dm-1", LunKind::kWorkload)));
}

}  // namespace
}  // namespace limpet::root_cause_test
