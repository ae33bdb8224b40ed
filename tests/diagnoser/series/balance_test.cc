#include "diagnoser/series/balance.h"

#include <gmock/gmock.h>

#include "diagnoser/metrics/catalog.h"
#include "tests/support/server_bytes.h"

namespace limpet::balance_test {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Field;
using ::testing::Ge;
using ::testing::IsEmpty;
using testing::kMB;
using testing::kWindow;
using ::testing::Le;
using testing::RowNumber;
using testing::Server;
using ::testing::SizeIs;

double Balance(const MemberSamples& member, std::string_view metric) {
  return member.metrics.Of(RowNumber(metric)).front();
}

TEST(Balance, AServersOwnLoadCancelsHoweverUnequalItIs) {
  std::vector<MemberSamples> servers;
  for (const double load : {1.0, 5.0, 40.0, 120.0}) {
    servers.push_back(Server({.read = load * kMB, .sent = load * kMB, .received = 0.01 * load}));
  }
  (void)BalanceBytes(rows::kInterfaces, servers);
  for (const auto& server : servers) {
    EXPECT_NEAR(Balance(server, "unsent"), 0, 1);
  }
}

TEST(Balance, WhatSomebodyElseMovesRemains) {
  std::vector<MemberSamples> servers(3, Server({.read = 10 * kMB, .sent = 10 * kMB}));
  servers.push_back(Server({.read = 14 * kMB, .sent = 10 * kMB}));
  servers.push_back(Server({.read = 10 * kMB, .sent = 18 * kMB}));
  const auto traffic = BalanceBytes(rows::kInterfaces, servers);
  EXPECT_NEAR(Balance(servers[3], "unsent"), 4 * kMB, 1);
  EXPECT_NEAR(Balance(servers[4], "unsent"), -8 * kMB, 1);
  EXPECT_THAT(traffic[RowNumber("unsent")], SizeIs(5));
  EXPECT_THAT(traffic[RowNumber("unsent")],
              Each(Field(&Carried::bytes, AllOf(Ge(10 * kMB - 1), Le(10 * kMB + 1)))));
  EXPECT_EQ(traffic[RowNumber("unsent")][4].excess, std::nullopt) << "copies, perhaps";
  EXPECT_EQ(traffic[RowNumber("unreceived")][4].excess, 0);
  EXPECT_EQ(traffic[RowNumber("unsent")][0].doubtful, 0);
  EXPECT_EQ(traffic[RowNumber("unsent")][0].usual, 1);
}

// It writes no more however much more comes, and clients send again what takes too long.
TEST(Balance, WhatABusyDiskDoesNotWriteIsNoStrangers) {
  std::vector<MemberSamples> servers(4, Server({.written = 2 * kMB, .received = 2 * kMB}));
  servers[3] = Server({.written = 4 * kMB, .received = 6 * kMB});
  const auto excess = [&](double busy) {
    auto some = servers;
    some[3].disk_busy = busy;
    return BalanceBytes(rows::kInterfaces, some)[RowNumber("unreceived")][3].excess;
  };
  EXPECT_NEAR(excess(0.8).value_or(0), 4 * kMB, 1);
  EXPECT_EQ(excess(0.9), std::nullopt);
}

// Each server passes on what it receives to one of the others: some more, some less.
TEST(Balance, WhatServersPassOnToEachOtherWasNotRead) {
  std::vector<MemberSamples> servers;
  for (const double passed_on : {1.0, 2.0, 3.0, 5.0}) {
    servers.push_back(Server({.sent = passed_on * kMB, .written = 6 * kMB, .received = 6 * kMB}));
    servers.back().to_servers = 1.0;
  }
  // A stranger reads from the last one's disk.
  servers.push_back(
      Server({.read = 2 * kMB, .sent = 2.5 * kMB, .written = 6 * kMB, .received = 6 * kMB}));
  servers.back().to_servers = 0.98;
  (void)BalanceBytes(rows::kInterfaces, servers);
  EXPECT_NEAR(Balance(servers[0], "unsent"), 0, 1);
  EXPECT_NEAR(Balance(servers[3], "unsent"), -2.5 * kMB, 0.1 * kMB) << "more than is usual";
  EXPECT_GT(Balance(servers[4], "unsent"), 1.9 * kMB);
}

TEST(Balance, WhereNothingIsPassedOnItIsKnownWhoSendsMore) {
  std::vector<MemberSamples> servers(4, Server({.read = 10 * kMB, .sent = 10 * kMB}));
  servers.push_back(Server({.read = 10 * kMB, .sent = 18 * kMB}));
  for (auto& server : servers) {
    server.to_servers = 0;
  }
  const auto traffic = BalanceBytes(rows::kInterfaces, servers);
  EXPECT_NEAR(traffic[RowNumber("unsent")][0].excess.value_or(-1), 0, 1);
  EXPECT_NEAR(traffic[RowNumber("unsent")][4].excess.value_or(-1), 8 * kMB, 1);
}

TEST(Balance, WhatIsRebuiltElsewhereWasRead) {
  std::vector<MemberSamples> servers(3, Server({.sent = 0.1 * kMB, .received = 6 * kMB}));
  servers.push_back(Server({.read = 9 * kMB, .sent = 9 * kMB, .received = 0.1 * kMB}));
  for (auto& server : servers) {
    server.to_servers = 1.0;
  }
  (void)BalanceBytes(rows::kInterfaces, servers);
  EXPECT_NEAR(Balance(servers[3], "unsent"), 0, 0.01 * kMB);
}

TEST(Balance, AmplificationThatAllShareIsDividedOut) {
  std::vector<MemberSamples> servers;
  for (const double load : {4.0, 8.0, 16.0, 32.0}) {  // a journal: each byte is written twice
    servers.push_back(Server({.written = 2 * load * kMB, .received = load * kMB}));
  }
  servers.push_back(Server({.written = 26 * kMB, .received = 8 * kMB}));
  (void)BalanceBytes(rows::kInterfaces, servers);
  EXPECT_NEAR(Balance(servers[3], "unreceived"), 0, 1);
  EXPECT_NEAR(Balance(servers[4], "unreceived"), 10 * kMB, 1);
}

TEST(Balance, WhatCachesSaveDoesNotHideWhatANetworkHogSends) {
  std::vector<MemberSamples> servers(4, Server({.read = 1 * kMB, .sent = 20 * kMB}));
  servers.push_back(Server({.read = 1 * kMB, .sent = 30 * kMB}));
  (void)BalanceBytes(rows::kInterfaces, servers);
  EXPECT_NEAR(Balance(servers[4], "unsent") - Balance(servers[0], "unsent"), -10 * kMB, 1);
}

TEST(Balance, WithoutBusyPeersAsMuchAsTheServersOwnIsDoubtful) {
  std::vector<MemberSamples> servers(5, Server({.read = 10, .sent = 10}));
  servers.push_back(Server({.read = 6 * kMB, .sent = 4 * kMB}));
  const auto traffic = BalanceBytes(rows::kInterfaces, servers);
  EXPECT_NEAR(traffic[RowNumber("unsent")].back().doubtful, 4 * kMB, 1);
}

TEST(Balance, AcknowledgmentsOfABusyServerAreHeldAgainstWhatItSends) {
  std::vector<MemberSamples> servers(9, Server({}));
  servers.push_back(Server({.read = 67 * kMB, .sent = 67 * kMB, .received = 1.5 * kMB}));
  const auto traffic = BalanceBytes(rows::kInterfaces, servers);
  EXPECT_GT(traffic[RowNumber("unreceived")].back().bytes, 4 * 1.5 * kMB);
  EXPECT_EQ(traffic[RowNumber("unreceived")].front().bytes, 0);
}

Carried Unsent(std::vector<MemberSamples> servers, std::size_t server) {
  return BalanceBytes(rows::kInterfaces, servers)[RowNumber("unsent")][server];
}

// Whatever share of the traffic passes the interfaces that are counted.
TEST(Balance, MoreLoadIsNoSurplusHoweverLittleOfTheNetworkIsSeen) {
  for (const double seen : {0.0, 0.005, 0.02, 0.07, 0.1, 0.5, 1.0}) {
    std::vector<MemberSamples> servers(5, Server({.read = 100 * kMB, .sent = seen * 100 * kMB}));
    servers.push_back(Server({.read = 300 * kMB, .sent = seen * 300 * kMB}));
    const auto unsent = Unsent(servers, 5);
    EXPECT_EQ(unsent.explained, seen > 1.0 / 16) << seen;
    if (!unsent.explained) {
      EXPECT_FALSE(unsent.surplus) << seen;
    }
    (void)BalanceBytes(rows::kInterfaces, servers);
    EXPECT_NEAR(Balance(servers[5], "unsent"), 0, 1) << seen;
  }
}

TEST(Balance, WhereTheNetworkIsHardlySeenADeficitIsInItsBytes) {
  std::vector<MemberSamples> servers(5, Server({.read = 100 * kMB, .sent = 2 * kMB}));
  servers.push_back(Server({.read = 100 * kMB, .sent = 12 * kMB}));
  EXPECT_TRUE(Unsent(servers, 5).deficit);
  (void)BalanceBytes(rows::kInterfaces, servers);
  EXPECT_NEAR(Balance(servers[5], "unsent"), -10 * kMB, 1);
}

TEST(Balance, AServerWithHolesHasNone) {
  std::vector<MemberSamples> servers(3, Server({.read = kMB, .sent = kMB}));
  servers.push_back(Server({.read = kMB, .sent = kMB}, kWindow - 1));
  (void)BalanceBytes(rows::kInterfaces, servers);
  EXPECT_THAT(servers[3].metrics.Of(RowNumber("unsent")), IsEmpty());
  EXPECT_THAT(servers[3].metrics.Of(RowNumber("txbyt")), SizeIs(kWindow));
  EXPECT_THAT(servers[0].metrics.Of(RowNumber("unsent")), SizeIs(kWindow));
}

}  // namespace
}  // namespace limpet::balance_test
