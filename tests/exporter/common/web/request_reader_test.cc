#include "exporter/common/web/request_reader.h"

#include <vector>

#include "tests/exporter/common/web/feed.h"

namespace limpet::web::request_reader_test {
namespace {

using limpet::testing::Feed;
using limpet::testing::FeedAll;
using ::testing::ElementsAre;
using Kind = Incoming::Kind;

constexpr std::string_view kGet = "GET /metrics?a HTTP/1.1\r\nHost: x\r\nAccept: y\r\n\r\n";

TEST(RequestReader, ReadsARequest) {
  RequestReader reader({});
  const auto incoming = FeedAll(reader, kGet);
  ASSERT_EQ(incoming.kind, Kind::kRequest);
  EXPECT_EQ(incoming.request.method, "GET");
  EXPECT_EQ(incoming.request.path, "/metrics");
  EXPECT_EQ(incoming.request.query, "a");
  EXPECT_EQ(incoming.request.accept, "y");
  EXPECT_TRUE(incoming.keep_alive);
  EXPECT_FALSE(incoming.is_head);
  EXPECT_FALSE(incoming.is_http10);
  EXPECT_FALSE(reader.HasInput());
  EXPECT_FALSE(reader.IsHalfWay());
}

TEST(RequestReader, InPiecesOfAnySizeItIsTheSameRequest) {
  for (std::size_t size = 1; size < kGet.size(); ++size) {
    RequestReader reader({});
    Incoming incoming;
    for (std::size_t at = 0; at < kGet.size(); at += size) {
      ASSERT_EQ(incoming.kind, Kind::kMore) << size;
      incoming = FeedAll(reader, kGet.substr(at, size));
      EXPECT_EQ(reader.IsHalfWay(), incoming.kind == Kind::kMore);
    }
    ASSERT_EQ(incoming.kind, Kind::kRequest) << size;
    EXPECT_EQ(incoming.request.path, "/metrics");
  }
}

TEST(RequestReader, APostHasItsBodyWhereItIsAllowed) {
  constexpr std::string_view kPost =
      "POST /a HTTP/1.1\r\nHost: x:1\r\nOrigin: http://x:1\r\nSec-Fetch-Site: same-origin\r\n"
      "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
  RequestReader closed({});
  const auto refused = FeedAll(closed, kPost);
  EXPECT_EQ(refused.kind, Kind::kRefused);
  EXPECT_EQ(refused.status, 405);
  RequestReader open({.allow_post = true});
  const auto incoming = FeedAll(open, kPost);
  ASSERT_EQ(incoming.kind, Kind::kRequest);
  EXPECT_EQ(incoming.request.method, "POST");
  EXPECT_EQ(incoming.request.host, "x:1");
  EXPECT_EQ(incoming.request.origin, "http://x:1");
  EXPECT_EQ(incoming.request.fetch_site, "same-origin");
  EXPECT_EQ(incoming.request.content_type, "application/json");
  EXPECT_EQ(incoming.request.body, "{}");
  RequestReader small({.body_bytes = 1, .allow_post = true});
  EXPECT_EQ(FeedAll(small, kPost).status, 413);
}

TEST(RequestReader, TheBodyOfAGetIsThrownAway) {
  RequestReader reader({.allow_post = true});
  const auto incoming =
      FeedAll(reader, "GET /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}");
  ASSERT_EQ(incoming.kind, Kind::kRequest);
  EXPECT_EQ(incoming.request.body, "");
}

TEST(RequestReader, KeepsWhatFollowsARequest) {
  RequestReader reader({});
  std::vector<std::string> paths;
  std::string_view bytes(
      "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\nGET /3 HTT");
  auto incoming = Feed(reader, bytes);
  while (incoming.kind == Kind::kRequest) {
    paths.push_back(incoming.request.path);
    incoming = Feed(reader, bytes);
  }
  EXPECT_EQ(incoming.kind, Kind::kMore);
  incoming = FeedAll(reader, "P/1.1\r\nHost: x\r\n\r\n");
  ASSERT_EQ(incoming.kind, Kind::kRequest);
  paths.push_back(incoming.request.path);
  EXPECT_THAT(paths, ElementsAre("/1", "/2", "/3"));
}

TEST(RequestReader, EveryRequestStartsAnew) {
  RequestReader reader({});
  ASSERT_EQ(FeedAll(reader, kGet).kind, Kind::kRequest);
  const auto other = FeedAll(reader, "HEAD /other HTTP/1.0\r\n\r\n");
  ASSERT_EQ(other.kind, Kind::kRequest);
  EXPECT_EQ(other.request.path, "/other");
  EXPECT_EQ(other.request.accept, "");
  EXPECT_TRUE(other.is_head);
  EXPECT_TRUE(other.is_http10);
  EXPECT_FALSE(other.keep_alive);
  EXPECT_EQ(FeedAll(reader, kGet.substr(0, 20)).kind, Kind::kMore);
  EXPECT_EQ(FeedAll(reader, kGet.substr(20)).request.path, "/metrics");
}

int Refused(std::string_view bytes, const Limits& limits = {}) {
  RequestReader reader(limits);
  const auto incoming = FeedAll(reader, bytes);
  return incoming.kind == Kind::kRefused ? incoming.status : 0;
}

TEST(RequestReader, RefusesWithTheStatusThatTells) {
  EXPECT_EQ(Refused("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n"), 405);
  EXPECT_EQ(Refused("GET / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(Refused("GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n"), 400);
  EXPECT_EQ(Refused("GET / HTTP/2.0\r\nHost: x\r\n\r\n"), 505);
  EXPECT_EQ(Refused("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 65537\r\n\r\n"), 413);
  EXPECT_EQ(
      Refused("GET / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n"),
      417);
  EXPECT_EQ(Refused("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n"),
            400);
  EXPECT_EQ(Refused("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n"
                    "Transfer-Encoding: chunked\r\n\r\n"),
            400);
  EXPECT_EQ(Refused("\x16\x03\x01\r\n\r\n"), 400);
}

// Whoever stands before us may see a body where Beast sees none: request smuggling.
TEST(RequestReader, RefusesATransferEncodingThatIsNotChunkedAlone) {
  for (const std::string_view encoding :
       {"xchunked", "chunked, identity", "identity", "gzip, chunked", "chunked, chunked",
        "chunked;a=b", "\"chunked\"", "chunked\r\nTransfer-Encoding: identity",
        "identity\r\nTransfer-Encoding: chunked", "", ","}) {
    const auto field = "\r\nTransfer-Encoding: " + std::string(encoding);
    EXPECT_EQ(Refused("GET / HTTP/1.1\r\nHost: x" + field + "\r\n\r\n"), 400) << encoding;
    EXPECT_EQ(Refused("GET / HTTP/1.1\r\nHost: x" + field + "\r\nContent-Length: 3\r\n\r\nabc"),
              400)
        << encoding;
    EXPECT_EQ(Refused("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 3" + field + "\r\n\r\nabc"),
              400)
        << encoding;
  }
  EXPECT_EQ(Refused("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 400);
}

TEST(RequestReader, ReadsPastAChunkedBody) {
  RequestReader reader({});
  for (const std::string encoding : {"chunked", "Chunked", " chunked "}) {
    const auto incoming =
        FeedAll(reader, "GET /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: " + encoding +
                            "\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
    ASSERT_EQ(incoming.kind, Kind::kRequest) << encoding;
    EXPECT_FALSE(reader.HasInput());
  }
}

TEST(RequestReader, ReadsPastAChunkedBodyThatComesByteByByte) {
  const std::string header = "GET /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const std::string body :
       {"0\r\n\r\n", "3\r\nabc\r\n0\r\n\r\n", "1\r\na\r\n1;x=y\r\nb\r\n0\r\nA: b\r\n\r\n"}) {
    RequestReader reader({});
    Incoming incoming;
    for (const char byte : header + body) {
      ASSERT_EQ(incoming.kind, Kind::kMore) << body;
      incoming = FeedAll(reader, {&byte, 1});
    }
    EXPECT_EQ(incoming.kind, Kind::kRequest) << body;
    EXPECT_FALSE(reader.HasInput());
  }
}

// A field behind the body came too late to say who asks, and of whom.
TEST(RequestReader, FieldsBehindAChunkedBodyAreNoneOfTheHeader) {
  const std::string chunked = "Transfer-Encoding: chunked\r\n\r\n0\r\n";
  RequestReader reader({});
  const auto incoming = FeedAll(
      reader, "GET / HTTP/1.1\r\nHost: x\r\n" + chunked + "Authorization: Basic YTpi\r\n\r\n");
  ASSERT_EQ(incoming.kind, Kind::kRequest);
  EXPECT_EQ(incoming.authorization, "");
  EXPECT_EQ(Refused("GET / HTTP/1.1\r\n" + chunked + "Host: x\r\n\r\n"), 400);
}

TEST(RequestReader, ItsMemoryIsBoundedWhateverComes) {
  EXPECT_EQ(Refused(std::string(2000, 'a'), {.header_bytes = 1000}), 431);
  EXPECT_EQ(Refused("GET / HTTP/1.1\r\nA: " + std::string(2000, 'a'), {.header_bytes = 1000}), 431);
  RequestReader reader(Limits{.header_bytes = 1000});
  auto kind = Kind::kMore;
  std::size_t fed = 0;
  for (; fed < 10'000 && kind == Kind::kMore; ++fed) {
    kind = FeedAll(reader, "a").kind;
  }
  EXPECT_EQ(kind, Kind::kRefused);
  EXPECT_LE(fed, 1001U);
}

}  // namespace
}  // namespace limpet::web::request_reader_test
