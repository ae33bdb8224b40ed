#include "exporter/common/exposition/negotiate.h"

#include <gtest/gtest.h>

#include <string>

namespace limpet::negotiate_test {
namespace {

Format For(std::string_view accept) { return Negotiate(accept, "").format; }
bool Gzip(std::string_view accept_encoding) { return Negotiate("", accept_encoding).gzip; }

TEST(ContentType, IsWhatPrometheusExpects) {
  EXPECT_EQ(ContentType(Format::kText), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_EQ(ContentType(Format::kOpenMetrics),
            "application/openmetrics-text; version=1.0.0; charset=utf-8");
}

TEST(Negotiate, GivesPrometheus2OpenMetrics) {
  EXPECT_EQ(For("application/openmetrics-text;version=1.0.0,application/openmetrics-text;"
                "version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"),
            Format::kOpenMetrics);
}

TEST(Negotiate, GivesPrometheus3OpenMetrics) {
  EXPECT_EQ(For("application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
                "application/openmetrics-text;version=0.0.1;q=0.5,"
                "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,"
                "text/plain;version=0.0.4;q=0.3,*/*;q=0.2"),
            Format::kOpenMetrics);
}

TEST(Negotiate, GivesPrometheusThatPrefersTextText) {
  EXPECT_EQ(For("text/plain;version=0.0.4;q=0.6,application/openmetrics-text;version=1.0.0;q=0.5,"
                "*/*;q=0.2"),
            Format::kText);
}

TEST(Negotiate, GivesPeopleText) {
  EXPECT_EQ(For(""), Format::kText);
  EXPECT_EQ(For("*/*"), Format::kText);  // curl
  EXPECT_EQ(For("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"), Format::kText);
  EXPECT_EQ(For("application/vnd.google.protobuf;q=1"), Format::kText);
}

TEST(Negotiate, OpenMetricsOfAnotherVersionIsNotOurs) {
  EXPECT_EQ(For("application/openmetrics-text;version=0.0.1"), Format::kText);
  EXPECT_EQ(For("application/openmetrics-text;version=2.0.0,text/plain;q=0.1"), Format::kText);
  EXPECT_EQ(For("application/openmetrics-text"), Format::kOpenMetrics);
}

TEST(Negotiate, BetweenEqualsTheFirstWins) {
  EXPECT_EQ(For("text/plain,application/openmetrics-text"), Format::kText);
  EXPECT_EQ(For("application/openmetrics-text,text/plain"), Format::kOpenMetrics);
}

TEST(Negotiate, ReadsHeadersAsPeopleWriteThem) {
  EXPECT_EQ(For(" Application/OpenMetrics-Text ; Version=\"1.0.0\" ; Q=0.9 , text/plain;q=0.1"),
            Format::kOpenMetrics);
  EXPECT_EQ(For("application/openmetrics-text;q=0,text/plain;q=0.1"), Format::kText);
  EXPECT_EQ(For("application/openmetrics-text;q=high,*/*;q=0.1"), Format::kText);
  EXPECT_EQ(For(",;,;q=,=;q"), Format::kText);
}

TEST(Negotiate, CompressesForThoseWhoAllowIt) {
  EXPECT_TRUE(Gzip("gzip"));
  EXPECT_TRUE(Gzip("gzip, deflate, br"));
  EXPECT_TRUE(Gzip("deflate;q=1.0, X-Gzip;q=0.5"));
  EXPECT_TRUE(Gzip("*"));
  EXPECT_TRUE(Gzip("gzip;q=0.5, identity;q=0.5"));
  EXPECT_FALSE(Gzip(""));
  EXPECT_FALSE(Gzip("identity"));
  EXPECT_FALSE(Gzip("gzip;q=0"));
  EXPECT_FALSE(Gzip("gzip;q=0, *"));
  EXPECT_FALSE(Gzip("gzip;q=0.2, identity;q=0.8"));
  EXPECT_FALSE(Gzip("br, zstd"));
}

TEST(ParseContentType, KnowsTheTypesOfMetricsPages) {
  EXPECT_EQ(ParseContentType(ContentType(Format::kText)), Format::kText);
  EXPECT_EQ(ParseContentType(ContentType(Format::kOpenMetrics)), Format::kOpenMetrics);
  EXPECT_EQ(ParseContentType("text/plain"), Format::kText);
  EXPECT_EQ(ParseContentType("TEXT/PLAIN;charset=utf-8"), Format::kText);
  EXPECT_EQ(ParseContentType("text/html; charset=utf-8"), std::nullopt);
  EXPECT_EQ(ParseContentType(""), std::nullopt);
}

TEST(Negotiate, OurScraperIsGivenOpenMetrics) { EXPECT_EQ(For(kAcceptBoth), Format::kOpenMetrics); }

}  // namespace
}  // namespace limpet::negotiate_test
