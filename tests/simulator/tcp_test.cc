#include "tests/simulator/tcp.h"

#include <gtest/gtest.h>

namespace limpet::simulator::tcp_test {
namespace {

constexpr double kBulk = 4 << 20;

TEST(TcpSender, ABulkTransferOpensTheWindowUpToTheBuffer) {
  Random random(1);
  TcpSender sender;
  auto now = Seconds(0);
  for (int i = 0; i < 50; ++i) {
    now += sender.Send(kBulk, {.most = 100}, now, Seconds(0.036), random).time;
    EXPECT_LE(sender.CwndAt(now), 125);
  }
  EXPECT_GT(sender.CwndAt(now), 30);
}

TEST(TcpSender, ASmallSenderDoesNotOpenWhatItDoesNotUse) {
  Random random(1);
  TcpSender sender;
  auto now = Seconds(0);
  for (int i = 0; i < 50; ++i) {
    now += sender.Send(300, {}, now, Seconds(0.001), random).time;
  }
  EXPECT_EQ(sender.CwndAt(now), kInitialWindow);
}

TEST(TcpSender, FivePercentLossHoldsTheWindowInSingleDigits) {
  Random random(1);
  TcpSender sender;
  auto now = Seconds(0);
  double sum = 0;
  for (int i = 0; i < 50; ++i) {
    now += sender.Send(kBulk, {.data_loss = 0.05}, now, Seconds(0.036), random).time;
    sum += sender.CwndAt(now);
  }
  EXPECT_LT(sum / 50, 8);
  // About 1.5 MB/s a connection: 145 losses, one in ten of them repaired by a timeout only.
  EXPECT_NEAR(now.count() / 50, 2.8, 1.5);
}

TEST(TcpSender, SegmentsSentAgainAreTheShareThatIsLost) {
  Random random(1);
  TcpSender lossy;
  TcpSender clean;
  auto now = Seconds(0);
  for (int i = 0; i < 50; ++i) {
    clean.Send(kBulk, {.most = 100}, now, Seconds(0.036), random);
    now += lossy.Send(kBulk, {.data_loss = 0.02}, now, Seconds(0.036), random).time;
  }
  const auto lost = lossy.SegmentsAt(now);
  EXPECT_GT(lost.sent, 50 * kBulk / kSegmentBytes);
  EXPECT_NEAR(lost.again / lost.sent, 0.02, 0.005);
  const auto kept = clean.SegmentsAt(now);
  EXPECT_GT(kept.again, 0);  // the buffer overflows now and then
  EXPECT_LT(kept.again / kept.sent, 0.002);
}

TEST(TcpSender, ALostMessageWaitsForTheTimeout) {
  Random random(4);
  TcpSender sender;
  auto now = Seconds(0);
  int late = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto sent = sender.Send(300, {.data_loss = 0.05}, now, Seconds(0.001), random);
    late += sent.time >= kRetransmissionTimeout ? 1 : 0;
    now += sent.time + Seconds(0.01);
  }
  EXPECT_NEAR(late, 50, 25);
  EXPECT_LT(sender.CwndAt(now), kInitialWindow);
}

TEST(TcpSender, LostAcknowledgmentsHardlyHurtABulkTransfer) {
  Random random(1);
  TcpSender sender;
  const auto sent = sender.Send(kBulk, {.ack_loss = 0.05}, Seconds(0), Seconds(0.036), random);
  EXPECT_LT(sent.time.count(), 0.5);
}

TEST(TcpSender, AnIdleConnectionGoesBackToItsInitialWindow) {
  Random random(1);
  TcpSender sender;
  sender.Send(kBulk, {}, Seconds(0), Seconds(0.036), random);
  EXPECT_GT(sender.CwndAt(Seconds(1)), 30);
  sender.Send(300, {}, Seconds(60), Seconds(0.001), random);
  EXPECT_EQ(sender.CwndAt(Seconds(61)), kInitialWindow);
}

TEST(TcpSender, AcknowledgedBytesGrowWhileTheTransferLasts) {
  Random random(1);
  TcpSender sender;
  sender.Send(1000, {}, Seconds(0), Seconds(2), random);
  EXPECT_NEAR(sender.AckedAt(Seconds(1)), 500, 1e-9);
  EXPECT_EQ(sender.AckedAt(Seconds(3)), 1000);
  sender.Send(1000, {}, Seconds(4), Seconds(2), random);
  EXPECT_EQ(sender.AckedAt(Seconds(4)), 1000);
  EXPECT_EQ(sender.AckedAt(Seconds(9)), 2000);
}

}  // namespace
}  // namespace limpet::simulator::tcp_test
