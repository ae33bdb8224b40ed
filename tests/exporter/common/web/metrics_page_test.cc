#include "exporter/common/web/metrics_page.h"

namespace limpet::web::metrics_page_test {
namespace {

using ::testing::Contains;
using ::testing::Pair;

// Names what it was asked for.
std::shared_ptr<const std::string> Page(Format format, bool gzip) {
  return std::make_shared<const std::string>(
      std::string(format == Format::kOpenMetrics ? "openmetrics" : "text") + (gzip ? ".gz" : ""));
}

TEST(MetricsResponse, IsThePageTheClientAskedFor) {
  const auto plain = MetricsResponse({}, Page);
  EXPECT_EQ(plain.status, 200);
  EXPECT_EQ(*plain.body, "text");
  EXPECT_EQ(plain.content_type, ContentType(Format::kText));
  EXPECT_EQ(plain.content_encoding, "");

  Request request;
  request.accept = "application/openmetrics-text;version=1.0.0,text/plain;q=0.5";
  request.accept_encoding = "gzip";
  const auto packed = MetricsResponse(request, Page);
  EXPECT_EQ(*packed.body, "openmetrics.gz");
  EXPECT_EQ(packed.content_type, ContentType(Format::kOpenMetrics));
  EXPECT_EQ(packed.content_encoding, "gzip");
}

TEST(MetricsResponse, AlwaysSaysWhatItDependsOn) {
  EXPECT_THAT(MetricsResponse({}, Page).headers, Contains(Pair("Vary", "Accept, Accept-Encoding")));
  Request request;
  request.accept_encoding = "gzip";
  EXPECT_THAT(MetricsResponse(request, Page).headers,
              Contains(Pair("Vary", "Accept, Accept-Encoding")));
}

TEST(MetricsResponse, SharesThePagesBytes) {
  const auto page = std::make_shared<const std::string>("page");
  EXPECT_EQ(MetricsResponse({}, [&](Format, bool) { return page; }).body.get(), page.get());
}

}  // namespace
}  // namespace limpet::web::metrics_page_test
