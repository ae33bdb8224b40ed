#include "diagnoser/runtime/sink_senders.h"

#include <gmock/gmock.h>

#include "tests/support/fake_fetcher.h"
#include "tests/support/manual_clock.h"

namespace limpet::sink_senders_test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class SinkSendersTest : public ::testing::Test {
 protected:
  SinkSendersTest() {
    fetcher_.answers["good"] = [] { return FetchResult{.status = 200}; };
    fetcher_.answers["bad"] = [] {
      return FetchResult{.failure = FetchFailure::kStatus, .error = "got 500", .retry_after = 30s};
    };
    senders_.SetSinks({{.name = "one", .endpoint = {.host = "good"}},
                       {.name = "two", .endpoint = {.host = "bad"}},
                       {.name = "three", .endpoint = {.host = "silent"}}});
  }
  void Send(const std::string& sink, std::int64_t number) {
    senders_.Send({.number = number, .sink = sink, .attempts = 2, .body = "body of " + sink});
  }

  testing::ManualClock clock_;
  testing::FakeFetcher fetcher_{clock_};
  int woken_ = 0;
  SinkSenders senders_{&fetcher_, [this] { ++woken_; }};
};

TEST_F(SinkSendersTest, EachSinkHasOneMessageOnItsWay) {
  EXPECT_TRUE(senders_.IsBusy("unknown"));
  EXPECT_FALSE(senders_.IsBusy("one"));
  Send("one", 7);
  Send("two", 8);
  Send("three", 9);
  EXPECT_TRUE(senders_.IsBusy("one"));
  fetcher_.Run(1s);
  EXPECT_EQ(woken_, 2);
  const auto outcomes = senders_.Take();
  ASSERT_THAT(outcomes, SizeIs(2));
  EXPECT_EQ(outcomes[0].entry.number, 7);
  EXPECT_TRUE(outcomes[0].ok);
  EXPECT_EQ(outcomes[1].error, "got 500");
  EXPECT_EQ(outcomes[1].entry.attempts, 2U);
  EXPECT_EQ(outcomes[1].retry_after, 30s);
  EXPECT_FALSE(senders_.IsBusy("one"));
  EXPECT_TRUE(senders_.IsBusy("three"));  // it holds up no other
  EXPECT_THAT(fetcher_.sent, ElementsAre("body of one", "body of two", "body of three"));
}

TEST_F(SinkSendersTest, AReloadKeepsWhatIsTheSame) {
  Send("one", 7);
  senders_.SetSinks({{.name = "one", .endpoint = {.host = "good"}},
                     {.name = "two", .endpoint = {.host = "good"}}});
  EXPECT_TRUE(senders_.IsBusy("one"));
  EXPECT_FALSE(senders_.IsBusy("two"));
  EXPECT_TRUE(senders_.IsBusy("three"));  // gone
  fetcher_.Run(1s);
  EXPECT_THAT(senders_.Take(), SizeIs(1));
}

// A patch goes to the object it is about; an Event that is there already has been told.
TEST_F(SinkSendersTest, KubernetesGetsEventsOnceAndConditionsByPatch) {
  fetcher_.answers["api"] = [] {
    return FetchResult{.failure = FetchFailure::kStatus, .error = "got 409", .status = 409};
  };
  senders_.SetSinks(
      {{.name = "event", .kind = SinkKind::kKubernetesEvent, .endpoint = {.host = "api"}},
       {.name = "state", .kind = SinkKind::kKubernetesCondition, .endpoint = {.host = "api"}}});
  senders_.Send({.number = 1, .sink = "event", .body = "{}"});
  senders_.Send({.number = 2, .sink = "state", .body = R"({"metadata":{"name":"io 3/x"}})"});
  fetcher_.Run(1s);
  EXPECT_THAT(fetcher_.methods, ElementsAre("POST", "PATCH"));
  EXPECT_THAT(fetcher_.asked, ElementsAre("", "/api/v1/nodes/io%203%2Fx/status"));
  const auto outcomes = senders_.Take();
  ASSERT_THAT(outcomes, SizeIs(2));
  EXPECT_TRUE(outcomes[0].ok);
  EXPECT_FALSE(outcomes[1].ok);
}

TEST_F(SinkSendersTest, SyslogIsToldAtOnceOrSaysWhatIsWrong) {
  senders_.SetSinks({{.name = "log", .kind = SinkKind::kSyslog, .socket = "/nowhere/log"}});
  senders_.Send({.number = 1, .sink = "log", .body = "<28>limpet-diagnoser: text"});
  const auto outcomes = senders_.Take();
  ASSERT_THAT(outcomes, SizeIs(1));
  EXPECT_EQ(outcomes[0].error, "/nowhere/log: No such file or directory");
  EXPECT_FALSE(senders_.IsBusy("log"));
}

TEST(SinkSenders, WithoutAFetcherNobodyIsTold) {
  SinkSenders senders(nullptr, [] {});
  senders.SetSinks({{.name = "one"}});
  EXPECT_TRUE(senders.IsBusy("one"));
  EXPECT_THAT(senders.Take(), IsEmpty());
}

TEST(SinkSenders, PausesGrowUpToTenMinutes) {
  EXPECT_EQ(SinkPause(0), 5s);
  EXPECT_EQ(SinkPause(1), 10s);
  EXPECT_EQ(SinkPause(6), 320s);
  EXPECT_EQ(SinkPause(7), 10min);
  EXPECT_EQ(SinkPause(4'000'000'000), 10min);
}

}  // namespace
}  // namespace limpet::sink_senders_test
