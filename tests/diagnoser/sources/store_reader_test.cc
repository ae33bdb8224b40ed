#include "diagnoser/sources/store_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/fake_fetcher.h"
#include "tests/support/manual_clock.h"

namespace limpet::store_reader_test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

const StoreWants kNetwork{.kinds = {EntityKind::kInterface}};
constexpr std::size_t kQueries = 6;

struct StoreReaderTest : ::testing::Test {
  StoreReaderTest() {
    settings.endpoint.host = "store";
    settings.step = 15s;
    settings.lag = 30s;
    settings.catch_up = 5min;
    fetcher.answers["store"] = [this] { return Answer(); };
  }
  ~StoreReaderTest() override { fetcher.Stop(); }

  // A number behind NAME= in the path that is asked for, in seconds.
  std::int64_t Asked(const std::string& name) const {
    const auto& path = fetcher.asked.back();
    return std::stoll(path.substr(path.find("&" + name + "=") + name.size() + 2));
  }
  FetchResult Answer() {
    const auto first = Asked("start");
    const auto last = Asked("end");
    spans.push_back(static_cast<int>((last - first) / 15 + 1));
    if (trouble) {
      if (auto result = trouble(spans.back())) {
        return *result;
      }
    }
    std::string values;
    for (auto at = first; at <= last; at += 15) {
      values += (values.empty() ? "[" : ",[") + std::to_string(at) + ",\"5\"]";
    }
    FetchResult result;
    result.body =
        R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{)"
        R"("__name__":"node_network_receive_bytes_total","instance":"io01","device":"eth0"},)"
        R"("values":[)" +
        values + "]}]}}";
    return result;
  }
  static FetchResult Refused(unsigned status, const std::string& reason) {
    FetchResult result{.failure = FetchFailure::kStatus,
                       .error = "expected status 200, got " + std::to_string(status)};
    result.status = status;
    result.body = R"({"status":"error","error":")" + reason + "\"}";
    return result;
  }
  void Start(std::optional<UnixTime> resume = {}) { reader.Start(settings, kNetwork, resume); }
  std::vector<Duration> Untils() const {  // after the beginning
    std::vector<Duration> all;
    for (const auto& batch : batches) {
      all.push_back(batch.until - UnixFromSeconds(1'700'000'000));
    }
    return all;
  }

  testing::ManualClock clock;  // begins at a multiple of neither 15 s nor a minute: …00 % 15 = 5
  testing::FakeFetcher fetcher{clock};
  StoreSettings settings;
  std::vector<int> spans;
  std::function<std::optional<FetchResult>(int steps)> trouble;
  std::vector<StoreBatch> batches;
  StoreStatus status;
  std::vector<std::string> log;
  bool take = true;
  StoreReader reader{fetcher, clock,
                     [this](StoreBatch batch) {
                       batches.push_back(std::move(batch));
                       if (take) {
                         reader.ReadNext();
                       }
                     },
                     [this](const StoreStatus& now) { status = now; },
                     [this](LogLevel, std::string_view text) { log.emplace_back(text); }};
};

TEST_F(StoreReaderTest, ReadsEveryStepOnceItIsOldEnough) {
  Start(clock.Now() - 60s);
  fetcher.Run(1s);
  const auto begun = batches.size();
  EXPECT_GE(begun, 1U);
  fetcher.Run(60s);
  EXPECT_EQ(batches.size(), begun + 4);
  for (std::size_t i = 1; i < batches.size(); ++i) {
    EXPECT_EQ(batches[i].until - batches[i - 1].until, 15s);
  }
  for (const auto& batch : batches) {
    EXPECT_EQ(batch.until.time_since_epoch() % 15s, 0s);
    EXPECT_LE(batch.until + 30s, clock.Now());
  }
  EXPECT_LT(clock.Now() - batches.back().until, 30s + 15s);
  EXPECT_THAT(log, IsEmpty());
  EXPECT_EQ(batches[0].targets.at(0).node, "io01");
}

TEST_F(StoreReaderTest, AtFirstItReadsAsFarBackAsCatchUp) {
  Start();
  fetcher.Run(1s);
  ASSERT_FALSE(batches.empty());
  EXPECT_EQ(spans.front(), kMaxSteps + 2);  // 16 and two that were asked for before
  EXPECT_GE(clock.Now() - batches.front().until, 60s);
  fetcher.Run(1s);
  EXPECT_LT(clock.Now() - batches.back().until, 46s);
  EXPECT_THAT(log, IsEmpty());
}

TEST_F(StoreReaderTest, GoesOnWhereTheStateEndsAndSaysWhatIsTooLongAgo) {
  Start(clock.Now() - 2min);
  fetcher.Run(1s);
  EXPECT_THAT(log, IsEmpty());
  EXPECT_LE(batches.front().until - 15s * kMaxSteps, clock.Now() - 2min);
  clock.Advance(1h);  // the machine slept
  fetcher.Run(1s);
  fetcher.Run(1s);
  EXPECT_THAT(log, ElementsAre(HasSubstr("longer ago than catch_up (300 s)")));
  EXPECT_GT(status.skipped, 50min);
  EXPECT_LT(clock.Now() - batches.back().until, 46s);
}

TEST_F(StoreReaderTest, BeforeTheFirstAnswerNothingIsPassedOver) {
  trouble = [](int) { return Refused(503, "starting"); };
  Start();
  fetcher.Run(3min);
  trouble = nullptr;
  fetcher.Run(2min);
  EXPECT_FALSE(batches.empty());
  EXPECT_EQ(status.skipped, 0s);
  EXPECT_THAT(log, ElementsAre(HasSubstr("503"), HasSubstr("answers again")));
}

TEST_F(StoreReaderTest, WaitsUntilABatchHasBeenUsed) {
  take = false;
  settings.catch_up = 1h;
  Start(clock.Now() - 10min);
  fetcher.Run(10min);
  EXPECT_THAT(batches, SizeIs(1));
  reader.ReadNext();
  fetcher.Run(1s);
  EXPECT_THAT(batches, SizeIs(2));
  EXPECT_LE(batches[1].until - batches[0].until, 15s * kMaxSteps);
}

TEST_F(StoreReaderTest, AnErrorIsSaidOnceAndNothingIsLost) {
  Start(clock.Now() - 60s);
  fetcher.Run(30s);
  const auto before = batches.back().until;
  trouble = [](int) { return Refused(503, "ingester unavailable"); };
  fetcher.Run(2min);
  EXPECT_EQ(batches.back().until, before);
  EXPECT_FALSE(status.good);
  EXPECT_GE(status.failures["status"], 4U);
  EXPECT_LE(status.failures["status"], 9U);  // 1, 2, 4 … s apart
  EXPECT_THAT(log, ElementsAre(AllOf(HasSubstr("got 503: ingester unavailable"),
                                     HasSubstr("nothing is lost"))));
  trouble = nullptr;
  const auto failed_at = batches.size();
  fetcher.Run(70s);
  EXPECT_LT(clock.Now() - batches.back().until, 46s);
  EXPECT_GT(batches[failed_at].until, before);
  EXPECT_TRUE(status.good);
  EXPECT_THAT(log, Contains("prometheus: answers again"));
  for (std::size_t i = 1; i < batches.size(); ++i) {  // every step is in some batch
    EXPECT_LE(batches[i].until - batches[i - 1].until, 15s * kMaxSteps);
  }
}

TEST_F(StoreReaderTest, TooManySamplesAreAskedForInSmallerParts) {
  trouble = [](int steps) -> std::optional<FetchResult> {
    return steps > 6 ? std::optional(Refused(422, "query processing would load too many samples"))
                     : std::nullopt;
  };
  Start();
  fetcher.Run(5min);
  EXPECT_LT(clock.Now() - batches.back().until, 46s);
  EXPECT_THAT(log, Contains(HasSubstr("too many samples")));
  for (std::size_t i = 1; i < batches.size(); ++i) {
    EXPECT_LE(batches[i].until - batches[i - 1].until, 15s * 6);
  }
}

TEST_F(StoreReaderTest, RetryAfterIsHeard) {
  trouble = [](int) {
    auto result = Refused(429, "too many requests");
    result.retry_after = 40s;
    return result;
  };
  Start();
  fetcher.Run(39s);
  EXPECT_EQ(status.failures["status"], 1U);
  trouble = nullptr;
  fetcher.Run(2s);
  EXPECT_FALSE(batches.empty());
}

TEST_F(StoreReaderTest, APartialAnswerIsAskedForAgainAndThenTakenAndCounted) {
  trouble = [](int) {
    FetchResult result;
    result.body = R"({"status":"success","data":{"resultType":"matrix","result":[]},)"
                  R"("warnings":["store-gateway down"]})";
    return std::optional(result);
  };
  Start(clock.Now() - 60s);
  fetcher.Run(2s);
  EXPECT_THAT(batches, IsEmpty());
  EXPECT_THAT(log, ElementsAre(HasSubstr("the answer is partial: store-gateway down")));
  fetcher.Run(20s);
  EXPECT_FALSE(batches.empty());
  EXPECT_GE(status.partial, kQueries);
  EXPECT_THAT(log, Contains(HasSubstr("taken although partial")));
}

TEST_F(StoreReaderTest, AnAnswerThatIsNoneIsAnErrorToo) {
  trouble = [](int) {
    FetchResult result;
    result.body = "{\"status\":\"success\"";
    return std::optional(result);
  };
  Start();
  fetcher.Run(10s);
  EXPECT_THAT(batches, IsEmpty());
  EXPECT_THAT(log, ElementsAre(HasSubstr("expected JSON")));
}

TEST_F(StoreReaderTest, StopAsksNoMore) {
  Start();
  fetcher.Run(20s);
  reader.Stop();
  fetcher.Run(1s);
  const auto asked = fetcher.asked.size();
  fetcher.Run(5min);
  EXPECT_EQ(fetcher.asked.size(), asked);
  Start();
  fetcher.Run(20s);
  EXPECT_LT(clock.Now() - batches.back().until, 46s);
}

}  // namespace
}  // namespace limpet::store_reader_test
