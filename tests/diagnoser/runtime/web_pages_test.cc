#include "diagnoser/runtime/web_pages.h"

#include <gmock/gmock.h>

#include "tests/support/manual_clock.h"

namespace limpet::web_pages_test {
namespace {

using ::testing::HasSubstr;

TEST(WebPages, OnlyAnswersAreTakenByPost) {
  const testing::ManualClock clock;
  IncidentKeeper keeper({.own_thread = false}, {}, clock, [](LogLevel, std::string_view) {});
  const auto pages =
      WebPages([] { return std::make_shared<const Published>(); }, {}, &keeper, &clock);
  EXPECT_EQ(pages({.method = "POST", .path = "/metrics"}).status, 405);
  EXPECT_EQ(pages({.method = "POST", .path = "/api/v1/incidents/0123456789abcdef"}).status, 405);
  EXPECT_EQ(pages({.method = "POST", .path = "/api/v1/incidents/x/answer"}).status, 403);
}

TEST(WebPages, AnotherNameThanOursIsMisdirected) {
  const auto names =
      std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"diag"});
  const auto pages = GuardHosts([](const web::Request&) { return web::Text(200, "page"); },
                                [names] { return names; });
  EXPECT_EQ(pages({.path = "/", .host = "diag:9837"}).status, 200);
  EXPECT_EQ(pages({.path = "/", .host = "10.0.0.1:9837"}).status, 200);
  const auto refused = pages({.path = "/", .host = "evil.example"});
  EXPECT_EQ(refused.status, 421);
  EXPECT_THAT(*refused.body, HasSubstr("allowed_hosts: [evil.example]"));
  EXPECT_EQ(pages({.path = "/metrics", .host = "evil.example"}).status, 200);
  EXPECT_EQ(pages({.path = "/-/ready", .host = "evil.example"}).status, 200);
  EXPECT_EQ(pages({.path = "/", .host = "evil.example", .is_authenticated = true}).status, 200);
}

}  // namespace
}  // namespace limpet::web_pages_test
