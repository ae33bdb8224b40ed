#include "diagnoser/evidence/windows/loss_judge.h"

#include <gmock/gmock.h>

#include <functional>
#include <optional>

namespace limpet::loss_judge_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::size_t kServerSide = 1;
constexpr Field Of(PeerField field) {
  return {.kind = EntityKind::kPeer, .index = FieldNumber(field)};
}

UnixTime At(std::int64_t second) { return UnixFromSeconds(1'700'000'000 + second); }

// Four servers, each sending 1,000 segments a second to one client.
class LossJudgeTest : public ::testing::Test {
 protected:
  LossJudgeTest() {
    for (int i = 1; i <= 4; ++i) {
      peers_.push_back(
          directory_
              .Restore(EntityKind::kPeer, {.node = "s" + std::to_string(i),
                                           .local_address = "10.0.0." + std::to_string(i),
                                           .remote_address = "10.0.1.1",
                                           .side = "server"})
              .value());
    }
    preset_.shift = 4;
    preset_.retransmissions = true;
    again_.resize(peers_.size(), 0.0);
    again_seen_.resize(peers_.size(), 0.0);
  }

  void Play(int from, int to) {
    for (int second = from; second <= to; ++second) {
      for (std::size_t i = 0; i < peers_.size(); ++i) {
        again_seen_[i] += again_[i];
        (void)readings_.Add(Of(PeerField::kSegmentsSent), peers_[i], At(second), 1000.0 * second);
        (void)readings_.Add(Of(PeerField::kSegmentsRetransmitted), peers_[i], At(second),
                            again_seen_[i]);
      }
      (void)seconds_.Observe(At(second), directory_, readings_, {}, {});
    }
  }
  LossSide Judge(int end) {
    return JudgeLoss({.end = At(end), .group = &group_, .preset = &preset_}, seconds_,
                     records_)[kServerSide];
  }

  Directory directory_{{Rule::Compile({.name = "tcp", .kind = GroupKind::kCwnd}).value()}};
  Readings readings_{std::vector<GridSpec>(1)};
  CwndSeconds seconds_{0, 64};
  PresetSettings preset_;
  std::string group_ = "tcp";
  ComponentRecords records_{preset_};
  std::vector<std::uint32_t> peers_;
  std::vector<double> again_;  // segments sent again a second
  std::vector<double> again_seen_;
};

TEST_F(LossJudgeTest, AServerThatLosesIsFlaggedAndExplained) {
  again_[2] = 20;
  Play(0, 4);
  EXPECT_THAT(Judge(4).flags, IsEmpty()) << "one window of three";
  Play(5, 8);
  (void)Judge(8);
  Play(9, 12);
  const auto side = Judge(12);
  ASSERT_THAT(side.flags, SizeIs(1));
  EXPECT_EQ(side.flags[0].component, "s3");
  EXPECT_EQ(side.flags[0].metric, "retrans_server");
  EXPECT_DOUBLE_EQ(*side.flags[0].mean, 0.02);
  EXPECT_DOUBLE_EQ(side.flags[0].degree, 10);
  EXPECT_EQ(side.flags[0].peers, 3U);
}

// Measured on Ceph: the busiest server, whose congestion windows are small anyway, lost 1 to 4 %
// for some seconds.
TEST_F(LossJudgeTest, OneBurstIsNoReasonForASmallCongestionWindow) {
  again_[2] = 20;
  preset_.scale_of = {.preset = "default", .scale = "fast"};
  Play(0, 4);
  EXPECT_THAT(Judge(4).elevated, IsEmpty());
  again_[2] = 0;
  Play(5, 8);
  EXPECT_THAT(Judge(8).elevated, IsEmpty());
  again_[2] = 20;
  Play(9, 12);
  EXPECT_THAT(Judge(12).elevated, IsEmpty());
  Play(13, 16);
  EXPECT_THAT(Judge(16).elevated, ElementsAre("s3"));
  again_[2] = 0;
  Play(17, 20);
  (void)Judge(20);
  again_[2] = 20;
  Play(21, 24);
  preset_.scale_of = {};
  EXPECT_THAT(Judge(24).elevated, ElementsAre("s3")) << "the preset's own windows are long";
}

TEST_F(LossJudgeTest, ItEndsWithTheFault) {
  again_[2] = 20;
  for (int end = 4; end <= 20; end += 4) {
    Play(end - 3, end);
    (void)Judge(end);
  }
  again_[2] = 0;
  Play(21, 24);
  EXPECT_THAT(Judge(24).flags, SizeIs(1)) << "a pause";
  Play(25, 28);
  EXPECT_THAT(Judge(28).flags, IsEmpty()) << "sooner than three of five windows are clean";
  again_[2] = 20;
  Play(29, 32);
  EXPECT_THAT(Judge(32).flags, SizeIs(1)) << "the filter still knows";
}

TEST_F(LossJudgeTest, AServerThatSendsNothingIsKnownAndTakesNoPart) {
  Play(0, 4);
  for (int second = 5; second <= 8; ++second) {  // all others go on
    for (std::size_t i = 1; i < peers_.size(); ++i) {
      (void)readings_.Add(Of(PeerField::kSegmentsSent), peers_[i], At(second), 1000.0 * second);
      (void)readings_.Add(Of(PeerField::kSegmentsRetransmitted), peers_[i], At(second), 0);
    }
    (void)readings_.Add(Of(PeerField::kSegmentsSent), peers_[0], At(second), 4000);
    (void)readings_.Add(Of(PeerField::kSegmentsRetransmitted), peers_[0], At(second), 0);
    (void)seconds_.Observe(At(second), directory_, readings_, {}, {});
  }
  const auto side = Judge(8);
  EXPECT_THAT(side.known, ElementsAre("s1", "s2", "s3", "s4"));
  EXPECT_EQ(side.window.n, 3U);
}

// A queue that overflows while most is sent; the others have as much to send and a longer queue.
TEST_F(LossJudgeTest, WhatIsLostOnlyWhileMostIsSentIsNoLossyWay) {
  double sent = 0;
  double again = 0;
  for (int second = 0; second <= 24; ++second) {
    const bool busy = second % 2 == 0;
    sent += busy ? 2000 : 500;
    again += busy ? 100 : 0;
    for (std::size_t i = 0; i < peers_.size(); ++i) {
      (void)readings_.Add(Of(PeerField::kSegmentsSent), peers_[i], At(second), sent);
      (void)readings_.Add(Of(PeerField::kSegmentsRetransmitted), peers_[i], At(second),
                          i == 2 ? again : 0);
    }
    (void)seconds_.Observe(At(second), directory_, readings_, {}, {});
    if (second > 0 && second % 4 == 0) {
      EXPECT_THAT(Judge(second).flags, IsEmpty()) << second;
    }
  }
}

// All send within one second of four, and their queues overflow then, this one's always.
TEST_F(LossJudgeTest, WhoLosesOnlyInTheSecondInWhichItSendsIsNotLossy) {
  std::vector<double> sent(peers_.size(), 0);
  for (int second = 0; second <= 64; ++second) {
    const bool busy = second % 4 == 2;
    const auto turn = static_cast<std::size_t>(second / 4) % 4;
    for (std::size_t i = 0; i < peers_.size(); ++i) {
      sent[i] += busy ? 1000 : 20;
      again_seen_[i] += !busy ? 0 : i == 2 ? 60 : i == turn ? 5 : 0;
      (void)readings_.Add(Of(PeerField::kSegmentsSent), peers_[i], At(second), sent[i]);
      (void)readings_.Add(Of(PeerField::kSegmentsRetransmitted), peers_[i], At(second),
                          again_seen_[i]);
    }
    (void)seconds_.Observe(At(second), directory_, readings_, {}, {});
    if (second > 16 && second % 4 == 0) {
      EXPECT_THAT(Judge(second).flags, IsEmpty()) << second;
    }
  }
}

// Every server sends as much to two clients; the way to one of them loses.
TEST_F(LossJudgeTest, AClientThatLosesAccusesNoServer) {
  for (std::size_t i = 0; i < 4; ++i) {
    auto other = directory_.Entities(EntityKind::kPeer)[peers_[i]];
    other.remote_address = "10.0.1.2";
    peers_.push_back(directory_.Restore(EntityKind::kPeer, std::move(other)).value());
  }
  again_.resize(peers_.size(), 0.0);
  again_seen_.resize(peers_.size(), 0.0);
  again_[2] = 50;
  Play(0, 12);
  for (const int end : {4, 8, 12}) {
    EXPECT_THAT(Judge(end).flags, IsEmpty()) << "s3 and one client alone";
  }
  again_[6] = 50;
  Play(13, 32);
  for (int end = 16; end <= 28; end += 4) {
    (void)Judge(end);
  }
  EXPECT_THAT(Judge(32).flags, SizeIs(1)) << "s3 and both";
}

// s3 carries twice as much as the others and loses a part of it.
class BusyServerTest : public LossJudgeTest {
 protected:
  static double Steadily(int second) { return 100.0 * second; }
  // In three seconds of four, so the share is high in quiet and in usual seconds too.
  static double OftenButNotAlways(int second) { return 133.0 * (second - second / 4); }
  // round_trips: of the others, and of s3; empty: nobody says.
  // lost: segments that s3 has lost so far.
  LossSide PlayBusy(const std::vector<double>& round_trips,
                    const std::function<double(int)>& lost = Steadily) {
    LossSide last;
    for (int second = 0; second <= 24; ++second) {
      for (std::size_t i = 0; i < peers_.size(); ++i) {
        const bool busy = i == 2;
        (void)readings_.Add(Of(PeerField::kSegmentsSent), peers_[i], At(second),
                            (busy ? 2000.0 : 1000.0) * second);
        (void)readings_.Add(Of(PeerField::kSegmentsRetransmitted), peers_[i], At(second),
                            busy ? lost(second) : 0);
        if (!round_trips.empty()) {
          (void)readings_.Add(Of(PeerField::kRoundTrip), peers_[i], At(second),
                              round_trips[busy ? 1 : 0]);
        }
      }
      (void)seconds_.Observe(At(second), directory_, readings_, {}, {});
      if (second > 0 && second % 4 == 0) {
        last = Judge(second);
      }
    }
    return last;
  }
};

TEST_F(BusyServerTest, WhatAFullQueueDropsIsNoLossyWay) {
  const auto side = PlayBusy({0.02, 0.06}, OftenButNotAlways);
  const auto totals = seconds_.Segments("s3", kServerSide, At(24), 4);
  ASSERT_TRUE(totals && totals->round_trip);
  EXPECT_DOUBLE_EQ(*totals->round_trip, 0.06);
  EXPECT_THAT(side.flags, IsEmpty());
  EXPECT_THAT(side.elevated, IsEmpty());
}

TEST_F(BusyServerTest, OnAsFastAWayMoreLoadIsNoExcuse) {
  EXPECT_THAT(PlayBusy({0.02, 0.03}, OftenButNotAlways).flags, SizeIs(1));
}

TEST_F(BusyServerTest, WhatIsLostWhateverTheQueueIsAFault) {
  EXPECT_THAT(PlayBusy({0.02, 0.06}).flags, SizeIs(1));
}

TEST_F(BusyServerTest, WhereNobodyTellsRoundTripsMoreLoadIsNoExcuse) {
  EXPECT_THAT(PlayBusy({}, OftenButNotAlways).flags, SizeIs(1));
}

// s4 also receives copies of what s1 to s3 get, and loses some of them.
TEST_F(LossJudgeTest, AServerThatLosesCopiesIsNamedAndNotWhoSendsThem) {
  for (int i = 1; i <= 3; ++i) {
    peers_.push_back(
        directory_
            .Restore(EntityKind::kPeer, {.node = "s" + std::to_string(i),
                                         .local_address = "10.0.0." + std::to_string(i),
                                         .remote_address = "10.0.0.4",
                                         .side = i == 1 ? "client" : "server"})
            .value());
    again_.push_back(50);
    again_seen_.push_back(0);
  }
  for (int i = 1; i <= 3; ++i) {  // to the others nothing gets lost
    peers_.push_back(
        directory_
            .Restore(EntityKind::kPeer, {.node = "client",
                                         .local_address = "10.0.1.1",
                                         .remote_address = "10.0.0." + std::to_string(i),
                                         .side = "client"})
            .value());
    again_.push_back(0);
    again_seen_.push_back(0);
  }
  std::vector<LossSide> sides;
  for (int end = 4; end <= 20; end += 4) {
    Play(end == 4 ? 0 : end - 3, end);
    sides = JudgeLoss({.end = At(end), .group = &group_, .preset = &preset_}, seconds_, records_);
  }
  EXPECT_THAT(sides[kServerSide].flags, IsEmpty());
  ASSERT_THAT(sides[0].flags, SizeIs(1));
  EXPECT_EQ(sides[0].flags[0].component, "s4");
  EXPECT_DOUBLE_EQ(*sides[0].flags[0].mean, 0.05);
  EXPECT_THAT(sides[kServerSide].elevated, IsEmpty());
  EXPECT_EQ(seconds_.ShareToServers("s1", At(20), 16), 0.5) << "the client gets as many segments";
  EXPECT_EQ(seconds_.ShareToServers("s4", At(20), 16), 0);
  EXPECT_EQ(seconds_.ShareToServers("s5", At(20), 16), std::nullopt);
}

TEST_F(LossJudgeTest, WithoutTheCountersNothingIsKnown) {
  for (int second = 0; second <= 8; ++second) {
    for (const auto peer : peers_) {
      (void)readings_.Add(Of(PeerField::kCwnd), peer, At(second), 10);
    }
    (void)seconds_.Observe(At(second), directory_, readings_, {}, {});
  }
  const auto side = Judge(8);
  EXPECT_THAT(side.known, IsEmpty());
  EXPECT_EQ(side.window.n, 0U);
}

TEST_F(LossJudgeTest, PortsSayNothingOfConnections) {
  peers_.clear();
  for (int i = 1; i <= 4; ++i) {
    peers_.push_back(directory_
                         .Restore(EntityKind::kPeer, {.node = "s" + std::to_string(i),
                                                      .local_address = "mlx5_0/1",
                                                      .remote_address = "mlx5_0/1",
                                                      .side = std::string(kRdmaPort)})
                         .value());
  }
  preset_.shift = 30;
  again_[2] = 20;
  Play(0, 40);
  const auto sides =
      JudgeLoss({.end = At(40), .group = &group_, .preset = &preset_}, seconds_, records_);
  ASSERT_THAT(sides, SizeIs(3)) << "those of connections, and what ports send";
  EXPECT_EQ(sides[2].window.n, 4U);
  for (const auto& side : sides) {
    EXPECT_THAT(side.known, IsEmpty());
    EXPECT_THAT(side.elevated, IsEmpty());
  }
}

TEST_F(LossJudgeTest, ARestartedExporterIsNoBurst) {
  Play(0, 4);
  for (int second = 5; second <= 14; ++second) {
    for (const auto peer : peers_) {  // counts from 0 again
      (void)readings_.Add(Of(PeerField::kSegmentsSent), peer, At(second), 10.0 * second);
      (void)readings_.Add(Of(PeerField::kSegmentsRetransmitted), peer, At(second), 0);
    }
    (void)seconds_.Observe(At(second), directory_, readings_, {}, {});
  }
  const auto totals = seconds_.Segments("s1", kServerSide, At(14), 4);
  ASSERT_TRUE(totals);
  EXPECT_EQ(totals->sent, 40);
}

TEST_F(LossJudgeTest, OneLowReadingIsNoBurst) {
  Play(0, 4);
  const auto sent = [](int second) { return second == 5 ? 3.0 : 1000.0 * second; };
  for (int second = 5; second <= 7; ++second) {
    for (const auto peer : peers_) {
      (void)readings_.Add(Of(PeerField::kSegmentsSent), peer, At(second), sent(second));
      (void)readings_.Add(Of(PeerField::kSegmentsRetransmitted), peer, At(second), 0);
    }
    (void)seconds_.Observe(At(second), directory_, readings_, {}, {});
  }
  const auto totals = seconds_.Segments("s1", kServerSide, At(7), 2);
  ASSERT_TRUE(totals);
  EXPECT_EQ(totals->sent, 2000 + 1000);
}

}  // namespace
}  // namespace limpet::loss_judge_test
