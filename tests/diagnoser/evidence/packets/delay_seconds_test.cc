#include "diagnoser/evidence/packets/delay_seconds.h"

#include <gtest/gtest.h>

namespace limpet::delay_seconds_test {
namespace {

constexpr std::size_t kByClients = 0;
constexpr std::size_t kByServer = 1;

// What one client and three servers measure in one second; `slow` adds to s3.
std::vector<DelaySeconds::Measured> Second(double slow_by_clients, double slow_by_server) {
  std::vector<DelaySeconds::Measured> trips;
  for (const char* server : {"s1", "s2", "s3"}) {
    const bool slow = std::string_view(server) == "s3";
    trips.push_back({server, "c1", kByClients, 0.001 + (slow ? slow_by_clients : 0)});
    trips.push_back({server, "c1", kByServer, 0.001 + (slow ? slow_by_server : 0)});
  }
  return trips;
}

TEST(DelaySeconds, SumsUpTheSecondsOfAWindow) {
  DelaySeconds delays(16);
  for (std::int64_t second = 100; second < 108; ++second) {
    delays.Add(second, Second(0.01, 0.01));
  }
  EXPECT_NEAR(delays.SumUp("s3", 107, 8)->part, 0.01, 1e-12);
  EXPECT_NEAR(delays.SumUp("s3", 107, 8)->level, 0.011, 1e-12);
  EXPECT_DOUBLE_EQ(delays.SumUp("s1", 107, 8)->part, 0);
  EXPECT_FALSE(delays.SumUp("s3", 115, 8)) << "too long ago";
  EXPECT_FALSE(delays.SumUp("s4", 107, 8));
}

TEST(DelaySeconds, WhatTheServerItselfDoesNotMeasureIsNoDelay) {
  DelaySeconds delays(16);
  for (std::int64_t second = 100; second < 108; ++second) {
    delays.Add(second, Second(0.04, 0));  // its programs answer late: acknowledgments wait for them
  }
  EXPECT_DOUBLE_EQ(delays.SumUp("s3", 107, 8)->part, 0);
  DelaySeconds by_clients(16);
  for (std::int64_t second = 100; second < 108; ++second) {
    auto trips = Second(0.04, 0);
    std::erase_if(trips, [](const auto& trip) { return trip.side == kByServer; });
    by_clients.Add(second, trips);
  }
  EXPECT_FALSE(by_clients.SumUp("s3", 107, 8)) << "clients alone cannot tell";
}

// Writes in the lab, 2 ms at one server: servers' answers of a packet were acknowledged after 5 ms.
TEST(DelaySeconds, TheRoundTripIsThatOfTheSideWithTheShorterOne) {
  DelaySeconds delays(16);
  for (std::int64_t second = 100; second < 108; ++second) {
    auto trips = Second(0.004, 0.005);
    for (auto& trip : trips) {
      trip.seconds += trip.side == kByServer ? 0.0045 : 0;
    }
    delays.Add(second, trips);
  }
  EXPECT_NEAR(delays.SumUp("s3", 107, 8)->part, 0.004, 1e-12);
  EXPECT_NEAR(delays.SumUp("s3", 107, 8)->level, 0.005, 1e-12);
  EXPECT_NEAR(delays.SumUp("s1", 107, 8)->level, 0.001, 1e-12);
}

TEST(DelaySeconds, WithoutClientsThatAreWatchedTheServersSayAlone) {
  DelaySeconds delays(16);
  for (std::int64_t second = 100; second < 108; ++second) {
    auto trips = Second(0, 0.002);
    std::erase_if(trips, [](const auto& trip) { return trip.side == kByClients; });
    delays.Add(second, trips);
  }
  EXPECT_NEAR(delays.SumUp("s3", 107, 8)->part, 0.002, 1e-12);
}

TEST(DelaySeconds, SecondsOfARoundAgoDoNotCount) {
  DelaySeconds delays(4);
  for (std::int64_t second = 100; second < 104; ++second) {
    delays.Add(second, Second(0.01, 0.01));
  }
  delays.Add(107, Second(0, 0));
  EXPECT_FALSE(delays.SumUp("s3", 107, 4)) << "one of four seconds";
  EXPECT_DOUBLE_EQ(delays.SumUp("s3", 107, 2)->part, 0);
}

TEST(DelaySeconds, ForgetsAServer) {
  DelaySeconds delays(4);
  delays.Add(100, Second(0, 0));
  delays.Forget("s3");
  delays.Forget("s9");
  EXPECT_FALSE(delays.SumUp("s3", 100, 1));
  EXPECT_TRUE(delays.SumUp("s1", 100, 1));
}

}  // namespace
}  // namespace limpet::delay_seconds_test
