#include "diagnoser/detect/syscalls/broken_servers.h"

#include <gmock/gmock.h>

namespace limpet::broken_servers_test {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr auto kStart = UnixFromSeconds(1'700'000'000);
constexpr UnixTime At(int second) { return kStart + seconds(second); }

// A client with six servers, all of which answer.
ClientState Working(int second) {
  ClientState client{.node = "c01",
                     .refused = std::nullopt,
                     .refused_error = {},
                     .open = {},
                     .open_call = {},
                     .servers = {}};
  for (int i = 1; i <= 6; ++i) {
    const auto name = "io0" + std::to_string(i);
    client.servers.push_back({.server = name,
                              .peer = name + ":49152",
                              .kind = LastCall::kReceived,
                              .at = At(second),
                              .received = At(second),
                              .call = {},
                              .error = {}});
  }
  return client;
}

void Break(ClientState& client, std::size_t server, LastCall kind, int at,
           std::optional<int> received) {
  auto& contact = client.servers[server];
  contact.kind = kind;
  contact.at = At(at);
  contact.received = received ? std::optional(At(*received)) : std::nullopt;
}

void Crash(ClientState& client, std::size_t server, int at, const char* error = "ECONNREFUSED") {
  Break(client, server, LastCall::kFailed, at, at - 1);
  client.refused = At(at);
  client.refused_error = error;
}

class BrokenServersTest : public ::testing::Test {
 protected:
  void See(int second, const ClientState& client, std::vector<ServerCalls> servers = {}) {
    broken_.Observe(At(second), {&client, 1}, servers);
  }
  std::vector<BrokenServer> Found(int second) { return broken_.At(At(second)); }

  BrokenServers broken_{seconds(30), minutes(1)};
};

TEST_F(BrokenServersTest, AServerThatRefusesWhileTheOthersAnswerHasCrashed) {
  See(1, Working(1));
  for (int second = 2; second <= 4; ++second) {
    auto client = Working(second);
    Crash(client, 2, 2);
    See(second, client);
  }
  const auto found = Found(4);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].server, "io03");
  EXPECT_EQ(found[0].what, Breakage::kCrash);
  EXPECT_EQ(found[0].client, "c01");
  EXPECT_EQ(found[0].error, "ECONNREFUSED");
}

TEST_F(BrokenServersTest, AConnectionThatIsMadeAgainAtOnceIsNoCrash) {
  See(1, Working(1));
  auto client = Working(2);
  Crash(client, 2, 2);
  See(2, client);
  See(3, Working(3));
  EXPECT_THAT(Found(3), IsEmpty());
}

TEST_F(BrokenServersTest, AServerThatHasNotStartedYetHasNotCrashed) {
  for (int second = 1; second <= 20; ++second) {
    auto client = Working(second);
    Crash(client, 2, second);
    client.servers[2].received.reset();  // never an answer
    See(second, client);
  }
  EXPECT_THAT(Found(20), IsEmpty());
}

TEST_F(BrokenServersTest, AClientThatReachesNobodyAccusesNobody) {
  See(1, Working(1));
  for (int second = 2; second <= 20; ++second) {
    auto client = Working(second);
    for (std::size_t i = 0; i < 6; ++i) {
      Crash(client, i, 2);
    }
    See(second, client);
  }
  EXPECT_THAT(Found(20), IsEmpty());
}

TEST_F(BrokenServersTest, AnIdleConnectionThatTheServerClosesIsNoCrash) {
  See(1, Working(1));
  for (int second = 200; second <= 220; ++second) {
    auto client = Working(second);
    Break(client, 4, LastCall::kEnded, 200, 1);
    client.refused = At(200);
    See(second, client);
  }
  EXPECT_THAT(Found(220), IsEmpty());
}

