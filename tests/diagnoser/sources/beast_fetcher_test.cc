// The real fetcher, on its thread and against real sockets: what is asked and what is made of the
// answers. How one connection behaves is tested in http_session_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <prometheus/counter.h>
#include <prometheus/exposer.h>
#include <prometheus/registry.h>
#include <zlib.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>

#include "diagnoser/sources/fetcher.h"
#include "exporter/common/exposition/parser.h"
#include "tests/support/raw_server.h"

namespace limpet::beast_fetcher_test {
namespace {

using limpet::testing::Page;
using limpet::testing::RawPeer;
using limpet::testing::RawServer;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using namespace std::chrono_literals;

std::string Gzip(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

class BeastFetcher : public ::testing::Test {
 protected:
  ~BeastFetcher() override {
    fetcher_->Stop();
    connections_.clear();
  }

  Connection* Open(Endpoint endpoint) {
    std::promise<Connection*> opened;
    fetcher_->Post([&] {
      connections_.push_back(fetcher_->Open(endpoint));
      opened.set_value(connections_.back().get());
    });
    return opened.get_future().get();
  }
  FetchResult Get(Connection* connection, Duration timeout = 5s) {
    std::promise<FetchResult> result;
    fetcher_->Post([&] {
      connection->Get(timeout, [&](FetchResult got) { result.set_value(std::move(got)); });
    });
    return result.get_future().get();
  }
  FetchResult Get(std::uint16_t port, Duration timeout = 5s) {
    return Get(Open({.host = "127.0.0.1", .port = port, .max_body = 100'000}), timeout);
  }
  // What one answer, sent to every request of a connection, leads to: "reason: text" or the body.
  std::string Outcome(const std::string& answer, Duration timeout = 5s) {
    RawServer server([&](RawPeer& peer) {
      if (!peer.ReadRequest().empty()) {
        peer.Send(answer);
      }
    });
    return Text(Get(server.Port(), timeout));
  }
  static std::string Text(const FetchResult& result) {
    return result.failure ? std::string(Name(*result.failure)) + ": " + result.error : result.body;
  }

  RealClock clock_;
  std::unique_ptr<Fetcher> fetcher_ = StartFetcher(clock_);
  std::vector<std::unique_ptr<Connection>> connections_;
};

TEST_F(BeastFetcher, AsksAsPrometheusDoes) {
  std::string request;
  RawServer server([&](RawPeer& peer) {
    request = peer.ReadRequest();
    peer.Send(Page("a 1\n"));
  });
  auto* connection = Open({.host = "127.0.0.1",
                           .port = server.Port(),
                           .path = "/metrics?x=1",
                           .basic_auth = {.username = "user", .password = "pass word"}});
  EXPECT_EQ(Text(Get(connection, 1500ms)), "a 1\n");
  EXPECT_THAT(request, StartsWith("GET /metrics?x=1 HTTP/1.1\r\n"));
  EXPECT_THAT(request, HasSubstr("Host: 127.0.0.1:" + std::to_string(server.Port()) + "\r\n"));
  EXPECT_THAT(request, HasSubstr("Accept: application/openmetrics-text;version=1.0.0,"));
  EXPECT_THAT(request, HasSubstr("Accept-Encoding: identity\r\n"));
  EXPECT_THAT(request, HasSubstr("X-Prometheus-Scrape-Timeout-Seconds: 1.5\r\n"));
  EXPECT_THAT(request, HasSubstr("Authorization: Basic dXNlcjpwYXNzIHdvcmQ=\r\n"));
}

TEST_F(BeastFetcher, SendsATokenAndFurtherHeaders) {
  std::string request;
  RawServer server([&](RawPeer& peer) {
    request = peer.ReadRequest();
    peer.Send(Page("a 1\n"));
  });
  auto* connection = Open({.host = "127.0.0.1",
                           .port = server.Port(),
                           .authorization = "Bearer t0ken",
                           .headers = {{"X-Scope-OrgID", "storage"}}});
  EXPECT_EQ(Text(Get(connection)), "a 1\n");
  EXPECT_THAT(request, HasSubstr("Authorization: Bearer t0ken\r\n"));
  EXPECT_THAT(request, HasSubstr("X-Scope-OrgID: storage\r\n"));
}

TEST_F(BeastFetcher, WhoAsksForJsonHearsWhyItIsRefusedAndWhenToComeAgain) {
  const std::string reason = R"({"status":"error","error":"too many requests"})";
  RawServer server([&](RawPeer& peer) {
    while (!peer.ReadRequest().empty()) {
      peer.Send(
          "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Type: application/json\r\n"
          "Content-Length: " +
          std::to_string(reason.size()) + "\r\n\r\n" + reason);
    }
  });
  const auto refused =
      Get(Open({.host = "127.0.0.1", .port = server.Port(), .accept = "application/json"}));
  EXPECT_EQ(refused.failure, FetchFailure::kStatus);
  EXPECT_EQ(refused.status, 429U);
  EXPECT_EQ(refused.body, reason);
  EXPECT_EQ(refused.retry_after, 7s);
  EXPECT_EQ(Get(Open({.host = "127.0.0.1", .port = server.Port()})).body, "");
}

TEST_F(BeastFetcher, ReadsChunksGzipAndBodiesUntilTheEnd) {
  EXPECT_EQ(Outcome("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                    "2\r\na \r\n2\r\n1\n\r\n0\r\n\r\n"),
            "a 1\n");
  EXPECT_EQ(Outcome(Page(Gzip("a 1\n"), "Content-Encoding: gzip\r\n")), "a 1\n");
  EXPECT_EQ(Outcome("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\na 1\n"), "a 1\n");
}

TEST_F(BeastFetcher, AnswersThatAreNotPagesAreNamed) {
  EXPECT_THAT(Outcome("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n"
                      "<html>"),
              StartsWith("content_type: expected a metrics page, got text/html"));
  EXPECT_THAT(Outcome("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n"),
              StartsWith("status: expected status 200, got 500"));
  EXPECT_THAT(Outcome("HTTP/1.1 301 Moved\r\nLocation: http://elsewhere/\r\n"
                      "Content-Length: 0\r\n\r\n"),
              HasSubstr("a redirect to \"http://elsewhere/\""));
}

TEST_F(BeastFetcher, GarbageIsAProtocolFailure) {
  EXPECT_THAT(Outcome("SSH-2.0-OpenSSH_9.2\r\n\r\n"), StartsWith("protocol: expected an HTTP"));
  EXPECT_THAT(Outcome(std::string(300'000, 'x')), StartsWith("protocol: "));
  EXPECT_THAT(Outcome("HTTP/1.1 200 OK\r\nX: " + std::string(100'000, 'x') + "\r\n\r\n"),
              StartsWith("protocol: "));
  EXPECT_THAT(Outcome("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n"), StartsWith("protocol: "));
  EXPECT_THAT(Outcome("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
              StartsWith("protocol: "));
  EXPECT_THAT(Outcome(""), StartsWith("connect: closed the connection without an answer"));
}

TEST_F(BeastFetcher, AGzipBombIsRefusedWhenItGoesOver) {
  const auto bomb = Gzip(std::string(50'000'000, '0'));
  ASSERT_LT(bomb.size(), 100'000U);
  EXPECT_THAT(Outcome(Page(bomb, "Content-Encoding: gzip\r\n")), StartsWith("too_large: "));
  EXPECT_THAT(Outcome(Page("not gzip at all", "Content-Encoding: gzip\r\n")),
              StartsWith("encoding: "));
  EXPECT_THAT(Outcome(Page(Gzip("a 1\n").substr(0, 15), "Content-Encoding: gzip\r\n")),
              StartsWith("encoding: "));
}

TEST_F(BeastFetcher, OneTargetsTroubleIsNobodyElses) {
  RawServer silent([](RawPeer& peer) { peer.WaitForClose(); });
  RawServer good([](RawPeer& peer) {
    while (!peer.ReadRequest().empty() && peer.Send(Page("a 1\n"))) {
    }
  });
  auto* stuck = Open({.host = "127.0.0.1", .port = silent.Port()});
  std::promise<FetchResult> late;
  fetcher_->Post([&] { stuck->Get(2s, [&](FetchResult got) { late.set_value(std::move(got)); }); });
  auto* honest = Open({.host = "127.0.0.1", .port = good.Port()});
  auto pending = late.get_future();
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(Text(Get(honest)), "a 1\n");
  }
  EXPECT_EQ(pending.wait_for(0s), std::future_status::timeout);
  EXPECT_THAT(Text(pending.get()), StartsWith("timeout: "));
}

TEST_F(BeastFetcher, RunsTasksWhenTheyAreDue) {
  std::promise<SteadyTime> ran;
  const auto due = clock_.Steady() + 30ms;
  fetcher_->Post([&] { fetcher_->RunAt(due, [&] { ran.set_value(clock_.Steady()); }); });
  EXPECT_GE(ran.get_future().get(), due);
}

TEST_F(BeastFetcher, PrometheusCppsExposerIsUnderstood) {
  // civetweb: HTTP/1.1, its own header order, gzip when asked for, 404 for HEAD.
  prometheus::Exposer exposer("127.0.0.1:0");
  auto registry = std::make_shared<prometheus::Registry>();
  auto& family =
      prometheus::BuildCounter().Name("requests_total").Help("Requests.").Register(*registry);
  family.Add({{"path", "a\"b\\c"}}).Increment(3);
  exposer.RegisterCollectable(registry);
  const auto port = static_cast<std::uint16_t>(exposer.GetListeningPorts().front());
  auto* connection = Open({.host = "127.0.0.1", .port = port, .compressed = true});
  for (int i = 0; i < 3; ++i) {
    const auto result = Get(connection);
    ASSERT_FALSE(result.failure) << result.error;
    PageParser page(result.body, {.format = result.format});
    int samples = 0;
    bool found = false;
    for (auto item = page.Next(); item.kind != ItemKind::kEnd; item = page.Next()) {
      ASSERT_NE(item.kind, ItemKind::kError) << page.error().Text();
      samples += item.kind == ItemKind::kSample ? 1 : 0;
      found = found || (item.name == "requests_total" && item.value == 3);
    }
    EXPECT_TRUE(found) << result.body;
    EXPECT_GT(samples, 1);
  }
}

}  // namespace
}  // namespace limpet::beast_fetcher_test
