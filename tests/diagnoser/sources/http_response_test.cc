#include "diagnoser/sources/http_response.h"

#include <gmock/gmock.h>

#include "diagnoser/sources/http_request.h"

namespace limpet::http_response_test {
namespace {

using namespace std::chrono_literals;
namespace http = boost::beast::http;
using ::testing::HasSubstr;

http::response<http::string_body> Response(unsigned status) {
  http::response<http::string_body> response;
  response.result(status);
  response.body() = "why";
  return response;
}

TEST(Receipt, WhateverItHoldsTwoHundredIsSuccess) {
  for (const auto status : {200U, 202U, 204U, 299U}) {
    EXPECT_FALSE(ReadReceipt(Response(status)).failure) << status;
  }
  EXPECT_EQ(ReadReceipt(Response(202)).body, "why");
}

TEST(Receipt, ARedirectIsNotFollowed) {
  auto response = Response(307);
  response.set(http::field::location, "http://elsewhere/");
  const auto result = ReadReceipt(response);
  EXPECT_EQ(result.failure, FetchFailure::kStatus);
  EXPECT_THAT(result.error, HasSubstr("got 307, to http://elsewhere/: redirects are not followed"));
}

TEST(Receipt, ARefusalMayBeForAWhile) {
  auto response = Response(429);
  response.set(http::field::retry_after, "30");
  EXPECT_EQ(ReadReceipt(response).retry_after, 30s);
  response.set(http::field::retry_after, "99999999");
  EXPECT_FALSE(ReadReceipt(response).retry_after);
}

TEST(Upload, HasABodyAndItsTypeAndNoScrapeTimeout) {
  const Endpoint endpoint{.host = "sink", .port = 80, .path = "/in", .headers = {{"X-Token", "t"}}};
  const auto post = MakeUpload(endpoint, 10s, {.body = "{}", .content_type = "application/json"});
  EXPECT_EQ(post.method(), http::verb::post);
  EXPECT_EQ(post.target(), "/in");
  EXPECT_EQ(post.body(), "{}");
  EXPECT_EQ(post[http::field::content_type], "application/json");
  EXPECT_EQ(post[http::field::content_length], "2");
  EXPECT_EQ(post["X-Token"], "t");
  EXPECT_EQ(post.count("X-Prometheus-Scrape-Timeout-Seconds"), 0U);
  EXPECT_EQ(MakeUpload(endpoint, 10s, {.method = "PATCH"}).method(), http::verb::patch);
}

}  // namespace
}  // namespace limpet::http_response_test
