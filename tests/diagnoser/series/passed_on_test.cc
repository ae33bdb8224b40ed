#include "diagnoser/series/passed_on.h"

#include <gmock/gmock.h>

#include <optional>

#include "diagnoser/metrics/catalog.h"

namespace limpet::passed_on_test {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;

constexpr double kMB = 1e6;
constexpr std::size_t kWindow = 8;

MemberSamples Server(double received, double sent, std::optional<double> to_servers) {
  MemberSamples member;
  for (const auto& row : rows::kInterfaces) {
    const double value = row.name == "txbyt" ? sent : row.name == "rxbyt" ? received : 0;
    member.metrics.Add(std::vector<double>(kWindow, value));
  }
  member.to_servers = to_servers;
  return member;
}

TEST(PassedOn, IsAtMostWhatAMedianServerPassesOn) {
  const std::vector<MemberSamples> servers = {
      Server(6 * kMB, 2 * kMB, 1), Server(6 * kMB, 3 * kMB, 1), Server(6 * kMB, 6 * kMB, 1)};
  const auto bytes = OwnBytesSent(rows::kInterfaces, servers);
  EXPECT_THAT(bytes.own, ElementsAre(DoubleEq(0), DoubleEq(0), DoubleEq(0.5)));
  EXPECT_THAT(bytes.clients, Each(0));
  EXPECT_FALSE(bytes.no_copies);
}

TEST(PassedOn, WhatHogsReceiveAtHalfOfTheServersDoesNotMakeItLess) {
  const std::vector<MemberSamples> servers = {
      Server(6 * kMB, 3 * kMB, 1), Server(6 * kMB, 3 * kMB, 1), Server(30 * kMB, 3 * kMB, 1),
      Server(30 * kMB, 3 * kMB, 1)};
  EXPECT_THAT(OwnBytesSent(rows::kInterfaces, servers).own, Each(DoubleEq(0)));
}

TEST(PassedOn, WhoSendsOthersMoreThanItReceivesHasReadIt) {
  std::vector<MemberSamples> servers(3, Server(6 * kMB, 0, std::nullopt));
  servers.push_back(Server(0.1 * kMB, 9 * kMB, 1));
  const auto bytes = OwnBytesSent(rows::kInterfaces, servers);
  EXPECT_THAT(bytes.own, Each(DoubleNear(1, 0.02)));
  EXPECT_EQ(bytes.clients.back(), 0);
}

TEST(PassedOn, IsNotGuessedWhereNobodyKnows) {
  const std::vector<MemberSamples> servers(4, Server(6 * kMB, 3 * kMB, std::nullopt));
  const auto bytes = OwnBytesSent(rows::kInterfaces, servers);
  EXPECT_THAT(bytes.own, Each(1));
  EXPECT_FALSE(bytes.no_copies);
}

TEST(PassedOn, WhereClientsGetEverythingThereAreNoCopies) {
  const std::vector<MemberSamples> servers(4, Server(6 * kMB, 3 * kMB, 0));
  EXPECT_TRUE(OwnBytesSent(rows::kInterfaces, servers).no_copies);
  EXPECT_TRUE(OwnBytesReceived(4).no_copies) << "a copy that is received is written";
}

}  // namespace
}  // namespace limpet::passed_on_test
