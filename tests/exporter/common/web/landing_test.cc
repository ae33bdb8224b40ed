#include "exporter/common/web/landing.h"

namespace limpet::web::landing_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const Landing kExample{
    .name = "limpet-exporter",
    .description = "Disk & network counters.",
    .version = "1.2.3",
    .links = {{"/metrics", "Metrics", "for Prometheus"}, {"/-/ready", "Ready", ""}}};

TEST(Landing, NamesTheProgramItsVersionAndTheLinks) {
  const auto page = LandingPage(kExample);
  EXPECT_THAT(page, HasSubstr("<h1>limpet-exporter <small>1.2.3</small></h1>"));
  EXPECT_THAT(page, HasSubstr("<a href=\"/metrics\">Metrics</a>: for Prometheus</li>"));
  EXPECT_THAT(page, HasSubstr("<a href=\"/-/ready\">Ready</a></li>"));
}

TEST(Landing, EscapesWhatItShows) {
  EXPECT_EQ(EscapeHtml("<a href='x'>\"&\""), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;&quot;");
  EXPECT_THAT(LandingPage(kExample), HasSubstr("Disk &amp; network"));
}

TEST(Landing, AsksNobodyElseForAnything) {
  const auto page = LandingPage(kExample);
  EXPECT_THAT(page, Not(HasSubstr("http")));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
}

TEST(Landing, IsHtmlForABrowser) {
  const auto response = LandingHandler(kExample)(Request{});
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.content_type, "text/html; charset=utf-8");
  EXPECT_EQ(*response.body, LandingPage(kExample));
}

}  // namespace
}  // namespace limpet::web::landing_test
