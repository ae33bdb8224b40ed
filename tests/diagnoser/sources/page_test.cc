#include "diagnoser/sources/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace limpet::page_test {
namespace {

using ::testing::HasSubstr;

std::string Read(Answer answer, std::size_t max_body = 1000) {
  const auto page = ReadAnswer(std::move(answer), max_body);
  if (const auto* problem = std::get_if<FetchProblem>(&page)) {
    return std::string(Name(problem->failure)) + ": " + problem->text;
  }
  const auto& decoded = std::get<DecodedPage>(page);
  return (decoded.format == Format::kText ? "text: " : "openmetrics: ") + decoded.body;
}

TEST(Page, TheContentTypeTellsTheFormat) {
  EXPECT_EQ(Read({.status = 200, .content_type = "text/plain; version=0.0.4", .body = "a 1\n"}),
            "text: a 1\n");
  EXPECT_EQ(Read({.status = 200,
                  .content_type = "Application/OpenMetrics-Text; version=1.0.0; charset=utf-8",
                  .body = "# EOF\n"}),
            "openmetrics: # EOF\n");
  EXPECT_EQ(Read({.status = 200, .body = "a 1\n"}), "text: a 1\n");
}

TEST(Page, AnotherTypeMayBeAskedFor) {
  EXPECT_EQ(Read({.status = 200,
                  .content_type = "application/JSON; charset=utf-8",
                  .accept = "application/json",
                  .body = "{}"}),
            "text: {}");
  EXPECT_EQ(Read({.status = 200, .content_type = "text/plain", .accept = "application/json"}),
            "content_type: expected application/json, got text/plain");
  EXPECT_EQ(Read({.status = 404, .accept = "application/json"}),
            "status: expected status 200, got 404");
}

TEST(Page, WhatIsNotAPageSaysSo) {
  EXPECT_THAT(Read({.status = 200, .content_type = "text/html", .body = "<html>"}),
              HasSubstr("content_type: expected a metrics page, got text/html"));
  EXPECT_THAT(Read({.status = 500}), HasSubstr("status: expected status 200, got 500"));
  EXPECT_THAT(Read({.status = 401}), HasSubstr("check basic_auth"));
  EXPECT_THAT(Read({.status = 404}), HasSubstr("check metrics_path"));
  EXPECT_THAT(Read({.status = 302, .location = "https://io01/metrics"}),
              HasSubstr("a redirect to \"https://io01/metrics\""));
  EXPECT_THAT(Read({.status = 200, .content_encoding = "br"}), HasSubstr("encoding: expected"));
  EXPECT_THAT(Read({.status = 200, .content_encoding = "gzip", .body = "plain"}),
              HasSubstr("encoding: "));
}

}  // namespace
}  // namespace limpet::page_test