TEST_F(BrokenServersTest, ACrashLastsUntilTheServerAnswersAgain) {
  See(1, Working(1));
  for (int second = 2; second <= 300; ++second) {
    auto client = Working(second);
    Break(client, 4, LastCall::kEnded, 2, 1);
    client.refused = At(2);
    See(second, client);
  }
  EXPECT_THAT(Found(300), SizeIs(1));
  for (int second = 301; second <= 361; ++second) {
    See(second, Working(second));
  }
  EXPECT_THAT(Found(361), IsEmpty());
}

TEST_F(BrokenServersTest, WhoHasARequestWithoutAnAnswerHangs) {
  See(1, Working(1));
  for (int second = 2; second <= 40; ++second) {
    auto client = Working(2);  // nobody has anything to do but wait
    Break(client, 1, LastCall::kSent, 2, 1);
    client.open = seconds(second - 2);
    client.open_call = "read";
    See(second, client);
    EXPECT_EQ(Found(second).empty(), second < 37) << second;
  }
  const auto found = Found(40);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].server, "io02");
  EXPECT_EQ(found[0].what, Breakage::kHang);
  EXPECT_EQ(found[0].call, "read");
}

TEST_F(BrokenServersTest, WithoutADifferenceInKindAgeDecides) {
  See(1, Working(1));
  for (int second = 40; second <= 50; ++second) {
    auto client = Working(second);
    Break(client, 5, LastCall::kReceived, 2, 2);
    client.open = seconds(second - 2);
    See(second, client);
  }
  const auto found = Found(50);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].server, "io06");
}

TEST_F(BrokenServersTest, ALongCallWithAllServersAlikeAccusesNobody) {
  See(1, Working(1));
  for (int second = 2; second <= 60; ++second) {
    auto client = Working(second);
    client.open = seconds(second);
    See(second, client);
  }
  EXPECT_THAT(Found(60), IsEmpty());
}

TEST_F(BrokenServersTest, AServersOwnStuckCallIsAHang) {
  const auto servers = [](int open) {
    return std::vector<ServerCalls>{
        {.node = "io01", .role = "io", .open = {}, .open_call = {}},
        {.node = "io02", .role = "io", .open = {}, .open_call = {}},
        {.node = "io03", .role = "io", .open = seconds(open), .open_call = "write"}};
  };
  See(1, Working(1), servers(30));
  for (int second = 2; second <= 5; ++second) {
    See(second, Working(second), servers(29 + second));
    EXPECT_THAT(Found(second), IsEmpty()) << second;
  }
  See(6, Working(6), servers(35));
  const auto found = Found(6);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].server, "io03");
  EXPECT_TRUE(found[0].client.empty());
}

TEST_F(BrokenServersTest, OneLongCallOfASlowDiskIsNoHang) {
  const auto servers = [](int open) {
    return std::vector<ServerCalls>{
        {.node = "io01", .role = "io", .open = {}, .open_call = {}},
        {.node = "io02", .role = "io", .open = {}, .open_call = {}},
        {.node = "io03", .role = "io", .open = seconds(open), .open_call = "write"}};
  };
  for (int second = 1; second <= 100; ++second) {
    See(second, Working(second), servers(second % 34));  // up to 33 s, each
    EXPECT_THAT(Found(second), IsEmpty()) << second;
  }
}

// Two clients that wait by epoll: none of their calls is open.
class ClientsOnEpoll : public BrokenServersTest {
 protected:
  // Their last calls with io02 were requests in these seconds; the others answer.
  void SeeBoth(int second, int one, int other) {
    std::vector clients = {Working(second), Working(second)};
    clients[1].node = "c02";
    Break(clients[0], 1, LastCall::kSent, one, 1);
    Break(clients[1], 1, LastCall::kSent, other, 1);
    broken_.Observe(At(second), clients, {});
  }
};

