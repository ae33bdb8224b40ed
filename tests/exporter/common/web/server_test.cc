#include "exporter/common/web/server.h"

#include <sys/resource.h>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "tests/exporter/common/web/client.h"

namespace limpet::web {
namespace {

using limpet::testing::Client;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr auto kGet = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n";

// What the server logged.
class Log {
 public:
  LogSink Sink() {
    return [this](LogLevel, std::string_view text) {
      const std::lock_guard lock(mutex_);
      texts_.append(text).append("\n");
    };
  }
  std::string Texts() {
    const std::lock_guard lock(mutex_);
    return texts_;
  }

 private:
  std::mutex mutex_;
  std::string texts_;
};

class ServerTest : public ::testing::Test {
 protected:
  // Answers with the path, the query and the fields; "/big" is 4 MB.
  std::uint16_t Start(ServerOptions options = {}) {
    if (options.listen_addresses.empty()) {
      options.listen_addresses = {"127.0.0.1:0"};
    }
    auto server = Server::Start(
        std::move(options),
        [this](const Request& request) {
          ++requests_;
          if (request.path == "/throws") {
            throw std::runtime_error("it does");
          }
          if (request.path == "/big") {
            Response response;
            response.body = big_;
            return response;
          }
          return Text(200, request.method + " [" + request.path + "] [" + request.query + "] [" +
                               request.accept + "] [" + request.accept_encoding + "]");
        },
        log_.Sink());
    if (!server) {
      ADD_FAILURE() << server.error().Text();
      return 0;
    }
    server_ = *std::move(server);
    return server_->Port();
  }

  std::string Exchange(std::string_view bytes) {
    Client client(server_->Port());
    client.Send(bytes);
    return client.ReceiveAll();
  }

