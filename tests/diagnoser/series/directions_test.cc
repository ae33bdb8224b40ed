#include "diagnoser/series/directions.h"

#include <gmock/gmock.h>

#include <utility>

#include "tests/support/server_bytes.h"

namespace limpet::directions_test {
namespace {

using testing::kMB;
using testing::kWindow;
using testing::Load;
using testing::RowNumber;
using testing::Server;

FlowDirection Measure(std::vector<MemberSamples> servers, std::string_view metric = "unsent") {
  return MeasureDirection(rows::kInterfaces, RowNumber(metric), servers);
}

std::vector<MemberSamples> Alike(const Load& load) {
  return std::vector<MemberSamples>(4, Server(load));
}

TEST(Directions, NetworkBytesCountAsOftenAsDisksMoveThem) {
  const auto journals = Measure(Alike({.written = 60 * kMB, .received = 30 * kMB}), "unreceived");
  EXPECT_EQ(journals.seen, Seen::kYes);
  EXPECT_DOUBLE_EQ(journals.net, 2);
  EXPECT_DOUBLE_EQ(journals.disk, 1);
  EXPECT_NEAR(journals.Balance(*journals.sides[0]), 0, 1);
  const auto cached = Measure(Alike({.read = 10 * kMB, .sent = 40 * kMB}));
  EXPECT_DOUBLE_EQ(cached.ratio.value_or(0), 0.25);
  EXPECT_DOUBLE_EQ(cached.net, 1) << "caches must not hide what a network hog sends";
}

TEST(Directions, WhatHardlyShowsOnTheNetworkIsCountedInItsBytes) {
  const auto hardly = Measure(Alike({.read = 100 * kMB, .sent = 2 * kMB}));
  EXPECT_EQ(hardly.seen, Seen::kNo);
  EXPECT_DOUBLE_EQ(hardly.disk, 0.02);
  EXPECT_DOUBLE_EQ(hardly.net, 1);
  EXPECT_EQ(Measure(Alike({.read = 100 * kMB})).seen, Seen::kNo) << "no traffic, and busy disks";
  EXPECT_EQ(Measure(Alike({.read = 100 * kMB, .sent = 7 * kMB})).seen, Seen::kYes);
}

TEST(Directions, HalfOfTheServersAreNotWhatIsUsual) {
  const auto half = [](const Load& odd, const Load& others) {
    auto servers = Alike(others);
    servers.resize(8, Server(odd));
    return Measure(std::move(servers));
  };
  const Load usual{.read = 50 * kMB, .sent = 50 * kMB};
  EXPECT_DOUBLE_EQ(*half({.read = 90 * kMB, .sent = 50 * kMB}, usual).ratio, 1) << "disk hogs";
  EXPECT_DOUBLE_EQ(*half({.read = 50 * kMB, .sent = 90 * kMB}, usual).ratio, 1) << "network hogs";
  EXPECT_EQ(half({.read = 30 * kMB}, {}).seen, Seen::kIdle) << "hogs that read beside writes";
}

TEST(Directions, HeadersAndAcknowledgmentsAreNoTraffic) {
  const auto acknowledged =
      Measure(Alike({.sent = 2 * kMB, .written = 100 * kMB, .received = 100 * kMB}));
  EXPECT_EQ(acknowledged.ratio, std::nullopt);
  EXPECT_EQ(acknowledged.seen, Seen::kIdle);
}

TEST(Directions, OneThatIsIdleIsExplainedByTheOther) {
  const auto explained = [](const Load& load) {
    auto servers = Alike(load);
    std::vector<FlowDirection> all;
    for (const auto* name : {"unsent", "unreceived"}) {
      all.push_back(MeasureDirection(rows::kInterfaces, RowNumber(name), servers));
    }
    return std::pair(IsGroupExplained(all, all[0]), IsGroupExplained(all, all[1]));
  };
  const std::pair yes(true, true);
  const std::pair no(false, false);
  EXPECT_EQ(explained({.read = 50 * kMB, .sent = 50 * kMB}), yes);
  EXPECT_EQ(explained({.read = 50 * kMB, .sent = 1 * kMB}), no);
  EXPECT_EQ(explained({.read = 50 * kMB, .written = 9 * kMB, .received = 9 * kMB}),
            std::pair(false, true));
  // Little is done, and it comes by the network; or nothing.
  EXPECT_EQ(explained({.sent = 0.05 * kMB, .written = 0.4 * kMB, .received = 0.1 * kMB}), yes);
  EXPECT_EQ(explained({.sent = 0.01 * kMB, .written = 0.4 * kMB, .received = 0.01 * kMB}), no);
  EXPECT_EQ(explained({.sent = 0.05 * kMB, .written = 0.1 * kMB, .received = 0.1 * kMB}), no);
}

TEST(Directions, AServerWithHolesHasNoSides) {
  std::vector<MemberSamples> servers = Alike({.read = kMB, .sent = kMB});
  servers.push_back(Server({.read = kMB, .sent = kMB}, kWindow - 1));
  const auto direction = Measure(servers);
  EXPECT_TRUE(direction.sides[0]);
  EXPECT_FALSE(direction.sides[4]);
}

}  // namespace
}  // namespace limpet::directions_test
