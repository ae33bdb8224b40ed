#include "diagnoser/runtime/incident_pages.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/manual_clock.h"

namespace limpet::incident_pages_test {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class IncidentPages : public ::testing::Test {
 protected:
  IncidentPages() {
    AddIncidentPages(router_, keeper_, clock_);
    IncidentRecord record;
    record.id = kId;
    record.node = "io03";
    record.cause = "disk-busy";
    record.since = record.last = clock_.Now();
    record.text = "io03: disk-busy";
    record.document = R"({"schema":"limpet.verdict.v1","next_step":"look"})";
    keeper_.Put({{.kind = IncidentChange::Kind::kBegan, .record = record}});
    keeper_.Step();
  }
  web::Response Route(const web::Request& request) {
    auto response = router_.Route(request);
    if (response.later) {
      auto answer = std::make_shared<web::Response>();
      response.later([answer](web::Response made) { *answer = std::move(made); });
      keeper_.Step();
      return *answer;
    }
    return response;
  }
  web::Response Get(const std::string& path, const std::string& query = "") {
    return Route({.method = "GET", .path = path, .query = query});
  }
  web::Request Post(const std::string& body = R"({"as":"fixed"})") const {
    return {.method = "POST",
            .path = std::string("/api/v1/incidents/") + kId + "/answer",
            .host = "diag:9837",
            .content_type = "application/json",
            .body = body,
            .is_authenticated = true,
            .user = "ann"};
  }