  Log log_;
  std::atomic<int> requests_ = 0;
  std::shared_ptr<const std::string> big_ = std::make_shared<const std::string>(4U << 20U, 'x');
  std::unique_ptr<Server> server_;
};

TEST_F(ServerTest, AnswersAGet) {
  Client client(Start());
  EXPECT_THAT(client.Get("/metrics?a=b"),
              AllOf(StartsWith("HTTP/1.1 200 OK\r\n"),
                    HasSubstr("\r\nContent-Type: text/plain; charset=utf-8\r\n"),
                    HasSubstr("\r\nContent-Length: 26\r\n"), HasSubstr(" GMT\r\n"),
                    EndsWith("\r\n\r\nGET [/metrics] [a=b] [] []")));
}

TEST_F(ServerTest, HandsOnThePathDecodedAndTheFieldsThatMatter) {
  Client client(Start());
  client.Send(
      "GET /a%20b%2F HTTP/1.1\r\nHost: x\r\naccept: text/plain\r\nACCEPT-encoding: gzip\r\n\r\n");
  EXPECT_THAT(client.Receive(), EndsWith("GET [/a b/] [] [text/plain] [gzip]"));
}

TEST_F(ServerTest, HeadHasTheHeadOfGetAndNoBody) {
  Client client(Start());
  client.Send("HEAD /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(client.Receive(true), AllOf(HasSubstr("200 OK"), HasSubstr("Content-Length: 24\r\n"),
                                          EndsWith("\r\n\r\n")));
  EXPECT_THAT(client.Get("/x"), StartsWith("HTTP/1.1 200"));
}

TEST_F(ServerTest, ServesManyRequestsOnOneConnection) {
  Client client(Start());
  for (int i = 0; i < 100; ++i) {
    ASSERT_THAT(client.Get("/" + std::to_string(i)),
                EndsWith("GET [/" + std::to_string(i) + "] [] [] []"));
  }
}

TEST_F(ServerTest, AnswersPipelinedRequestsInTheirOrder) {
  Client client(Start());
  std::string all;
  for (int i = 0; i < 500; ++i) {
    all += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: x\r\n\r\n";
  }
  client.Send(all);
  for (int i = 0; i < 500; ++i) {
    ASSERT_THAT(client.Receive(), EndsWith("GET [/" + std::to_string(i) + "] [] [] []"));
  }
}

TEST_F(ServerTest, ARequestMayComeByteByByte) {
  Client client(Start());
  for (const char c : std::string_view(kGet)) {
    client.Send(std::string_view(&c, 1));
  }
  EXPECT_THAT(client.Receive(), StartsWith("HTTP/1.1 200"));
}

TEST_F(ServerTest, ClosesWhenTheClientAsksForIt) {
  Start();
  EXPECT_THAT(Exchange("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
              AllOf(StartsWith("HTTP/1.1 200"), HasSubstr("\r\nConnection: close\r\n")));
}

TEST_F(ServerTest, SpeaksHttp10) {
  Start();
  EXPECT_THAT(Exchange("GET / HTTP/1.0\r\n\r\n"),
              AllOf(StartsWith("HTTP/1.0 200"), HasSubstr("\r\nConnection: close\r\n")));
  Client client(server_->Port());
  client.Send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_THAT(client.Receive(), HasSubstr("\r\nConnection: keep-alive\r\n"));
  EXPECT_THAT(client.Get("/"), StartsWith("HTTP/1.1 200"));
}

TEST_F(ServerTest, SendsABigBodyWhole) {
  Client client(Start());
  const auto response = client.Get("/big");
  EXPECT_THAT(response, StartsWith("HTTP/1.1 200"));
  EXPECT_TRUE(response.ends_with("\r\n\r\n" + *big_));
}

TEST_F(ServerTest, OtherMethodsAreNotAllowed) {
  Start();
  for (const std::string method : {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"}) {
    EXPECT_THAT(Exchange(method + " / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"),
                AllOf(StartsWith("HTTP/1.1 405 Method Not Allowed\r\n"),
                      HasSubstr("\r\nAllow: GET, HEAD\r\n"), HasSubstr("Connection: close")))
        << method;
  }
  EXPECT_THAT(Exchange("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n"),
              StartsWith("HTTP/1.1 405"));
  EXPECT_EQ(requests_, 0);
}

TEST_F(ServerTest, ASmallBodyOfAGetIsReadAndIgnored) {
  Client client(Start());
  client.Send("GET /one HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_THAT(client.Receive(), EndsWith("GET [/one] [] [] []"));
  client.Send(
      "GET /two HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
  EXPECT_THAT(client.Receive(), EndsWith("GET [/two] [] [] []"));
}

TEST_F(ServerTest, ABigBodyIsRefused) {
  Start();
  EXPECT_THAT(Exchange("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 65537\r\n\r\n" +
                       std::string(65537, 'x')),
              StartsWith("HTTP/1.1 413 "));
  std::string chunked = "GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 20; ++i) {
    chunked += "1000\r\n" + std::string(4096, 'x') + "\r\n";
  }
  EXPECT_THAT(Exchange(chunked + "0\r\n\r\n"), StartsWith("HTTP/1.1 413 "));
  EXPECT_EQ(requests_, 0);
}

TEST_F(ServerTest, ABigHeaderIsRefused) {
  Start();
  EXPECT_THAT(Exchange("GET / HTTP/1.1\r\nHost: x\r\nA: " + std::string(17000, 'x') + "\r\n\r\n"),
              StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(Exchange("GET /" + std::string(17000, 'x') + " HTTP/1.1\r\nHost: x\r\n\r\n"),
              StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(Exchange(std::string(1U << 20U, 'A')), StartsWith("HTTP/1.1 4"));
}

TEST_F(ServerTest, RefusesWhatIsNotHttp) {
  Start();
  for (const std::string& garbage :
       {std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11), std::string("\0\0\0\0", 4),
        std::string("GET\r\n\r\n"), std::string("GET / HTTP/3.7\r\n\r\n"),
        std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), std::string("GET / HTTP/1.1\r\n\r\n"),
        std::string("GET metrics HTTP/1.1\r\nHost: x\r\n\r\n"),
        std::string("GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nbad name: x\r\n\r\n")}) {
    Client client(server_->Port());
    client.Send(garbage);
    EXPECT_THAT(client.Receive(), ::testing::MatchesRegex("HTTP/1\\.[01] [45].*")) << garbage;
  }
  EXPECT_EQ(requests_, 0);
}

TEST_F(ServerTest, AnExceptionInTheHandlerIsA500AndTheNextRequestWorks) {
  Client client(Start());
  EXPECT_THAT(client.Get("/throws"), StartsWith("HTTP/1.1 500 "));
  EXPECT_THAT(client.Get("/"), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(log_.Texts(), HasSubstr("answering /throws: it does"));
}

TEST_F(ServerTest, ManyClientsShareTheBytesOfABody) {
  Start();
  {
    std::vector<Client> clients;
    for (int i = 0; i < 20; ++i) {
      clients.emplace_back(server_->Port());
      clients.back().Send("GET /big HTTP/1.1\r\nHost: x\r\n\r\n");
    }
    for (auto& client : clients) {
      ASSERT_EQ(client.Receive().size() - big_->size() < 1000, true);
    }
  }
  server_->Stop();
  EXPECT_EQ(big_.use_count(), 1);
}

TEST_F(ServerTest, ListensOnSeveralAddresses) {
  Start({.listen_addresses = {"127.0.0.1:0", "127.0.0.1:0"}});
  const auto addresses = server_->Addresses();
  ASSERT_EQ(addresses.size(), 2U);
  EXPECT_EQ(addresses[0], "127.0.0.1:" + std::to_string(server_->Port()));
  EXPECT_NE(addresses[0], addresses[1]);
  Client second(static_cast<std::uint16_t>(std::stoi(addresses[1].substr(10))));
  EXPECT_THAT(second.Get("/"), StartsWith("HTTP/1.1 200"));
}

TEST_F(ServerTest, AnAddressWithoutHostServesIpv4AndIpv6) {
  const auto port = Start({.listen_addresses = {":0"}});
  EXPECT_THAT(Client(port).Get("/"), StartsWith("HTTP/1.1 200"));
  if (server_->Addresses().front().starts_with("[::]")) {
    EXPECT_THAT(Client(port, true).Get("/"), StartsWith("HTTP/1.1 200"));
  }
}

TEST_F(ServerTest, ServesIpv6Alone) {
  auto server = Server::Start(
      {.listen_addresses = {"[::1]:0"}}, [](const Request&) { return Text(200, ""); }, log_.Sink());
  if (!server) {
    GTEST_SKIP() << "no IPv6 here: " << server.error().Text();
  }
  EXPECT_THAT(Client((*server)->Port(), true).Get("/"), StartsWith("HTTP/1.1 200"));
  EXPECT_FALSE(Client((*server)->Port()).IsConnected());
}

TEST_F(ServerTest, APortInUseIsAnErrorThatSaysWhatToDo) {
  const auto address = "127.0.0.1:" + std::to_string(Start());
  const auto second = Server::Start(
      {.listen_addresses = {address}}, [](const Request&) { return Text(200, ""); }, log_.Sink());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(second.error().Text(),
              AllOf(HasSubstr(address), HasSubstr("in use"), HasSubstr("ss -ltnp"),
                    HasSubstr("--web.listen-address")));
}

TEST_F(ServerTest, NoAddressAtAllIsAnError) {
  const auto server = Server::Start(
      {}, [](const Request&) { return Text(200, ""); }, log_.Sink());
  ASSERT_FALSE(server);
  EXPECT_THAT(server.error().Text(), HasSubstr("--web.listen-address"));
}

TEST_F(ServerTest, ClosesARequestThatDoesNotEnd) {
  Start({.limits = {.request_timeout = std::chrono::milliseconds(50)}});
  EXPECT_THAT(Exchange(""), IsEmpty());
  EXPECT_THAT(Exchange("GET / HT"), IsEmpty());
  EXPECT_THAT(Exchange("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na"), IsEmpty());
}

TEST_F(ServerTest, ClosesALaterRequestThatDoesNotEnd) {
  Client client(Start({.limits = {.request_timeout = std::chrono::milliseconds(50)}}));
  client.Get("/");
  client.Send("GET / HT");
  EXPECT_THAT(client.ReceiveAll(), IsEmpty());
}

TEST_F(ServerTest, ClosesAConnectionThatIsIdleForLong) {
  Client client(Start({.limits = {.idle_timeout = std::chrono::milliseconds(50)}}));
  EXPECT_THAT(client.Get("/"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(client.ReceiveAll(), IsEmpty());
}

TEST_F(ServerTest, ClosesAClientThatDoesNotRead) {
  // More than all buffers on the way hold.
  big_ = std::make_shared<const std::string>(64U << 20U, 'x');
  Client client(Start({.limits = {.response_timeout = std::chrono::milliseconds(100)}}));
  client.Send("GET /big HTTP/1.1\r\nHost: x\r\n\r\n");
  while (big_.use_count() == 1) {
    std::this_thread::yield();  // the test's time limit bounds both loops
  }
  while (big_.use_count() > 1) {
    std::this_thread::yield();
  }
  EXPECT_LT(client.ReceiveAll().size(), big_->size());
}

TEST_F(ServerTest, OverTheBoundANewConnectionTakesThePlaceOfAnOldOne) {
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

TEST_F(ServerTest, WithoutAFreeDescriptorANewConnectionTakesThePlaceOfAnOldOne) {
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
  EXPECT_THAT(log_.Texts(), HasSubstr("Too many open files"));
}

TEST_F(ServerTest, StopClosesEverythingAndMayBeCalledAgain) {
  const auto port = Start();
  Client client(port);
  client.Get("/");
  server_->Stop();
  server_->Stop();
  EXPECT_THAT(client.ReceiveAll(), IsEmpty());
  EXPECT_FALSE(Client(port).IsConnected());
}

TEST_F(ServerTest, AddsTheConfiguredHeaders) {
  WebConfig config;
  config.headers = {{"X-Frame-Options", "deny"}};
  Client client(Start({.config = config}));
  EXPECT_THAT(client.Get("/"), HasSubstr("\r\nX-Frame-Options: deny\r\n"));
}

TEST_F(ServerTest, ReloadChangesWhatNewRequestsMeet) {
  Client client(Start());
  EXPECT_THAT(client.Get("/"), Not(HasSubstr("X-Frame-Options")));
  WebConfig config;
  config.headers = {{"X-Frame-Options", "deny"}};
  ASSERT_TRUE(server_->Reload(config));
  EXPECT_THAT(client.Get("/"), HasSubstr("\r\nX-Frame-Options: deny\r\n"));
}

}  // namespace
}  // namespace limpet::web