TEST_F(ClientsOnEpoll, AccuseAServerThatAnswersNoneOfThem) {
  for (int second = 2; second <= 45; ++second) {
    SeeBoth(second, 2, 4);
    EXPECT_EQ(Found(second).empty(), second < 39) << second;
  }
  const auto found = Found(45);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].server, "io02");
  EXPECT_EQ(found[0].what, Breakage::kHang);
  EXPECT_EQ(found[0].open, seconds(43));
  EXPECT_EQ(found[0].clients, 2U);
}

TEST_F(ClientsOnEpoll, DoNotAccuseAServerThatStillTalksWithOne) {
  for (int second = 2; second <= 100; ++second) {
    SeeBoth(second, 2, second - 5);
    EXPECT_THAT(Found(second), IsEmpty()) << second;
  }
}

TEST_F(ClientsOnEpoll, AccuseAServerThatHasCompletedNoCallThoughTheyAskAgain) {
  const std::vector<ServerCalls> servers = {
      {.node = "io02", .role = "io", .open = {}, .open_call = {}, .idle_since = At(3)}};
  for (int second = 2; second <= 45; ++second) {
    std::vector clients = {Working(second), Working(second)};
    clients[1].node = "c02";
    Break(clients[0], 1, LastCall::kSent, second - 1, 1);
    Break(clients[1], 1, LastCall::kSent, second, 4);
    broken_.Observe(At(second), clients, servers);
    EXPECT_EQ(Found(second).empty(), second < 39) << second;
  }
  ASSERT_THAT(Found(45), SizeIs(1));
  EXPECT_EQ(Found(45)[0].server, "io02");
  EXPECT_EQ(Found(45)[0].open, seconds(42));
}

TEST_F(ClientsOnEpoll, DoNotAccuseWhileTheyAskNoServer) {
  for (int second = 2; second <= 100; ++second) {
    std::vector clients = {Working(2), Working(2)};
    clients[1].node = "c02";
    for (auto& client : clients) {
      Break(client, 1, LastCall::kSent, 2, 1);
    }
    broken_.Observe(At(second), clients, {});
    EXPECT_THAT(Found(second), IsEmpty()) << second;
  }
}

TEST_F(ClientsOnEpoll, DoNotAccuseAServerThatOneOfThemHasLeft) {
  for (int second = 2; second <= 100; ++second) {
    std::vector clients = {Working(second), Working(second)};
    clients[1].node = "c02";
    Break(clients[0], 1, LastCall::kSent, 2, 1);
    clients[1].servers.erase(clients[1].servers.begin() + 1);
    broken_.Observe(At(second), clients, {});
    EXPECT_THAT(Found(second), IsEmpty()) << second;
  }
}

TEST_F(BrokenServersTest, ProgramsThatAllWaitSoDoNotHang) {
  std::vector<ServerCalls> servers;
  for (const auto* node : {"io01", "io02", "io03"}) {
    servers.push_back({.node = node, .role = "io", .open = minutes(5), .open_call = {}});
  }
  See(1, Working(1), servers);
  EXPECT_THAT(Found(1), IsEmpty());
}

TEST_F(BrokenServersTest, WhatHasCrashedDoesNotHang) {
  See(1, Working(1));
  for (int second = 2; second <= 60; ++second) {
    auto client = Working(second);
    Crash(client, 2, 2);
    client.open = seconds(second);
    See(second, client);
  }
  const auto found = Found(60);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].what, Breakage::kCrash);
}

TEST_F(BrokenServersTest, ClientsAreCounted) {
  for (int second = 1; second <= 5; ++second) {
    auto one = Working(second);
    auto other = Working(second);
    other.node = "c02";
    if (second > 1) {
      Crash(one, 2, 2);
      Crash(other, 2, 2);
    }
    const std::vector<ClientState> clients = {one, other};
    broken_.Observe(At(second), clients, {});
  }
  const auto found = Found(5);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].clients, 2U);
  EXPECT_EQ(found[0].client, "c01");
}

}  // namespace
}  // namespace limpet::broken_servers_test
