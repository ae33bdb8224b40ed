// One session on one thread: every Get is run to its end before the next line of a test.
#include "diagnoser/sources/http_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "tests/support/manual_clock.h"
#include "tests/support/raw_server.h"

namespace limpet::http_session_test {
namespace {

using limpet::testing::Page;
using limpet::testing::RawPeer;
using limpet::testing::RawServer;
using ::testing::StartsWith;
using namespace std::chrono_literals;

// Answers every request with its first line.
void Echo(RawPeer& peer) {
  for (auto request = peer.ReadRequest(); !request.empty(); request = peer.ReadRequest()) {
    peer.Send(Page(request.substr(0, request.find('\r'))));
  }
}
void SayNothing(RawPeer& peer) { peer.WaitForClose(); }

struct HttpSession : ::testing::Test {
  std::unique_ptr<Connection> Open(Endpoint endpoint) {
    return OpenSession(io, clock, std::move(endpoint));
  }
  std::unique_ptr<Connection> Open(const RawServer& server, bool https = false) {
    return Open({.host = "127.0.0.1", .port = server.Port(), .https = https, .max_body = 100'000});
  }
  // Until the session has nothing under way any more.
  void Run() {
    io.restart();
    io.run_for(30s);
    EXPECT_TRUE(io.stopped());
  }
  FetchResult Get(Connection& connection, Duration timeout = 5s) {
    std::optional<FetchResult> result;
    connection.Get(timeout, [&](FetchResult got) { result = std::move(got); });
    EXPECT_FALSE(result) << "called before Get has returned";
    Run();
    return result.value_or(FetchResult{.body = "no result"});
  }
  // "reason: text", or the body.
  std::string Outcome(Connection& connection, Duration timeout = 5s) {
    const auto result = Get(connection, timeout);
    return result.failure ? std::string(Name(*result.failure)) + ": " + result.error : result.body;
  }
  // Of a server that answers the first request with these bytes and closes.
  std::string OutcomeOf(const std::string& bytes) {
    const RawServer server([&](RawPeer& peer) {
      if (!peer.ReadRequest().empty()) {
        peer.Send(bytes);
      }
    });
    return Outcome(*Open(server));
  }

  boost::asio::io_context io{1};
  testing::ManualClock clock;
};

TEST_F(HttpSession, KeepsItsConnection) {
  const RawServer server(Echo);
  const auto connection = Open(server);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Outcome(*connection), "GET /metrics HTTP/1.1");
  }
  EXPECT_EQ(server.Connections(), 1);
}

TEST_F(HttpSession, AsksForAnotherPathOverTheSameConnection) {
  const RawServer server(Echo);
  const auto connection = Open(server);
  EXPECT_EQ(Outcome(*connection), "GET /metrics HTTP/1.1");
  connection->SetPath("/api/v1/query_range?query=a%7B%7D");
  EXPECT_EQ(Outcome(*connection), "GET /api/v1/query_range?query=a%7B%7D HTTP/1.1");
  EXPECT_EQ(server.Connections(), 1);
}

TEST_F(HttpSession, TheNextGetMayComeFromTheCallbackOfTheOneBefore) {
  const RawServer server(Echo);
  const auto connection = Open(server);
  std::string second;
  connection->Get(5s, [&](const FetchResult&) {
    connection->Get(5s, [&](FetchResult got) { second = std::move(got.body); });
  });
  Run();
  EXPECT_EQ(second, "GET /metrics HTTP/1.1");
}

TEST_F(HttpSession, ReadingsAreDatedByTheRequestAndNotByTheConnecting) {
  const RawServer server(Echo);
  const auto connection = Open(server);
  const auto start = clock.Now();
  std::optional<FetchResult> result;
  const auto done = [&](FetchResult got) { result = std::move(got); };
  connection->Get(5s, done);
  clock.Advance(300ms);  // while it connects
  Run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->asked_at, start + 300ms);
  EXPECT_EQ(result->took, 300ms);
  result.reset();
  connection->Get(5s, done);  // nothing to connect: the request is on its way
  clock.Advance(200ms);
  Run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->asked_at, start + 300ms);
  EXPECT_EQ(result->took, 200ms);
}

