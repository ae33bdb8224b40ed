#include "diagnoser/sources/scraper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/fake_fetcher.h"
#include "tests/support/manual_clock.h"

namespace limpet::scraper_test {
namespace {

using ::testing::Contains;
using ::testing::Not;
using namespace std::chrono_literals;

TargetPtr TargetAt(const std::string& node, Duration interval = 1s) {
  return std::make_shared<const Target>(
      Target{.node = node, .endpoint = {.host = node}, .interval = interval});
}

struct ScraperTest : ::testing::Test {
  ~ScraperTest() override { fetcher.Stop(); }

  void Answer(const std::string& host) {
    fetcher.answers[host] = [host] { return FetchResult{.failure = {}, .body = host + " 1\n"}; };
  }

  testing::ManualClock clock;
  testing::FakeFetcher fetcher{clock};
  std::vector<std::string> nodes;
  std::vector<UnixTime> instants;
  Scraper scraper{fetcher, clock, [this](FetchedPage page) {
                    nodes.push_back(page.target->node);
                    instants.push_back(page.result.asked_at);
                  }};
};

TEST_F(ScraperTest, AsksEveryTargetOnceAnInterval) {
  Answer("a");
  Answer("b");
  scraper.SetTargets({TargetAt("a"), TargetAt("b", 5s)});
  fetcher.Run(20s);
  EXPECT_EQ(std::count(nodes.begin(), nodes.end(), "a"), 20);
  EXPECT_EQ(std::count(nodes.begin(), nodes.end(), "b"), 4);
  EXPECT_EQ(fetcher.opened["a"], 1);
}

TEST_F(ScraperTest, KeepsTheSamePhaseForever) {
  Answer("a");
  scraper.SetTargets({TargetAt("a")});
  fetcher.Run(10s);
  for (const auto at : instants) {
    EXPECT_EQ(at.time_since_epoch() % 1s, instants[0].time_since_epoch() % 1s);
  }
}

TEST_F(ScraperTest, ATargetThatHangsHoldsUpNobody) {
  Answer("a");
  scraper.SetTargets({TargetAt("hangs"), TargetAt("a")});
  fetcher.Run(10s);
  EXPECT_EQ(nodes.size(), 10U);
}

TEST_F(ScraperTest, AChangeOfTargetsTakesEffectAndKeepsTheOthersConnections) {
  Answer("a");
  Answer("b");
  Answer("c");
  scraper.SetTargets({TargetAt("a"), TargetAt("b")});
  fetcher.Run(3s);
  nodes.clear();
  scraper.SetTargets({TargetAt("a"), TargetAt("c")});
  fetcher.Run(3s);
  EXPECT_THAT(nodes, Contains("c"));
  EXPECT_THAT(nodes, Not(Contains("b")));
  EXPECT_EQ(std::count(nodes.begin(), nodes.end(), "a"), 3);
  EXPECT_EQ(fetcher.opened["a"], 1);
}

TEST_F(ScraperTest, ATargetThatIsRemovedAndComesBackIsAskedOnceAnInterval) {
  Answer("a");
  scraper.SetTargets({TargetAt("a")});
  fetcher.Run(2500ms);
  scraper.SetTargets({});
  fetcher.Run(0s);
  scraper.SetTargets({TargetAt("a")});
  nodes.clear();
  fetcher.Run(5s);
  EXPECT_EQ(nodes.size(), 5U);
}

TEST_F(ScraperTest, AStepOfTheWallClockCostsAtMostOneInterval) {
  Answer("a");
  scraper.SetTargets({TargetAt("a")});
  fetcher.Run(5s);
  clock.StepWall(-3h);
  nodes.clear();
  fetcher.Run(5s);
  EXPECT_GE(nodes.size(), 4U);
}

TEST_F(ScraperTest, AListIsAskedForAtOnce) {
  Answer("inventory");
  Scraper lists(
      fetcher, clock, [this](FetchedPage page) { nodes.push_back(page.target->node); },
      Scraper::First::kAtOnce);
  lists.SetTargets({TargetAt("inventory", 60s)});
  fetcher.Run(1ms);
  EXPECT_EQ(nodes.size(), 1U);
  fetcher.Run(5min);
  EXPECT_EQ(nodes.size(), 6U);
  fetcher.Stop();
}

}  // namespace
}  // namespace limpet::scraper_test
