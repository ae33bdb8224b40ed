#include "exporter/common/web/session.h"

#include <thread>
#include <vector>

#include "tests/exporter/common/web/running_server.h"

namespace limpet::web::session_test {
namespace {

using limpet::testing::Client;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr auto kGet = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n";

class SessionTest : public limpet::testing::RunningServer {};

TEST_F(SessionTest, AnswersAGet) {
  Client client(Start());
  EXPECT_THAT(client.Get("/metrics?a=b"),
              AllOf(StartsWith("HTTP/1.1 200 OK\r\n"),
                    HasSubstr("\r\nContent-Type: text/plain; charset=utf-8\r\n"),
                    HasSubstr("\r\nContent-Length: 26\r\n"), HasSubstr(" GMT\r\n"),
                    EndsWith("\r\n\r\nGET [/metrics] [a=b] [] []")));
}

TEST_F(SessionTest, HandsOnThePathDecodedAndTheFieldsThatMatter) {
  Client client(Start());
  client.Send(
      "GET /a%20b%2F HTTP/1.1\r\nHost: x\r\naccept: text/plain\r\nACCEPT-encoding: gzip\r\n\r\n");
  EXPECT_THAT(client.Receive(), EndsWith("GET [/a b/] [] [text/plain] [gzip]"));
}

TEST_F(SessionTest, HeadHasTheHeadOfGetAndNoBody) {
  Client client(Start());
  client.Send("HEAD /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(client.Receive(true), AllOf(HasSubstr("200 OK"), HasSubstr("Content-Length: 24\r\n"),
                                          EndsWith("\r\n\r\n")));
  EXPECT_THAT(client.Get("/x"), StartsWith("HTTP/1.1 200"));
}

TEST_F(SessionTest, ServesManyRequestsOnOneConnection) {
  Client client(Start());
  for (int i = 0; i < 100; ++i) {
    ASSERT_THAT(client.Get("/" + std::to_string(i)),
                EndsWith("GET [/" + std::to_string(i) + "] [] [] []"));
  }
}

TEST_F(SessionTest, AnswersPipelinedRequestsInTheirOrder) {
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

TEST_F(SessionTest, ARequestMayComeByteByByte) {
  Client client(Start());
  for (const char c : std::string_view(kGet)) {
    client.Send(std::string_view(&c, 1));
  }
  EXPECT_THAT(client.Receive(), StartsWith("HTTP/1.1 200"));
}

TEST_F(SessionTest, ClosesWhenTheClientAsksForIt) {
  Start();
  EXPECT_THAT(Exchange("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
              AllOf(StartsWith("HTTP/1.1 200"), HasSubstr("\r\nConnection: close\r\n")));
}

TEST_F(SessionTest, SpeaksHttp10) {
  Start();
  EXPECT_THAT(Exchange("GET / HTTP/1.0\r\n\r\n"),
              AllOf(StartsWith("HTTP/1.0 200"), HasSubstr("\r\nConnection: close\r\n")));
  Client client(server_->Port());
  client.Send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_THAT(client.Receive(), HasSubstr("\r\nConnection: keep-alive\r\n"));
  EXPECT_THAT(client.Get("/"), StartsWith("HTTP/1.1 200"));
}

TEST_F(SessionTest, SendsABigBodyWhole) {
  Client client(Start());
  const auto response = client.Get("/big");
  EXPECT_THAT(response, StartsWith("HTTP/1.1 200"));
  EXPECT_TRUE(response.ends_with("\r\n\r\n" + *big_));
}

TEST_F(SessionTest, SendsAStreamPieceByPieceAndClosesAtItsEnd) {
  Start();
  const auto all = Exchange("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(all, AllOf(StartsWith("HTTP/1.1 200 OK\r\n"), HasSubstr("Connection: close\r\n"),
                         Not(HasSubstr("Content-Length")), HasSubstr("\r\n\r\n1\n2\n3\nxxx"),
                         EndsWith("xxx5\n")));
  EXPECT_EQ(streams_, 0);
}

TEST_F(SessionTest, AStreamEndsWithItsClient) {
  {
    Client client(Start());
    client.Send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
    while (streams_ == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  for (int i = 0; i < 5000 && streams_ > 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(streams_, 0);
}

TEST_F(SessionTest, AStreamThatIsNotReadIsClosed) {
  web::ServerOptions options;
  options.limits.response_timeout = std::chrono::milliseconds(500);
  Client client(Start(options));
  client.Send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
  while (streams_ == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  for (int i = 0; i < 10'000 && streams_ > 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(streams_, 0);
}

TEST_F(SessionTest, OtherMethodsAreNotAllowed) {
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

TEST_F(SessionTest, ASmallBodyOfAGetIsReadAndIgnored) {
  Client client(Start());
  client.Send("GET /one HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_THAT(client.Receive(), EndsWith("GET [/one] [] [] []"));
  client.Send(
      "GET /two HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
  EXPECT_THAT(client.Receive(), EndsWith("GET [/two] [] [] []"));
}

TEST_F(SessionTest, ABigBodyIsRefused) {
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

TEST_F(SessionTest, ABigHeaderIsRefused) {
  Start();
  EXPECT_THAT(Exchange("GET / HTTP/1.1\r\nHost: x\r\nA: " + std::string(17000, 'x') + "\r\n\r\n"),
              StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(Exchange("GET /" + std::string(17000, 'x') + " HTTP/1.1\r\nHost: x\r\n\r\n"),
              StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(Exchange(std::string(1U << 20U, 'A')), StartsWith("HTTP/1.1 4"));
}

TEST_F(SessionTest, RefusesWhatIsNotHttp) {
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

TEST_F(SessionTest, AnExceptionInTheHandlerIsA500AndTheNextRequestWorks) {
  Client client(Start());
  EXPECT_THAT(client.Get("/throws"), StartsWith("HTTP/1.1 500 "));
  EXPECT_THAT(client.Get("/"), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(Log(), HasSubstr("answering /throws: it does"));
}

TEST_F(SessionTest, ManyClientsShareTheBytesOfABody) {
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

TEST_F(SessionTest, ClosesARequestThatDoesNotEnd) {
  Start({.limits = {.request_timeout = std::chrono::milliseconds(50)}});
  EXPECT_THAT(Exchange(""), IsEmpty());
  EXPECT_THAT(Exchange("GET / HT"), IsEmpty());
  EXPECT_THAT(Exchange("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na"), IsEmpty());
}

TEST_F(SessionTest, ClosesALaterRequestThatDoesNotEnd) {
  Client client(Start({.limits = {.request_timeout = std::chrono::milliseconds(50)}}));
  client.Get("/");
  client.Send("GET / HT");
  EXPECT_THAT(client.ReceiveAll(), IsEmpty());
}

TEST_F(SessionTest, ClosesAConnectionThatIsIdleForLong) {
  Client client(Start({.limits = {.idle_timeout = std::chrono::milliseconds(50)}}));
  EXPECT_THAT(client.Get("/"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(client.ReceiveAll(), IsEmpty());
}

TEST_F(SessionTest, ClosesAClientThatDoesNotRead) {
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

TEST_F(SessionTest, AClientThatPipelinesAndDoesNotReadHoldsFewResponses) {
  big_ = std::make_shared<const std::string>(100'000, 'x');
  Client client(Start());
  std::string requests;
  for (int i = 0; i < 200; ++i) {
    requests += "GET /big HTTP/1.1\r\nHost: x\r\n\r\n";
  }
  client.Send(requests);
  // Until no buffer takes any more.
  int before = -1;
  while (requests_ != before) {
    before = requests_;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  // What the client's kernel holds, and little of ours: not the 4 MB a send buffer grows to.
  EXPECT_LT(requests_, 12);
}

TEST_F(SessionTest, AnHonestClientIsServedBeforeWhatOthersHavePipelined) {
  constexpr int kGreedy = 50;
  const auto port = Start();
  std::string requests = "GET /held HTTP/1.1\r\nHost: x\r\n\r\n";
  for (int i = 0; i < 100; ++i) {
    requests += "GET /pipelined HTTP/1.1\r\nHost: x\r\n\r\n";
  }
  std::vector<Client> greedy;
  const auto held = Hold();  // all of them, and the honest one, are there when it goes on
  for (int i = 0; i < kGreedy; ++i) {
    greedy.emplace_back(port);
    greedy.back().Send(requests);
  }
  Client honest(port);
  honest.Send("GET /honest HTTP/1.1\r\nHost: x\r\n\r\n");
  held->set_value();
  EXPECT_THAT(honest.Receive(), HasSubstr("/honest"));
  // Each of the others has had its first answer and about one more, not what fits into a turn.
  EXPECT_LT(requests_at_honest_, 4 * kGreedy);
}

// "scraper:" in front of a password, as basic authentication sends it.
constexpr std::string_view kGetAs = " HTTP/1.1\r\nHost: x\r\nAuthorization: Basic c2NyYXBlcjp";
constexpr std::string_view kSecret = "zZWNyZXQ=\r\n\r\n";
constexpr std::string_view kWrong = "3cm9uZw==\r\n\r\n";

std::string GetAs(const std::string& path, std::string_view password) {
  return "GET " + path + std::string(kGetAs) + std::string(password);
}

TEST_F(SessionTest, OnlyTheRightPasswordReachesTheHandler) {
  Client client(StartWithPassword());
  EXPECT_THAT(client.Get("/"),
              AllOf(StartsWith("HTTP/1.1 401 "),
                    HasSubstr("\r\nWWW-Authenticate: Basic realm=\"limpet\"\r\n")));
  client.Send(GetAs("/", kWrong));
  EXPECT_THAT(client.Receive(), StartsWith("HTTP/1.1 401 "));
  EXPECT_EQ(requests_, 0);
  client.Send(GetAs("/page", kSecret));
  EXPECT_THAT(client.Receive(), EndsWith("GET [/page] [] [] []"));
}

TEST_F(SessionTest, PipelinedRequestsWaitForTheirPasswords) {
  Client client(StartWithPassword());
  client.Send(GetAs("/1", kSecret) + GetAs("/2", kWrong) + GetAs("/3", kSecret));
  EXPECT_THAT(client.Receive(), EndsWith("GET [/1] [] [] []"));
  EXPECT_THAT(client.Receive(), StartsWith("HTTP/1.1 401"));
  EXPECT_THAT(client.Receive(), EndsWith("GET [/3] [] [] []"));
}

}  // namespace
}  // namespace limpet::web::session_test
