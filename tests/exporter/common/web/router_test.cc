#include "exporter/common/web/router.h"

#include <memory>
#include <string>

namespace limpet::web::router_test {
namespace {

Router Example() {
  Router router;
  router.Add("/metrics", [](const Request&) { return Text(200, "the page"); });
  return router;
}

int Status(const Router& router, const std::string& path) {
  return router.Route(Request{.path = path}).status;
}

TEST(Router, AnswersAPathItKnows) {
  EXPECT_EQ(*Example().Route(Request{.path = "/metrics"}).body, "the page");
}

TEST(Router, MatchesTheWholePathOnly) {
  EXPECT_EQ(Status(Example(), "/metricsfoo"), 404);
  EXPECT_EQ(Status(Example(), "/metrics/"), 404);
  EXPECT_EQ(Status(Example(), "/metric"), 404);
  EXPECT_EQ(Status(Example(), ""), 404);
}

TEST(Router, ALaterHandlerReplacesAnEarlierOne) {
  auto router = Example();
  router.Add("/metrics", [](const Request&) { return Text(200, "another"); });
  EXPECT_EQ(*router.Route(Request{.path = "/metrics"}).body, "another");
}

TEST(Router, WhatNoPathMatchesGoesToTheLongestPrefix) {
  auto router = Example();
  router.AddPrefix("/a/", [](const Request& request) { return Text(200, request.path); });
  router.AddPrefix("/a/b/", [](const Request&) { return Text(200, "longer"); });
  EXPECT_EQ(*router.Route(Request{.path = "/a/x"}).body, "/a/x");
  EXPECT_EQ(*router.Route(Request{.path = "/a/b/x"}).body, "longer");
  EXPECT_EQ(*router.Route(Request{.path = "/a/b/"}).body, "/a/b/");
  EXPECT_EQ(Status(router, "/a/"), 404);
  EXPECT_EQ(Status(router, "/a"), 404);
}

TEST(Router, HealthyAlwaysReadyWhenReady) {
  const auto is_ready = std::make_shared<bool>(false);
  Router router;
  router.AddHealth("limpet-exporter", [is_ready] { return *is_ready; });
  EXPECT_EQ(Status(router, "/-/healthy"), 200);
  EXPECT_EQ(Status(router, "/-/ready"), 503);
  *is_ready = true;
  EXPECT_EQ(Status(router, "/-/ready"), 200);
  EXPECT_EQ(*router.Route(Request{.path = "/-/ready"}).body, "limpet-exporter is ready.\n");
}

TEST(Router, TheHandlerOutlivesTheRouter) {
  const auto handler = Example().AsHandler();
  EXPECT_EQ(handler(Request{.path = "/metrics"}).status, 200);
}

}  // namespace
}  // namespace limpet::web::router_test
