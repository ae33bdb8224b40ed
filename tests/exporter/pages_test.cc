#include "exporter/pages.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>
#include <optional>

#include <memory>
#include <string>
#include <utility>

#include "exporter/collectors/catalog/host.h"

namespace limpet::pages_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Pair;

class Pages : public ::testing::Test {
 protected:
  web::Response Get(const std::string& path, const std::string& accept = "",
                    const std::string& encoding = "") {
    web::Request request;
    request.method = "GET";
    request.path = path;
    request.accept = accept;
    request.accept_encoding = encoding;
    return handler_(request);
  }
  void Put(double load) {
    Families families = {{&catalog::kLoad1, {{nullptr, load}}}};
    slot_.Put(std::make_shared<const Snapshot>(UnixFromSeconds(1'700'000'000), std::move(families),
                                               RenderOptions()));
  }

  SnapshotSlot slot_;
  web::Handler handler_ = ExporterPages(slot_);
};

TEST_F(Pages, AskForPatienceBeforeTheFirstSample) {
  const auto page = Get("/metrics");
  EXPECT_EQ(page.status, 503);
  EXPECT_THAT(*page.body, HasSubstr("no sample yet"));
  EXPECT_EQ(Get("/-/ready").status, 503);
  EXPECT_EQ(Get("/-/healthy").status, 200);
  Put(1);
  EXPECT_EQ(Get("/metrics").status, 200);
  EXPECT_EQ(Get("/-/ready").status, 200);
}

TEST_F(Pages, TellWhenWhatTheyShowWasSampled) {
  std::optional<UnixTime> sampled;
  handler_ = ExporterPages(slot_, nullptr, [&](UnixTime at) { sampled = at; });
  (void)Get("/metrics");
  EXPECT_EQ(sampled, std::nullopt);
  Put(1);
  (void)Get("/-/ready");
  EXPECT_EQ(sampled, std::nullopt);
  (void)Get("/metrics");
  EXPECT_EQ(sampled, UnixFromSeconds(1'700'000'000));
}

TEST_F(Pages, ShowTheLatestSampleInTheFormatAskedFor) {
  Put(0.5);
  Put(0.25);
  const auto text = Get("/metrics");
  EXPECT_THAT(*text.body, HasSubstr("\nlimpet_load1 0.25\n"));
  EXPECT_EQ(text.content_type, "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_EQ(text.content_encoding, "");
  const auto open = Get("/metrics", "application/openmetrics-text;version=1.0.0");
  EXPECT_TRUE(open.content_type.starts_with("application/openmetrics-text"));
  EXPECT_TRUE(open.body->ends_with("# EOF\n"));
}

TEST_F(Pages, TellCachesWhatTheyDependOn) {
  Put(0.5);
  const auto page = Get("/metrics", "", "gzip");
  EXPECT_EQ(page.content_encoding, "gzip");
  EXPECT_THAT(page.headers, Contains(Pair("Vary", "Accept, Accept-Encoding")));
}

TEST_F(Pages, AreMadeOnceForAllScrapers) {
  Put(0.5);
  EXPECT_EQ(Get("/metrics").body, Get("/metrics").body) << "the same bytes, not equal ones";
}

TEST_F(Pages, LinkToEachOther) {
  EXPECT_THAT(*Get("/").body, HasSubstr("/metrics"));
  EXPECT_EQ(Get("/metricsfoo").status, 404);
}

}  // namespace
}  // namespace limpet::pages_test
