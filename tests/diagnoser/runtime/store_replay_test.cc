// A store on loopback that knows four servers, read as fast as it answers.
#include "diagnoser/runtime/store_replay.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "diagnoser/config/config.h"
#include "exporter/common/web/server.h"

namespace limpet::store_replay_test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using namespace std::chrono_literals;

constexpr UnixTime kBegin = UnixFromSeconds(1'700'000'000);

TEST(ParseInstant, ReadsUtcAndUnixSeconds) {
  EXPECT_EQ(ParseInstant("2023-11-14T22:13:20Z"), kBegin);
  EXPECT_EQ(ParseInstant("1700000000"), kBegin);
  EXPECT_EQ(ParseInstant("1700000000.250"), kBegin + 250ms);
}

TEST(ParseInstant, TakesNothingElse) {
  for (const auto* text :
       {"", "yesterday", "2023-11-14", "2023-11-14T22:13:20", "2023-13-14T22:13:20Z",
        "2023-11-14T22:13:20Z ", "1901-01-01T00:00:00Z", "nan"}) {
    EXPECT_EQ(ParseInstant(text), std::nullopt) << text;
  }
}

class StoreReplayTest : public ::testing::Test {
 protected:
  StoreReplayTest() {
    auto server = web::Server::Start(
        {.listen_addresses = {"127.0.0.1:0"}, .config = {}, .limits = {}},
        [this](const web::Request& request) {
          auto answer =
              web::Text(200, R"({"status":"success","data":{"resultType":"matrix","result":[)" +
                                 Series(request.query) + "]}}");
          answer.content_type = "application/json";
          return answer;
        },
        Sink());
    if (!server) {
      ADD_FAILURE() << server.error().Text();
      return;
    }
    server_ = *std::move(server);
  }

  // c takes 80 ms a request, the others 10; one reading at every step.
  std::string Series(const std::string& query) const {
    const std::string before = "%28limpet%7Cnode%29_disk_";
    const auto found = query.find(before);
    if (!knows_nodes_ || found == std::string::npos) {
      return {};
    }
    const bool instants = query.find("timestamp%28") != std::string::npos;
    const auto begin = found + before.size();
    const auto counter = query.substr(begin, query.find('%', begin) - begin);
    std::string series;
    for (const auto* node : {"a", "b", "c", "d"}) {
      const double await = *node == 'c' ? 0.08 : 0.01;
      const double rate = instants                             ? 1
                          : counter == "reads_completed_total" ? 60
                          : counter == "io_time_seconds_total" ? 12 * await
                          : counter.find("read_time") == 0 || counter.find("io_time_w") == 0
                              ? 60 * await
                              : 0;
      const auto name = fmt::format(R"("__name__":"node_disk_{}","device":"sda",)", counter);
      series +=
          fmt::format(R"({}{{"metric":{{{}"instance":"{}:9100","job":"node"}},"values":[{}]}})",
                      series.empty() ? "" : ",", instants ? "" : name, node, Values(query, rate));
    }
    return series;
  }
  std::string Values(const std::string& query, double rate) const {
    const auto number = [&](const std::string& key) {
      return std::stoll(query.substr(query.find("&" + key + "=") + key.size() + 2));
    };
    std::string values;
    for (auto at = number("start"); at <= number("end"); ++at) {
      if (at % apart_ != 0) {
        continue;
      }
      values += fmt::format("{}[{},\"{}\"]", values.empty() ? "" : ",", at,
                            rate * static_cast<double>(at));
    }
    return values;
  }

  Result<ReplayReport> Replay(Duration span) {
    const auto config = *ParseDiagnoserConfig(
        "presets: [{base: bare, name: quick, smoothing: 1, window: 8, shift: 4, k: 1}]\n"
        "peer_groups: [{name: disks, kind: storage}]\n"
        "source: prometheus\n"
        "prometheus: {url: \"http://127.0.0.1:" +
            std::to_string(server_->Port()) + "\", step: 1s, lag: 30s}\n",
        "test.yml", [](const std::string& path) {
          return Result<std::string>(Error{ErrorCode::kNotFound, "", path});
        });
    return ReplayStore(
        config.pipeline,
        {.settings = *config.store,
         .wants = WantsOf(config.all_groups, config.store->step),
         .begin = kBegin,
         .end = kBegin + span},
        [this](const Event& event) {
          if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
            indicted_.push_back(verdict->node);
          }
          summaries_ += std::holds_alternative<SummaryEvent>(event) ? 1 : 0;
        },
        Sink(), [this](UnixTime at, const ReplayReport&) { progress_.push_back(at); });
  }
  LogSink Sink() {
    return [this](LogLevel, std::string_view text) {
      const std::lock_guard lock(mutex_);
      log_.emplace_back(text);
    };
  }

  bool knows_nodes_ = true;
  int apart_ = 1;  // seconds between its readings
  std::vector<std::string> indicted_;
  int summaries_ = 0;
  std::vector<UnixTime> progress_;
  std::mutex mutex_;
  std::vector<std::string> log_;
  std::unique_ptr<web::Server> server_;
};

TEST_F(StoreReplayTest, ReadsTheWholeSpanAndNamesTheSlowOne) {
  const auto report = Replay(40s);
  ASSERT_TRUE(report) << report.error().Text();
  EXPECT_THAT(indicted_, Not(IsEmpty()));
  EXPECT_THAT(indicted_, Each("c"));
  EXPECT_EQ(summaries_, 1);
  EXPECT_GE(report->samples, 8U * 4 * 40);
  EXPECT_LE(report->first, kBegin);
  EXPECT_EQ(report->last, kBegin + 40s);
  EXPECT_EQ(report->bad_lines, 0U);
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(StoreReplayTest, ProgressGoesForwardUpToTheEnd) {
  ASSERT_TRUE(Replay(40s));
  ASSERT_GT(progress_.size(), 1U);
  EXPECT_TRUE(std::is_sorted(progress_.begin(), progress_.end()));
  EXPECT_EQ(progress_.back(), kBegin + 40s);
}

TEST_F(StoreReplayTest, ReadingsThatAreGapsApartAreTold) {
  apart_ = 20;
  ASSERT_TRUE(Replay(100s));
  EXPECT_THAT(indicted_, IsEmpty());
  EXPECT_THAT(log_, ElementsAre(HasSubstr("a reading every 20 s and is read every 1 s")));
}

TEST_F(StoreReplayTest, AStoreThatKnowsNobodyHasOnlyASummary) {
  knows_nodes_ = false;
  const auto report = Replay(40s);
  ASSERT_TRUE(report) << report.error().Text();
  EXPECT_EQ(report->samples, 0U);
  EXPECT_EQ(report->first, std::nullopt);
  EXPECT_THAT(indicted_, IsEmpty());
  EXPECT_EQ(summaries_, 1);
}

}  // namespace
}  // namespace limpet::store_replay_test
