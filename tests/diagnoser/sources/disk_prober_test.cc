#include "diagnoser/sources/disk_prober.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/fake_fetcher.h"

namespace limpet::disk_prober_test {
namespace {

using namespace std::chrono_literals;
using ::testing::Each;
using State = ProbeReading::State;

FetchResult Say(const std::string& body) {
  FetchResult result;
  result.status = 200;
  result.body = body;
  return result;
}

FetchResult Done(double median) {
  return Say(R"({"state":"done","age_seconds":0,"reads":30,"median_seconds":)" +
             std::to_string(median) + "}");
}

ProbeRound MakeRound(const std::vector<std::string>& nodes) {
  ProbeRound round;
  for (const auto& node : nodes) {
    round.push_back({.node = node, .device = "sdb", .endpoint = {.host = node}});
  }
  return round;
}

class DiskProberTest : public ::testing::Test {
 protected:
  testing::ManualClock clock_;
  testing::FakeFetcher fetcher_{clock_};
  std::vector<ProbeReadings> got_;
  DiskProber prober_{fetcher_, clock_,
                     [this](ProbeReadings readings) { got_.push_back(std::move(readings)); }};
};

TEST_F(DiskProberTest, AsksThreeAndAgainUntilTheyHaveRead) {
  int asked = 0;
  fetcher_.answers["a"] = [&] { return ++asked < 4 ? Say(R"({"state":"running"})") : Done(0.04); };
  fetcher_.answers["b"] = [] { return Done(0.004); };
  fetcher_.answers["c"] = [] { return Say("no"); };
  prober_.Ask(MakeRound({"a", "b", "c"}));
  fetcher_.Run(400ms);
  EXPECT_TRUE(got_.empty());
  fetcher_.Run(2s);
  ASSERT_EQ(got_.size(), 1U);
  ASSERT_EQ(got_[0].size(), 3U);
  EXPECT_EQ(got_[0][0].node, "a");
  EXPECT_EQ(got_[0][0].median, 0.04);
  EXPECT_EQ(got_[0][1].median, 0.004);
  EXPECT_EQ(got_[0][2].state, State::kNone);
  EXPECT_EQ(asked, 4);
  EXPECT_THAT(fetcher_.asked, Each("/probe/disk?device=sdb"));
}

TEST_F(DiskProberTest, DoesOneRoundAfterTheOther) {
  fetcher_.answers["a"] = [] { return Done(1); };
  for (int i = 0; i < 10; ++i) {
    prober_.Ask(MakeRound({"a"}));
  }
  fetcher_.Run(1s);
  EXPECT_EQ(got_.size(), 1 + DiskProber::kMaxWaiting) << "the others are dropped";
  prober_.Ask(MakeRound({"a"}));
  fetcher_.Run(1s);
  EXPECT_EQ(got_.size(), 2 + DiskProber::kMaxWaiting);
}

TEST_F(DiskProberTest, GivesUpAnExporterThatComesToNoEnd) {
  fetcher_.answers["a"] = [] { return Say(R"({"state":"running"})"); };
  prober_.Ask(MakeRound({"a"}));
  fetcher_.Run(DiskProber::kPatience - 2s);
  EXPECT_TRUE(got_.empty());
  fetcher_.Run(5s);
  ASSERT_EQ(got_.size(), 1U);
  EXPECT_EQ(got_[0][0].error, "its exporter came to no end");
  EXPECT_LT(fetcher_.asked.size(), 60U) << "less and less often";
}

TEST(ProbePath, StandsBesideTheMetrics) {
  EXPECT_EQ(ProbePath("/metrics", "sdb"), "/probe/disk?device=sdb");
  EXPECT_EQ(ProbePath("/io01/metrics?format=x/y", "cciss!c0d0"),
            "/io01/probe/disk?device=cciss%21c0d0");
  EXPECT_EQ(ProbePath("/", "a&b=c d"), "/probe/disk?device=a%26b%3Dc%20d");
}

}  // namespace
}  // namespace limpet::disk_prober_test
