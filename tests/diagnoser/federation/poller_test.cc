#include "diagnoser/federation/poller.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "tests/diagnoser/federation/answers_said.h"

namespace limpet::poller_test {
namespace {

using namespace std::chrono_literals;

const std::string kFrame = "a frame of now";

// Answers what `pages` holds at once; another path is 404, and a dead host gives no answer.
struct Fake final : Fetcher, Clock {
  std::map<std::string, std::string> pages;  // by host and path without query
  int version = 7;                           // of frames
  std::map<std::string, int> asked;
  std::deque<std::function<void()>> posted;
  std::multimap<SteadyTime, std::function<void()>> timers;
  SteadyTime steady{};

  struct Line final : Connection {
    Line(Fake& world, std::string host) : fake(world), name(std::move(host)) {}
    void SetPath(std::string to) override { path = std::move(to); }
    void Get(Duration, std::function<void(FetchResult)> done) override {
      const auto key = name + path.substr(0, path.find('?'));
      ++fake.asked[key];
      FetchResult result;
      const auto page = fake.pages.find(key);
      if (page != fake.pages.end()) {
        result.body = page->second == kFrame
                          ? FrameSaid(fake.Seconds(), fake.Seconds(), fake.version)
                          : page->second;
        result.status = 200;
      } else {
        result.failure = fake.pages.contains(name) ? FetchFailure::kStatus : FetchFailure::kConnect;
        result.status = result.failure == FetchFailure::kStatus ? 404 : 0;
        result.error = "refused";
      }
      result.asked_at = fake.Now();
      fake.posted.push_back([done, result] { done(result); });
    }
    void Send(Upload, Duration, std::function<void(FetchResult)>) override {}
    Fake& fake;
    std::string name;
    std::string path;
  };

  std::unique_ptr<Connection> Open(const Endpoint& endpoint) override {
    return std::make_unique<Line>(*this, endpoint.host);
  }
  void RunAt(SteadyTime when, std::function<void()> task) override {
    timers.emplace(when, std::move(task));
  }
  void Post(std::function<void()> task) override { posted.push_back(std::move(task)); }
  void Stop() override {}
  UnixTime Now() const override { return UnixFromSeconds(1000) + steady.time_since_epoch(); }
  SteadyTime Steady() const override { return steady; }
  double Seconds() const { return 1000 + ToSeconds(steady.time_since_epoch()); }

  void RunFor(Duration time) {
    const auto end = steady + time;
    while (!posted.empty() || (!timers.empty() && timers.begin()->first <= end)) {
      if (posted.empty()) {
        steady = std::max(steady, timers.begin()->first);
        posted.push_back(timers.extract(timers.begin()).mapped());
      }
      const auto task = std::move(posted.front());
      posted.pop_front();
      task();
    }
    steady = end;
  }
  void Says(const std::string& host) {
    pages[host] = "";
    pages[host + "/api/v1/cluster"] = ClusterSaid();
    pages[host + "/api/v1/frame"] = kFrame;
    pages[host + "/api/v1/verdicts"] = VerdictsSaid();
  }
};

class PollerTest : public testing::Test {
 protected:
  static FederationMember Member(const std::string& name) {
    FederationMember member;
    member.name = name;
    member.endpoint.host = name;
    member.endpoint.path = "";
    return member;
  }
  ApiJson Marks(std::size_t member) const {
    return ApiJson::parse(*view_->members_json)["members"][member]["marks"];
  }

  Fake fake_;
  std::vector<std::string> log_;
  std::shared_ptr<const MergedView> view_;
  Poller poller_{fake_,
                 fake_,
                 {Member("north"), Member("south")},
                 "0.1.0",
                 [this](std::shared_ptr<const MergedView> view) { view_ = std::move(view); },
                 [this](LogLevel, std::string_view line) { log_.emplace_back(line); }};
};

TEST_F(PollerTest, ThereIsAViewBeforeAnybodyHasAnswered) {
  ASSERT_TRUE(view_);
  EXPECT_EQ(Marks(0)[0]["mark"], "down");
}

TEST_F(PollerTest, OneThatIsDeadHoldsUpNoOther) {
  fake_.Says("north");
  poller_.Start();
  fake_.RunFor(3s);
  EXPECT_EQ(view_->cluster->nodes.size(), 2U);
  EXPECT_EQ(view_->verdicts.size(), 1U);
  EXPECT_EQ(Marks(0), ApiJson::array());
  EXPECT_EQ(Marks(1)[0]["text"], "has never answered: refused");
  EXPECT_EQ(fake_.asked["north/api/v1/cluster"], 1);
  EXPECT_LE(fake_.asked["north/api/v1/frame"], 5);
  EXPECT_LE(fake_.asked["south/api/v1/cluster"], 5);
}

TEST_F(PollerTest, OneThatVanishesIsMarkedAndComesBack) {
  fake_.Says("north");
  poller_.Start();
  fake_.RunFor(3s);
  const auto pages = std::exchange(fake_.pages, {});
  fake_.RunFor(8s);
  EXPECT_EQ(Marks(0)[0]["mark"], "down");
  EXPECT_EQ(view_->cluster->nodes.size(), 2U);
  fake_.pages = pages;
  fake_.RunFor(2s);
  EXPECT_EQ(Marks(0), ApiJson::array());
  EXPECT_EQ(log_, (std::vector<std::string>{"south: does not answer: refused",
                                            "north: does not answer: refused",
                                            "north: answers again after 9 s"}));
}

TEST_F(PollerTest, OtherMembersAreAskedInsteadOfThose) {
  fake_.Says("north");
  fake_.Says("west");
  poller_.Start();
  fake_.RunFor(3s);
  const auto before = view_->cluster->version;
  poller_.SetMembers({Member("north"), Member("west")});
  fake_.RunFor(200ms);
  EXPECT_EQ(Marks(0), ApiJson::array());  // it is not forgotten
  fake_.RunFor(3s);
  EXPECT_EQ(view_->cluster->nodes.size(), 4U);
  EXPECT_GT(view_->cluster->version, before);
  const auto asked = fake_.asked;
  fake_.RunFor(10s);
  EXPECT_EQ(fake_.asked["south/api/v1/cluster"], asked.at("south/api/v1/cluster"));
  EXPECT_LE(fake_.asked["north/api/v1/frame"] - asked.at("north/api/v1/frame"), 11);
}

TEST_F(PollerTest, NodesAreReadAgainWhenTheyHaveChanged) {
  fake_.Says("north");
  poller_.Start();
  fake_.RunFor(2s);
  fake_.pages["north/api/v1/cluster"] = ClusterSaid("io01 io02 io03", 8);
  fake_.version = 8;
  fake_.RunFor(3s);
  EXPECT_EQ(view_->cluster->nodes.size(), 3U);
}

TEST_F(PollerTest, AnOlderOneWithoutFramesKeepsItsNodesAndVerdicts) {
  fake_.Says("north");
  fake_.pages.erase("north/api/v1/frame");
  poller_.Start();
  fake_.RunFor(5s);
  EXPECT_EQ(Marks(0)[0]["mark"], "version");
  EXPECT_EQ(view_->cluster->nodes.size(), 2U);
  EXPECT_EQ(view_->verdicts.size(), 1U);
}

}  // namespace
}  // namespace limpet::poller_test
