// What beast_server.cc does behind server.h: addresses, bounds, reloads and the end.
#include <sys/resource.h>

#include <chrono>
#include <future>
#include <thread>
#include <vector>

#include "exporter/common/web/server.h"
#include "tests/exporter/common/web/running_server.h"

namespace limpet::web::beast_server_test {
namespace {

using limpet::testing::Client;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class BeastServerTest : public limpet::testing::RunningServer {};

TEST_F(BeastServerTest, ListensOnSeveralAddresses) {
  Start({.listen_addresses = {"127.0.0.1:0", "127.0.0.1:0"}});
  const auto addresses = server_->Addresses();
  ASSERT_EQ(addresses.size(), 2U);
  EXPECT_EQ(addresses[0], "127.0.0.1:" + std::to_string(server_->Port()));
  EXPECT_NE(addresses[0], addresses[1]);
  Client second(static_cast<std::uint16_t>(std::stoi(addresses[1].substr(10))));
  EXPECT_THAT(second.Get("/"), StartsWith("HTTP/1.1 200"));
}

TEST_F(BeastServerTest, AnAddressWithoutHostServesIpv4AndIpv6) {
  const auto port = Start({.listen_addresses = {":0"}});
  EXPECT_THAT(Client(port).Get("/"), StartsWith("HTTP/1.1 200"));
  if (server_->Addresses().front().starts_with("[::]")) {
    EXPECT_THAT(Client(port, true).Get("/"), StartsWith("HTTP/1.1 200"));
  }
}

TEST_F(BeastServerTest, ServesIpv6Alone) {
  auto server = Server::Start(
      {.listen_addresses = {"[::1]:0"}}, [](const Request&) { return Text(200, ""); }, Sink());
  if (!server) {
    GTEST_SKIP() << "no IPv6 here: " << server.error().Text();
  }
  EXPECT_THAT(Client((*server)->Port(), true).Get("/"), StartsWith("HTTP/1.1 200"));
  EXPECT_FALSE(Client((*server)->Port()).IsConnected());
}

TEST_F(BeastServerTest, APortInUseIsAnErrorThatSaysWhatToDo) {
  const auto address = "127.0.0.1:" + std::to_string(Start());
  const auto second = Server::Start(
      {.listen_addresses = {address}}, [](const Request&) { return Text(200, ""); }, Sink());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(second.error().Text(),
              AllOf(HasSubstr(address), HasSubstr("in use"), HasSubstr("ss -ltnp"),
                    HasSubstr("--web.listen-address")));
}

TEST_F(BeastServerTest, OneAddressThatCannotBeHadRefusesThemAll) {
  const auto taken = "127.0.0.1:" + std::to_string(Start());
  const auto second = Server::Start(
      {.listen_addresses = {"127.0.0.1:0", taken}}, [](const Request&) { return Text(200, ""); },
      Sink());
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().Text(), HasSubstr(taken));
}

TEST_F(BeastServerTest, NoAddressAtAllIsAnError) {
  const auto server = Server::Start(
      {}, [](const Request&) { return Text(200, ""); }, Sink());
  ASSERT_FALSE(server);
  EXPECT_THAT(server.error().Text(), HasSubstr("--web.listen-address"));
}

TEST_F(BeastServerTest, OverTheBoundANewConnectionTakesThePlaceOfAnOldOne) {
  const auto port = Start({.limits = {.max_connections = 4}});
  std::vector<Client> idle;
  for (int i = 0; i < 4; ++i) {
    idle.emplace_back(port);
    ASSERT_THAT(idle.back().Get("/"), StartsWith("HTTP/1.1 200"));
  }
  EXPECT_THAT(Client(port).Get("/"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(idle.front().ReceiveAll(), IsEmpty());  // closed: it was idle for longest
  EXPECT_THAT(idle.back().Get("/"), StartsWith("HTTP/1.1 200"));
}

TEST_F(BeastServerTest, WithoutAFreeDescriptorANewConnectionTakesThePlaceOfAnOldOne) {
  const auto port = Start();
  std::vector<Client> idle;
  for (int i = 0; i < 10; ++i) {
    idle.emplace_back(port);
    ASSERT_THAT(idle.back().Get("/"), StartsWith("HTTP/1.1 200"));
  }
  Client late(port, limpet::testing::Later());
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  // The descriptor was the lowest that was free, so from here on there is none.
  const rlimit none{.rlim_cur = static_cast<rlim_t>(late.Descriptor()) + 1,
                    .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  late.Connect();
  EXPECT_THAT(late.Get("/"), StartsWith("HTTP/1.1 200"));
  ::setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_THAT(idle.front().ReceiveAll(), IsEmpty());
  EXPECT_THAT(Log(), HasSubstr("Too many open files"));
}

TEST_F(BeastServerTest, StopClosesEverythingAndMayBeCalledAgain) {
  const auto port = Start();
  Client client(port);
  client.Get("/");
  server_->Stop();
  server_->Stop();
  EXPECT_THAT(client.ReceiveAll(), IsEmpty());
  EXPECT_FALSE(Client(port).IsConnected());
}

// More wait than are accepted in a turn, so that the next is accepted at once and told later: in
// some of the rounds Stop comes in between.
TEST_F(BeastServerTest, StopsWhileManyConnect) {
  for (int round = 0; round < 60; ++round) {
    std::promise<void> entered;
    std::promise<void> leave;
    auto server = Server::Start(
        {.listen_addresses = {"127.0.0.1:0"}},
        [&](const Request&) {
          entered.set_value();
          leave.get_future().wait();
          return Text(200, "");
        },
        Sink());
    ASSERT_TRUE(server);
    Client busy((*server)->Port());
    busy.Send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    entered.get_future().wait();
    std::vector<Client> waiting;
    for (int i = 0; i < 64; ++i) {
      waiting.emplace_back((*server)->Port());
    }
    leave.set_value();
    std::this_thread::sleep_for(round % 30 * std::chrono::microseconds(10));
    auto stopped = std::async(std::launch::async, [&] { (*server)->Stop(); });
    ASSERT_EQ(stopped.wait_for(std::chrono::seconds(20)), std::future_status::ready) << round;
  }
}

TEST_F(BeastServerTest, StopsWhilePasswordsAreBeingChecked) {
  StartWithPassword();
  std::vector<Client> clients;
  for (int i = 0; i < 30; ++i) {
    clients.emplace_back(server_->Port());
    const std::string digit(1, static_cast<char>('A' + i % 26));
    clients.back().Send("GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Basic c2NyYXBlcjpz" + digit +
                        "Wxy\r\n\r\n");
  }
  server_->Stop();
}

TEST_F(BeastServerTest, AddsTheConfiguredHeaders) {
  WebConfig config;
  config.headers = {{"X-Frame-Options", "deny"}};
  Client client(Start({.config = config}));
  EXPECT_THAT(client.Get("/"), HasSubstr("\r\nX-Frame-Options: deny\r\n"));
}

TEST_F(BeastServerTest, ReloadChangesWhatNewRequestsMeet) {
  Client client(Start());
  EXPECT_THAT(client.Get("/"), Not(HasSubstr("X-Frame-Options")));
  WebConfig config;
  config.headers = {{"X-Frame-Options", "deny"}};
  ASSERT_TRUE(server_->Reload(config));
  EXPECT_THAT(client.Get("/"), HasSubstr("\r\nX-Frame-Options: deny\r\n"));
}

TEST_F(BeastServerTest, AReloadThatCannotWorkChangesNothing) {
  WebConfig config;
  config.headers = {{"X-Frame-Options", "deny"}};
  Client client(Start({.config = config}));
  config.headers.clear();
  config.tls = TlsConfig{.cert_file = "/no/such.crt", .key_file = "/no/such.key"};
  const auto reloaded = server_->Reload(config);
  ASSERT_FALSE(reloaded);
  EXPECT_THAT(reloaded.error().Text(), HasSubstr("cert_file /no/such.crt"));
  EXPECT_THAT(client.Get("/"), HasSubstr("\r\nX-Frame-Options: deny\r\n"));
}

}  // namespace
}  // namespace limpet::web::beast_server_test
