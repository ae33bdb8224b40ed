#include "diagnoser/federation/federated_pages.h"

#include <gtest/gtest.h>

#include "tests/diagnoser/federation/answers_said.h"

namespace limpet::federated_pages_test {
namespace {

// Answers at once with what it is told; remembers what it was asked.
struct Answering final : Fetcher {
  std::string body = R"({"node":"io01"})";
  std::vector<std::string> asked;

  struct Line final : Connection {
    Line(Answering& world, std::string to) : answering(world), path(std::move(to)) {}
    void SetPath(std::string to) override { path = std::move(to); }
    void Get(Duration, std::function<void(FetchResult)> done) override {
      answering.asked.push_back(path);
      FetchResult result;
      result.body = answering.body;
      if (answering.body.empty()) {
        result.failure = FetchFailure::kStatus;
        result.status = 404;
      }
      done(std::move(result));
    }
    void Send(Upload, Duration, std::function<void(FetchResult)>) override {}
    Answering& answering;
    std::string path;
  };
  std::unique_ptr<Connection> Open(const Endpoint& endpoint) override {
    return std::make_unique<Line>(*this, endpoint.path);
  }
  void RunAt(SteadyTime, std::function<void()>) override {}
  void Post(std::function<void()> task) override { task(); }
  void Stop() override {}
};

class FederatedPagesTest : public testing::Test {
 protected:
  static FederationMember Member(const std::string& name) {
    FederationMember member;
    member.name = name;
    member.endpoint.path = "";
    return member;
  }
  web::Response Get(const std::string& path, const std::string& query = "") {
    web::Request request;
    request.method = "GET";
    request.path = path;
    request.query = query;
    auto response = pages_(request);
    if (response.later) {
      web::Response told;
      response.later([&](web::Response answer) { told = std::move(answer); });
      return told;
    }
    return response;
  }

  Merger merger_{"0.1.0"};
  std::vector<MemberState> states_ = {StateOf("north"), StateOf("south")};
  std::shared_ptr<const MergedView> view_ = merger_.Merge(states_, UnixFromSeconds(1001));
  Answering answering_;
  Viewers viewers_;
  web::Handler pages_ = FederatedPages({.latest = [this] { return view_; },
                                        .members = {Member("north"), Member("south")},
                                        .fetcher = &answering_,
                                        .viewers = &viewers_});
};

TEST_F(FederatedPagesTest, ClusterMembersAndVerdictsAreThoseOfAll) {
  EXPECT_EQ(ApiJson::parse(*Get("/api/v1/cluster").body)["nodes"].size(), 4U);
  EXPECT_EQ(ApiJson::parse(*Get("/api/v1/members").body)["members"].size(), 2U);
  EXPECT_EQ(ApiJson::parse(*Get("/api/v1/verdicts").body)["verdicts"].size(), 2U);
  EXPECT_EQ(ApiJson::parse(*Get("/api/v1/verdicts", "to=800").body)["verdicts"].size(), 0U);
  EXPECT_EQ(Get("/api/v1/verdicts", "from=x").status, 400);
}

TEST_F(FederatedPagesTest, OneNodeIsAskedOfItsDiagnoser) {
  const auto response =
      Get("/api/v1/series", "node=south%2Fio01&component=south%2Fio01%2Fsda&from=5");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(ApiJson::parse(*response.body)["node"], "south/io01");
  EXPECT_EQ(answering_.asked,
            std::vector<std::string>{"/api/v1/series?node=io01&component=io01%2Fsda&from=5"});
  EXPECT_EQ(Get("/api/v1/series", "node=io01").status, 400);
  EXPECT_EQ(Get("/api/v1/series", "node=west%2Fio01").status, 404);
}

TEST_F(FederatedPagesTest, EvidenceByItsId) {
  EXPECT_EQ(Get("/api/v1/evidence/north.00000000000000aa").status, 200);
  EXPECT_EQ(answering_.asked.back(), "/api/v1/evidence/00000000000000aa");
  EXPECT_EQ(Get("/api/v1/evidence/00000000000000aa").status, 404);
  EXPECT_EQ(Get("/api/v1/evidence/west.00000000000000aa").status, 404);
  (void)Get("/api/v1/incidents/north.a%2F..%2F..");
  EXPECT_EQ(answering_.asked.back().find("/.."), std::string::npos);
}

TEST_F(FederatedPagesTest, WhatADiagnoserDoesNotHaveIsNotFound) {
  answering_.body.clear();
  EXPECT_EQ(Get("/api/v1/evidence/north.00").status, 404);
  EXPECT_EQ(Get("/api/v1/top").status, 503);  // neither of them
  const auto judged = ApiJson::parse(*Get("/api/v1/judged").body);
  EXPECT_EQ(judged["not_judged"], 4);
}

TEST_F(FederatedPagesTest, ThePastIsAskedOfAll) {
  answering_.body = R"({"since":900})";
  const auto past = ApiJson::parse(*Get("/api/v1/past", "at=1000.5").body);
  EXPECT_EQ(past["since"], 900);
  EXPECT_EQ(answering_.asked, std::vector<std::string>(2, "/api/v1/past?at=1000.5"));
  EXPECT_EQ(Get("/api/v1/past").status, 400);
  EXPECT_EQ(Get("/api/v1/past", "at=yesterday").status, 400);
  answering_.body.clear();  // too old to know the path
  EXPECT_EQ(Get("/api/v1/past", "at=1000").status, 503);
}

TEST_F(FederatedPagesTest, GarbageOfADiagnoserIsSaid) {
  answering_.body = "<html>";
  EXPECT_EQ(Get("/api/v1/activity", "node=north%2Fio01").status, 503);
}

TEST_F(FederatedPagesTest, NothingIsPosted) {
  web::Request request;
  request.method = "POST";
  request.path = "/api/v1/incidents/north.00/answer";
  EXPECT_EQ(pages_(request).status, 405);
}

}  // namespace
}  // namespace limpet::federated_pages_test
