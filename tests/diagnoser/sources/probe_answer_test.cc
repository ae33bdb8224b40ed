#include "diagnoser/sources/probe_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace limpet::probe_answer_test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using State = ProbeReading::State;

std::optional<ProbeReading> Read(const std::string& body) {
  FetchResult result;
  result.status = 200;
  result.body = body;
  return ReadProbeAnswer(result, {.node = "io01", .device = "sdb"});
}

ProbeReading ReadRefusal(unsigned status, const std::string& body) {
  FetchResult result;
  result.failure = FetchFailure::kStatus;
  result.status = status;
  result.error = "expected 200";
  result.body = body;
  return ReadProbeAnswer(result, {.node = "io01", .device = "sdb"}).value_or(ProbeReading{});
}

TEST(ProbeAnswer, IsAMedian) {
  const auto read = Read(R"({"device":"sdb","state":"done","age_seconds":0.3,"reads":30,)"
                         R"("median_seconds":0.0038,"max_seconds":0.02})");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, (ProbeReading{.node = "io01",
                                 .device = "sdb",
                                 .state = State::kMeasured,
                                 .reads = 30,
                                 .median = 0.0038}));
}

TEST(ProbeAnswer, IsAskedForAgainWhileTheDiskIsRead) {
  EXPECT_FALSE(Read(R"({"state":"running"})"));
  FetchResult busy;
  busy.failure = FetchFailure::kStatus;
  busy.status = 429;
  EXPECT_FALSE(ReadProbeAnswer(busy, {}));
}

TEST(ProbeAnswer, IsThatTheDiskDoesNotAnswer) {
  const auto read = Read(R"({"state":"no_answer","waited_seconds":10.5})");
  EXPECT_EQ(read->state, State::kNoAnswer);
  EXPECT_EQ(read->waited, 10'500ms);
}

TEST(ProbeAnswer, IsAnErrorOfTheDiskOrOfWhatStandsBeforeIt) {
  const auto disk = Read(R"({"state":"failed","disk_error":true,"error":"Input/output error"})");
  EXPECT_EQ(disk->state, State::kDiskError);
  EXPECT_EQ(disk->error, "Input/output error");
  const auto rights = Read(R"({"state":"failed","disk_error":false,"error":"denied"})");
  EXPECT_EQ(rights->state, State::kNone);
  EXPECT_EQ(rights->error, "denied");
}

TEST(ProbeAnswer, FromBeforeTheVerdictSaysNothingAboutIt) {
  const auto read = Read(R"({"state":"done","age_seconds":61,"reads":30,"median_seconds":1})");
  EXPECT_EQ(read->state, State::kNone);
  EXPECT_THAT(read->error, HasSubstr("older than the verdict"));
}

TEST(ProbeAnswer, ThatIsARefusalSaysWhatToDo) {
  EXPECT_THAT(ReadRefusal(401, "Unauthorized\n").error, HasSubstr("basic_auth"));
  EXPECT_EQ(ReadRefusal(403, "probes are off; probe.enabled\n").error,
            "probes are off; probe.enabled (403)");
  EXPECT_THAT(ReadRefusal(404, "").error, HasSubstr("a limpet-exporter with probes"));
  EXPECT_EQ(ReadRefusal(0, "").error, "expected 200");
}

TEST(ProbeAnswer, ThatIsNoneIsTakenForNone) {
  for (const auto* body :
       {"", "[]", "1", "{", "{}", R"({"state":"dancing"})", R"({"state":7})", R"({"state":"done"})",
        R"({"state":"done","reads":0,"median_seconds":1})",
        R"({"state":"done","reads":30,"median_seconds":-1})",
        R"({"state":"done","reads":30,"median_seconds":1e300})",
        R"({"state":"done","reads":"30","median_seconds":1})",
        R"({"state":"failed","error":["x"]})"}) {
    const auto read = Read(body);
    ASSERT_TRUE(read) << body;
    EXPECT_EQ(read->state, State::kNone) << body;
  }
  const auto longer = Read(R"({"state":"failed","error":")" + std::string(5000, 'x') + "\"}");
  EXPECT_LE(longer->error.size(), 300U);
}

}  // namespace
}  // namespace limpet::probe_answer_test