TEST_F(HttpSession, AServerThatClosedMeanwhileIsAskedOnANewConnection) {
  const RawServer server([](RawPeer& peer) {
    if (!peer.ReadRequest().empty()) {
      peer.Send(Page("a 1\n"));  // says keep-alive, yet closes
    }
  });
  const auto connection = Open(server);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(Outcome(*connection), "a 1\n");
  }
  EXPECT_EQ(server.Connections(), 5);
}

TEST_F(HttpSession, OnlyAKeptConnectionIsTriedAgainAndOnlyOnce) {
  std::atomic<int> answers{1};
  const RawServer server([&](RawPeer& peer) {
    while (!peer.ReadRequest().empty() && answers-- > 0) {
      peer.Send(Page("a 1\n"));
    }
  });
  const auto connection = Open(server);
  EXPECT_EQ(Outcome(*connection), "a 1\n");
  EXPECT_EQ(Outcome(*connection), "connect: closed the connection without an answer");
  EXPECT_EQ(server.Connections(), 2);
  EXPECT_EQ(Outcome(*connection), "connect: closed the connection without an answer");
  EXPECT_EQ(server.Connections(), 3);
}

TEST_F(HttpSession, ConnectionCloseIsObeyed) {
  const RawServer server([](RawPeer& peer) {
    peer.ReadRequest();
    peer.Send(Page("a 1\n", "Connection: close\r\n"));
    peer.WaitForClose();
  });
  const auto connection = Open(server);
  EXPECT_EQ(Outcome(*connection), "a 1\n");
  EXPECT_EQ(Outcome(*connection), "a 1\n");
  EXPECT_EQ(server.Connections(), 2);
}

TEST_F(HttpSession, BytesBehindAnAnswerSpoilTheConnectionNotTheNextAnswer) {
  const RawServer server([](RawPeer& peer) {
    if (!peer.ReadRequest().empty()) {
      peer.Send(Page("a 1\n") + "b 2\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nc 3\n");
      peer.WaitForClose();
    }
  });
  const auto connection = Open(server);
  EXPECT_EQ(Outcome(*connection), "a 1\n");
  EXPECT_EQ(Outcome(*connection), "a 1\n");
  EXPECT_EQ(server.Connections(), 2);
}

TEST_F(HttpSession, SpeaksIpv6) {
  const RawServer server(Echo, AF_INET6);
  EXPECT_EQ(Outcome(*Open({.host = "::1", .port = server.Port()})), "GET /metrics HTTP/1.1");
}

TEST_F(HttpSession, NamesAreLookedUp) {
  const RawServer server(Echo);
  EXPECT_EQ(Outcome(*Open({.host = "localhost", .port = server.Port()})), "GET /metrics HTTP/1.1");
  EXPECT_THAT(Outcome(*Open({.host = "no-such-host.invalid", .port = 1})),
              StartsWith("resolve: no address for no-such-host.invalid: "));
}

TEST_F(HttpSession, ATargetThatIsDownIsAConnectFailure) {
  std::optional<RawServer> server(std::in_place, Echo);
  const auto connection = Open(*server);
  server.reset();
  EXPECT_EQ(Outcome(*connection), "connect: cannot connect: Connection refused");
}

TEST_F(HttpSession, AnAnswerThatEndsTooSoonIsAProtocolFailure) {
  EXPECT_EQ(OutcomeOf("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\na 1\n"),
            "protocol: closed the connection in the middle of its answer");
  const RawServer server([](RawPeer& peer) {
    peer.ReadRequest();
    peer.Send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\na 1\n");
    peer.Reset();
  });
  EXPECT_THAT(Outcome(*Open(server)), StartsWith("protocol: "));
}

