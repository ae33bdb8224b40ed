#include "diagnoser/evidence/windows/delay_judge.h"

#include <gmock/gmock.h>

namespace limpet::delay_judge_test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Field Of(PeerField field) {
  return {.kind = EntityKind::kPeer, .index = FieldNumber(field)};
}

UnixTime At(std::int64_t second) { return UnixFromSeconds(1'700'000'000 + second); }

// Four servers and two clients; each server tells of its round trips to both.
class DelayJudgeTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kServers = 4;
  static constexpr std::size_t kClients = 2;

  DelayJudgeTest() {
    for (std::size_t i = 0; i < kServers * kClients; ++i) {
      peers_.push_back(directory_
                           .Restore(EntityKind::kPeer,
                                    {.node = "s" + std::to_string(i / kClients + 1),
                                     .local_address = "10.0.0." + std::to_string(i / kClients + 1),
                                     .remote_address = "10.0.1." + std::to_string(i % kClients + 1),
                                     .side = "server"})
                           .value());
    }
    preset_.shift = 8;
    preset_.round_trips = true;
    sent_.resize(peers_.size(), 0.0);
  }

  // Seconds `from` to `to` and then a window.
  ServerWindow Play(int from, int to) {
    for (int second = from; second <= to; ++second) {
      for (std::size_t i = 0; i < peers_.size(); ++i) {
        sent_[i] += rate_[i / kClients];
        (void)readings_.Add(Of(PeerField::kSegmentsSent), peers_[i], At(second), sent_[i]);
        (void)readings_.Add(Of(PeerField::kSegmentsRetransmitted), peers_[i], At(second), 0);
        (void)readings_.Add(Of(PeerField::kRoundTrip), peers_[i], At(second),
                            0.0001 + delay_[i / kClients] + far_[i % kClients]);
      }
      (void)seconds_.Observe(At(second), directory_, readings_, {}, {});
    }
    return JudgeDelays({.end = At(to), .group = &group_, .preset = &preset_}, seconds_, records_);
  }

  Directory directory_{{Rule::Compile({.name = "tcp", .kind = GroupKind::kCwnd}).value()}};
  Readings readings_{std::vector<GridSpec>(1)};
  CwndSeconds seconds_{0, 64};
  PresetSettings preset_;
  std::string group_ = "tcp";
  ComponentRecords records_{preset_};
  std::vector<std::uint32_t> peers_;
  std::vector<double> sent_;
  std::array<double, kServers> rate_ = {1000, 1000, 1000, 1000};  // segments a second
  std::array<double, kServers> delay_{};                          // s
  std::array<double, kClients> far_{};                            // s
};

TEST_F(DelayJudgeTest, AServerWithADelayIsFlaggedAndExplained) {
  delay_[2] = 0.002;
  far_[1] = 0.02;
  EXPECT_THAT(Play(0, 8).flags, IsEmpty()) << "one window of three";
  EXPECT_THAT(Play(9, 16).flags, IsEmpty());
  const auto judged = Play(17, 24);
  ASSERT_THAT(judged.flags, SizeIs(1));
  EXPECT_EQ(judged.flags[0].component, "s3");
  EXPECT_EQ(judged.flags[0].metric, "rtt");
  EXPECT_NEAR(*judged.flags[0].s, 0.002, 1e-9);
  EXPECT_NEAR(judged.flags[0].degree, 0.002 / 0.0003, 1e-6);
  EXPECT_NEAR(*judged.flags[0].mean, 0.0021, 1e-9);
  EXPECT_NEAR(*judged.flags[0].peer_median, 0.0001, 1e-9);
  EXPECT_EQ(judged.flags[0].peers, 3U);
  EXPECT_EQ(judged.flags[0].direction, Direction::kHigh);
}

TEST_F(DelayJudgeTest, ItEndsWithTheFault) {
  delay_[0] = 0.01;
  for (int end = 8; end <= 40; end += 8) {
    (void)Play(end - 7, end);
  }
  delay_[0] = 0;
  EXPECT_THAT(Play(41, 48).flags, SizeIs(1));
  EXPECT_THAT(Play(49, 56).flags, IsEmpty());
}

TEST_F(DelayJudgeTest, WhoWaitsBehindItsOwnTrafficIsNotFlagged) {
  delay_[1] = 0.01;
  rate_[1] = 2000;
  for (int end = 8; end <= 40; end += 8) {
    EXPECT_THAT(Play(end - 7, end).flags, IsEmpty());
  }
}

TEST_F(DelayJudgeTest, WhatAnIdleConnectionMeasuredLongAgoDoesNotCount) {
  (void)Play(0, 8);
  delay_[3] = 0.05;
  rate_[3] = 0;  // what it says is old
  for (int end = 16; end <= 48; end += 8) {
    const auto judged = Play(end - 7, end);
    EXPECT_THAT(judged.flags, IsEmpty());
    EXPECT_EQ(judged.window.n, end == 16 ? 4U : 3U) << end;
  }
}

TEST_F(DelayJudgeTest, WindowsOfAFewSecondsSayNothing) {
  delay_[2] = 0.05;
  preset_.shift = 4;
  for (int end = 4; end <= 40; end += 4) {
    const auto judged = Play(end - 3, end);
    EXPECT_THAT(judged.flags, IsEmpty());
    EXPECT_TRUE(judged.window.undetermined);
  }
}

}  // namespace
}  // namespace limpet::delay_judge_test