  static constexpr const char* kId = "0123456789abcdef";
  testing::ManualClock clock_;
  IncidentKeeper keeper_{{.own_thread = false}, {}, clock_, [](LogLevel, std::string_view) {}};
  web::Router router_;
};

TEST_F(IncidentPages, AListAndOneOfIt) {
  const auto list = json::parse(*Get("/api/v1/incidents", "limit=5").body);
  EXPECT_EQ(list["complete"], true);
  EXPECT_EQ(list["incidents"][0]["id"], kId);
  EXPECT_EQ(list["incidents"][0]["state"], "open");
  const auto one = json::parse(*Get(std::string("/api/v1/incidents/") + kId).body);
  EXPECT_EQ(one["next_step"], "look");
  EXPECT_EQ(one["node"], "io03");
  EXPECT_TRUE(json::parse(*Get("/api/v1/incidents", "node=io99").body)["incidents"].empty());
  EXPECT_EQ(Get("/api/v1/precision").status, 200);
}

TEST_F(IncidentPages, OlderOnesAreAskedForByTheOldestThatIsThere) {
  IncidentRecord older;
  older.id = "fedcba9876543210";
  older.since = older.last = clock_.Now() - 1h;
  keeper_.Put({{.kind = IncidentChange::Kind::kBegan, .record = older}});
  keeper_.Step();
  const auto first = json::parse(*Get("/api/v1/incidents", "limit=1").body);
  EXPECT_EQ(first["complete"], false);
  ASSERT_EQ(first["incidents"][0]["id"], kId);
  const auto more =
      json::parse(*Get("/api/v1/incidents", std::string("limit=2&before=") + kId).body);
  EXPECT_EQ(more["complete"], true);
  ASSERT_EQ(more["incidents"].size(), 1U);
  EXPECT_EQ(more["incidents"][0]["id"], older.id);
  for (const auto* const query : {"before=x", "before=0000000000000000", "before=%0a"}) {
    EXPECT_EQ(Get("/api/v1/incidents", query).status, 404) << query;
  }
}

TEST_F(IncidentPages, AQuestionThatIsDroppedIsAnswered) {
  const auto response = router_.Route({.method = "GET", .path = "/api/v1/incidents"});
  std::vector<int> statuses;
  for (std::size_t i = 0; i < IncidentKeeper::kMaxJobs + 2; ++i) {
    response.later([&](const web::Response& made) { statuses.push_back(made.status); });
  }
  EXPECT_THAT(statuses, ElementsAre(503, 503));
  keeper_.Step();
  EXPECT_EQ(statuses.size(), IncidentKeeper::kMaxJobs + 2);
}

TEST_F(IncidentPages, WrongQuestionsAreAnsweredSo) {
  for (const auto* const query : {"from=x", "to=-1", "limit=0", "limit=x", "from=1e99", "to=nan"}) {
    EXPECT_EQ(Get("/api/v1/incidents", query).status, 400) << query;
  }
  for (const auto* const id : {"0000000000000000", "x", "..%2f", "0123456789ABCDEF", "a\nb"}) {
    EXPECT_EQ(Get(std::string("/api/v1/incidents/") + id).status, 404) << id;
  }
}

TEST_F(IncidentPages, OneThatIsTooOldIsNotFound) {
  IncidentRecord ended;
  ended.id = kId;
  ended.node = "io03";
  ended.since = ended.last = clock_.Now();
  ended.ended = clock_.Now();
  keeper_.Put({{.kind = IncidentChange::Kind::kEnded, .record = ended}});
  keeper_.Step();
  ASSERT_EQ(Get(std::string("/api/v1/incidents/") + kId).status, 200);
  clock_.Advance(401 * 24h);  // incidents.max_age is 400 days
  keeper_.Step();
  const auto gone = Get(std::string("/api/v1/incidents/") + kId);
  EXPECT_EQ(gone.status, 404);
  EXPECT_THAT(*gone.body, HasSubstr("not_found"));
  EXPECT_EQ(Route(Post()).status, 404);
}

TEST_F(IncidentPages, AnAnswerIsKeptUnderTheNameOfThePassword) {
  ASSERT_EQ(Route(Post(R"({"as":"known","until":"2h","note":"spare ordered","by":"bob"})")).status,
            200);
  ASSERT_EQ(Route(Post()).status, 200);  // two are both kept, the latest counts
  const auto one = json::parse(*Get(std::string("/api/v1/incidents/") + kId).body);
  ASSERT_EQ(one["answers"].size(), 2U);
  EXPECT_EQ(one["answers"][0]["as"], "known");
  EXPECT_EQ(one["answers"][0]["by"], "ann for bob");
  EXPECT_EQ(one["answers"][1]["by"], "ann");
  keeper_.Step();
  EXPECT_EQ(keeper_.Book()->answers.at(kId), "fixed");
}

TEST_F(IncidentPages, WithoutAuthenticationItIsRefused) {
  auto request = Post();
  request.is_authenticated = false;
  const auto response = Route(request);
  EXPECT_EQ(response.status, 403);
  EXPECT_THAT(*response.body, HasSubstr("--web.config.file"));
}

TEST_F(IncidentPages, FromAnotherSiteItIsRefused) {
  for (const auto* const origin :
       {"http://evil.example", "null", "http://diag:9838", "diag:9837", "http://diag:9837.evil"}) {
    auto request = Post();
    request.origin = origin;
    EXPECT_EQ(Route(request).status, 403) << origin;
  }
  auto request = Post();
  request.fetch_site = "cross-site";
  EXPECT_EQ(Route(request).status, 403);
  request = Post();
  request.content_type = "text/plain";
  EXPECT_EQ(Route(request).status, 415);
  request = Post();
  request.method = "GET";
  EXPECT_EQ(Route(request).status, 405);
  request = Post();
  request.origin = "https://diag:9837";
  request.fetch_site = "same-origin";
  EXPECT_EQ(Route(request).status, 200);
}

TEST_F(IncidentPages, WhatIsNoAnswerIsRefused) {
  for (const auto* const body :
       {"", "[]", "{", "{}", R"({"as":"good"})", R"({"as":1})", R"({"as":"fixed","note":[]})",
        R"({"as":"maintenance"})", R"({"as":"known","until":"soon"})",
        R"({"as":"known","until":"900d"})", R"({"as":"known","until":5})"}) {
    EXPECT_EQ(Route(Post(body)).status, 400) << body;
  }
  const std::string deep(60'000, '[');
  EXPECT_EQ(Route(Post(deep)).status, 400);
  auto request = Post();
  request.path = "/api/v1/incidents/0000000000000000/answer";
  EXPECT_EQ(Route(request).status, 404);
}

TEST_F(IncidentPages, ATextOfTheAnswerIsCleanAndShort) {
  const auto answer = *ParseAnswer(
      kId, json{{"as", "fixed"}, {"note", std::string(5000, 'x') + "\x1b"}, {"by", "a\nb"}}.dump(),
      "", clock_.Now());
  EXPECT_EQ(answer.note.size(), IncidentAnswer::kMaxNote);
  EXPECT_EQ(answer.by, "a\\x0ab");
}

}  // namespace
}  // namespace limpet::incident_pages_test