TEST_F(HttpSession, AHeaderIsAtMost32Kibibytes) {
  EXPECT_EQ(OutcomeOf(Page("a 1\n", "X: " + std::string(30'000, 'x') + "\r\n")), "a 1\n");
  EXPECT_THAT(OutcomeOf(Page("a 1\n", "X: " + std::string(40'000, 'x') + "\r\n")),
              StartsWith("protocol: "));
}

TEST_F(HttpSession, AHugePageIsRefusedByItsLength) {
  EXPECT_EQ(OutcomeOf(Page(std::string(100'000, 'x'))), std::string(100'000, 'x'));
  EXPECT_EQ(OutcomeOf("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\na 1\n"),
            "too_large: the page is over 100000 bytes (body_size_limit)");
}

TEST_F(HttpSession, APageWithoutALengthIsRefusedWhenItGoesOver) {
  std::atomic<std::uint64_t> sent{0};
  const RawServer server([&](RawPeer& peer) {
    peer.ReadRequest();
    peer.Send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    const std::string chunk = "10000\r\n" + std::string(65536, 'x') + "\r\n";
    while (sent < (1U << 30U) && peer.Send(chunk)) {
      sent += chunk.size();
    }
  });
  EXPECT_THAT(Outcome(*Open(server)), StartsWith("too_large: "));
  EXPECT_LT(sent, 64U << 20U);  // what fits into the sockets' buffers, not the gigabyte
}

TEST_F(HttpSession, ATargetThatSaysNothingIsCutAtTheDeadline) {
  const RawServer server(SayNothing);
  EXPECT_EQ(Outcome(*Open(server), 100ms), "timeout: not done within 0.1 s, waiting for an answer");
  EXPECT_EQ(Outcome(*Open(server, true), 100ms),
            "timeout: not done within 0.1 s, in the TLS handshake");
}

TEST_F(HttpSession, ATargetThatStopsInTheMiddleIsCutAtTheDeadline) {
  const RawServer server([](RawPeer& peer) {
    peer.ReadRequest();
    peer.Send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc");
    peer.WaitForClose();
  });
  EXPECT_EQ(Outcome(*Open(server), 300ms),
            "timeout: not done within 0.3 s, reading the page (3 bytes so far)");
}

TEST_F(HttpSession, DrippingBytesDoNotMoveTheDeadline) {
  const RawServer server([](RawPeer& peer) {
    peer.ReadRequest();
    peer.Send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
    while (peer.Send("x")) {
      std::this_thread::sleep_for(10ms);
    }
  });
  EXPECT_THAT(Outcome(*Open(server), 300ms),
              StartsWith("timeout: not done within 0.3 s, reading the page ("));
}

TEST_F(HttpSession, AfterATimeoutTheNextRequestHasAConnectionOfItsOwn) {
  std::atomic<int> connections{0};
  const RawServer server(
      [&](RawPeer& peer) { connections++ == 0 ? SayNothing(peer) : Echo(peer); });
  const auto connection = Open(server);
  EXPECT_THAT(Outcome(*connection, 100ms), StartsWith("timeout: "));
  EXPECT_EQ(Outcome(*connection), "GET /metrics HTTP/1.1");
}

TEST_F(HttpSession, ADestroyedConnectionCallsNobody) {
  const RawServer server(SayNothing);
  auto connection = Open(server);
  connection->Get(50ms, [](const FetchResult&) { FAIL() << "called after its end"; });
  io.run_for(20ms);
  connection.reset();
  Run();  // what was under way ends at once and is not heard of
}

TEST_F(HttpSession, AConnectionMayBeDestroyedByItsOwnCallback) {
  const RawServer server(Echo);
  auto connection = Open(server);
  connection->Get(5s, [&](const FetchResult&) { connection.reset(); });
  Run();
  EXPECT_EQ(connection, nullptr);
}

TEST_F(HttpSession, PlainHttpBehindHttpsIsATlsFailure) {
  const RawServer server([](RawPeer& peer) { peer.Send("HTTP/1.1 400 Bad Request\r\n\r\n"); });
  EXPECT_THAT(Outcome(*Open(server, true)), StartsWith("tls: TLS handshake failed: "));
}

TEST_F(HttpSession, AFileOfAuthoritiesThatIsNotThereIsATlsFailure) {
  const RawServer server(SayNothing);
  EXPECT_THAT(Outcome(*Open({.host = "127.0.0.1",
                             .port = server.Port(),
                             .https = true,
                             .tls = {.ca_file = "/nonexistent/ca.pem"}})),
              StartsWith("tls: cannot use ca_file, cert_file or key_file: "));
}

}  // namespace
}  // namespace limpet::http_session_test
