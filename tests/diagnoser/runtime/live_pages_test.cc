#include "diagnoser/runtime/live_pages.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "diagnoser/runtime/page_assets.h"
#include "exporter/common/exposition/codec.h"
#include "tests/support/live_cluster.h"

namespace limpet::live_pages_test {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::LiveCluster;
using ::testing::Pair;

class LivePages : public ::testing::Test {
 protected:
  LivePages() {
    cluster_.Steps(40, 10);
    cluster_.Steps(40, 80);
    AddLivePages(router_, source_);
  }
  [[nodiscard]] web::Response Get(const std::string& path, const std::string& query = "") const {
    return router_.Route({.method = "GET", .path = path, .query = query});
  }

  LiveCluster cluster_;
  Viewers viewers_;
  LiveSource source_{.latest = [this] { return cluster_.View(); }, .viewers = &viewers_};
  web::Router router_;
};

TEST_F(LivePages, AnswerInJson) {
  const auto id = cluster_.View()->verdicts->front()->id;
  for (const auto& [path, query] : std::vector<std::pair<std::string, std::string>>{
           {"/api/v1/cluster", ""},
           {"/api/v1/evidence/" + id, ""},
           {"/api/v1/evidence", "node=io03&cause=disk-busy"},
           {"/api/v1/series", "node=io03"},
           {"/api/v1/activity", "node=io03"},
           {"/api/v1/heat", ""},
           {"/api/v1/heat", "from=1.5"},
           {"/api/v1/past", "at=1700000070.5"},
           {"/api/v1/top", "hourly=1"}}) {
    const auto response = Get(path, query);
    EXPECT_EQ(response.status, 200) << path;
    EXPECT_EQ(response.content_type, "application/json");
    EXPECT_TRUE(json::accept(*response.body)) << path;
  }
}

TEST_F(LivePages, ErrorsAreJsonWithAReason) {
  for (const auto& [path, query, status] : std::vector<std::tuple<std::string, std::string, int>>{
           {"/api/v1/evidence/0000000000000000", "", 404},
           {"/api/v1/evidence", "", 400},
           {"/api/v1/evidence", "node=io03&at=never", 400},
           {"/api/v1/evidence", "node=io01", 404},
           {"/api/v1/series", "", 400},
           {"/api/v1/series", "node=io03&from=inf", 400},
           {"/api/v1/series", "node=stranger", 404},
           {"/api/v1/activity", "", 400},
           {"/api/v1/activity", "node=io03&to=soon", 400},
           {"/api/v1/activity", "node=stranger", 404},
           {"/api/v1/heat", "to=1e300", 400},
           {"/api/v1/heat", "from=-8.9e9&to=8.9e9", 400},
           {"/api/v1/series", "node=io03&to=4733510400", 400},
           {"/api/v1/top", "hourly=yes", 400},
           {"/api/v1/past", "", 400},
           {"/api/v1/past", "at=never", 400},
           {"/api/v1/past", "at=1e300", 400},
           {"/api/v1/stream", "columns=nothing", 400},
           {"/api/v1/stream", "group=nothing", 400},
           {"/api/v1/stream", "rate=0", 400}}) {
    const auto response = Get(path, query);
    EXPECT_EQ(response.status, status) << path << "?" << query;
    const auto parsed = json::parse(*response.body);
    EXPECT_FALSE(parsed.at("reason").get<std::string>().empty());
    EXPECT_EQ(parsed.at("error"), status == 400 ? "bad_request" : "not_found");
  }
}

TEST_F(LivePages, HistoryOnlyWithFromOrTo) {
  EXPECT_FALSE(AnswerVerdictHistory(source_, {.query = ""}));
  EXPECT_EQ(AnswerVerdictHistory(source_, {.query = "from=0"})->status, 200);
  EXPECT_EQ(AnswerVerdictHistory(source_, {.query = "to=x"})->status, 400);
  EXPECT_FALSE(AnswerVerdictHistory({}, {.query = "from=0"}));
}

TEST_F(LivePages, TheClusterIsRenderedOnceForAView) {
  const auto view = cluster_.View();
  web::Router router;
  AddLivePages(router, {.latest = [view] { return view; }, .viewers = &viewers_});
  const web::Request plain{.path = "/api/v1/cluster"};
  const web::Request packed{.path = "/api/v1/cluster", .accept_encoding = "gzip"};
  EXPECT_EQ(router.Route(plain).body, router.Route(plain).body);
  EXPECT_EQ(router.Route(packed).content_encoding, "gzip");
  EXPECT_EQ(Decode(Encoding::kGzip, *router.Route(packed).body)->text, *router.Route(plain).body);
}

TEST(PageAssets, HaveTagsAPolicyAndAreKeptForGoodWhereTheirNameChanges) {
  const auto body = GzipEncode("alert(1)");
  const std::vector<Asset> assets = {{"/", "text/html; charset=utf-8", "\"1\"", body},
                                     {"/assets/a.2.js", "text/javascript", "\"2\"", body}};
  web::Router router;
  AddPage(router, assets);
  const auto script = router.Route({.path = "/assets/a.2.js", .accept_encoding = "gzip"});
  EXPECT_EQ(script.content_encoding, "gzip");
  EXPECT_THAT(script.headers,
              Contains(Pair("Cache-Control", "public, max-age=31536000, immutable")));
  const auto page = router.Route({.path = "/"});
  EXPECT_EQ(*page.body, "alert(1)");
  EXPECT_THAT(page.headers, Contains(Pair("Cache-Control", "no-cache")));
  EXPECT_THAT(page.headers,
              Contains(Pair("Content-Security-Policy", HasSubstr("default-src 'none'"))));
  const auto again = router.Route({.path = "/", .if_none_match = "\"0\", W/\"1\""});
  EXPECT_EQ(again.status, 304);
  EXPECT_FALSE(again.body);
  EXPECT_EQ(router.Route({.path = "/ui"}).status, 308);
}

TEST(PageAssets, WithoutAnyNothingIsAdded) {
  web::Router router;
  AddPage(router, {});
  AddAssets(router, {});
  EXPECT_EQ(router.Route({.path = "/ui"}).status, 404);
}

}  // namespace
}  // namespace limpet::live_pages_test
