#include "tests/simulator/network.h"

#include <gtest/gtest.h>

namespace limpet::simulator::network_test {
namespace {

TEST(Link, ServesFlowsOneBehindTheOther) {
  Link link(1000);
  const auto first = link.Take(Seconds(1), 500);
  const auto second = link.Take(Seconds(1.2), 500);
  EXPECT_NEAR(first.end.count(), 1.5, 1e-12);
  EXPECT_NEAR(second.begin.count(), 1.5, 1e-12);
  EXPECT_NEAR(second.end.count(), 2, 1e-12);
  EXPECT_NEAR(second.queued.count(), 0.3, 1e-12);
  EXPECT_EQ(second.flows, 2U);
}

TEST(Link, AHogLeavesHalfToASingleFlow) {
  Link link(1000);
  link.SetHog(true);
  const auto alone = link.Take(Seconds(0), 500);
  EXPECT_NEAR(alone.end.count(), 1, 1e-12);
  EXPECT_EQ(alone.flows, 2U);
  const auto second = link.Take(Seconds(0), 500);  // two flows leave it a third
  EXPECT_NEAR((second.end - second.begin).count(), 0.75, 1e-12);
}

TEST(Link, AHogWithAShareLeavesTheRestAndNoQueue) {
  Link link(1000);
  link.SetHog(true, 0.2);
  EXPECT_NEAR(link.Take(Seconds(0), 400).end.count(), 0.5, 1e-12);
  EXPECT_FALSE(link.HasHog());
  link.SetHog(false);
  EXPECT_NEAR(link.Take(Seconds(1), 500).end.count(), 1.5, 1e-12);
}

TEST(Interface, CountsPayloadAndHeaders) {
  Interface net({.header_bytes = 66, .background = 0}, 10);
  net.Received(Seconds(0), Seconds(2), 14480, 10);
  EXPECT_NEAR(net.History().Of(0).rx_bytes, (14480 + 660) / 2.0, 1e-9);
  EXPECT_NEAR(net.History().Of(1).rx_packets, 5, 1e-9);
}

TEST(Interface, AHogFillsWhatIsLeftAndItsAcknowledgmentsGoBack) {
  Random random(1);
  NetworkSpec spec;
  spec.background = 0;
  Interface net(spec, 10);
  net.Received(Seconds(0), Seconds(0.999), 50e6, 0);
  net.AddForeign(0, {.part = 1}, {}, random);
  net.AddForeign(1, {.part = 0.5}, {}, random);
  EXPECT_NEAR(net.History().Of(0).rx_bytes, 119e6, 5e6);
  EXPECT_NEAR(net.History().Of(1).rx_bytes, 59.5e6, 3e6);
  net.AddForeign(2, {.part = 1, .share = 0.1}, {}, random);
  EXPECT_NEAR(net.History().Of(2).rx_bytes, 11.9e6, 0.5e6);
  const double acks = net.History().Of(1).tx_bytes / net.History().Of(1).rx_bytes;
  EXPECT_NEAR(acks, 0.022, 0.002);
}

}  // namespace
}  // namespace limpet::simulator::network_test
