#include "diagnoser/commands/explain.h"

#include <string>

#include "exporter/common/web/server.h"
#include "tests/diagnoser/commands/run_program.h"
#include "tests/support/temp_folder.h"

namespace limpet::explain_test {
namespace {

using ::testing::HasSubstr;
using testing::RunWith;
using ::testing::StartsWith;

class ExplainCommandTest : public ::testing::Test {
 protected:
  // Asks what stands in for a running diagnoser, which says this of who is judged.
  testing::Outcome Ask(const std::string& servers, const std::string& node) {
    auto server = web::Server::Start(
        {.listen_addresses = {"127.0.0.1:0"}, .config = std::nullopt, .limits = {}},
        [&](const web::Request& request) {
          auto answer =
              web::Text(200, request.path == "/api/v1/judged" ? R"({"servers": [)" + servers + "]}"
                                                              : R"({"verdicts": []})");
          answer.content_type = "application/json";
          return answer;
        },
        [](LogLevel, std::string_view) {});
    if (!server) {
      ADD_FAILURE() << server.error().Text();
      return {};
    }
    return RunWith({"explain", node, "--url", "http://" + (*server)->Addresses().front()});
  }
  testing::Outcome Replay(const std::string& recording, const std::string& node,
                          const std::string& more = "") {
    return RunWith({"explain", node, "--config",
                    folder_.Write("d.yml", testing::kQuickConfig + more),
                    folder_.Write("all.om", recording)});
  }

  testing::TempFolder folder_;
};

TEST_F(ExplainCommandTest, LikeItsPeersIsSaidOnlyOfAServerThatIsJudged) {
  const auto judged = Ask(R"({"node": "a", "state": "like-peers", "text": "like its peers"})", "a");
  EXPECT_EQ(judged.code, kExitOk) << judged.err;
  EXPECT_EQ(judged.out, "a: like its peers\n");
  const auto masked =
      Ask(R"({"node": "a", "state": "not-judged", "text": "not judged: masked"})", "a");
  EXPECT_EQ(masked.code, kExitFailed);
  EXPECT_EQ(masked.out, "a: not judged: masked\n");
}

TEST_F(ExplainCommandTest, OfRecordingsItTellsIncidentsAndWhoWasCompared) {
  const auto recording = testing::DiskRecording(40, 'c');
  const auto limps = Replay(recording, "c");
  EXPECT_EQ(limps.code, kExitOk) << limps.err;
  EXPECT_THAT(limps.out,
              StartsWith("c: indicted: disk-busy (preset quick)\n  from    2023-11-14T"));
  EXPECT_THAT(limps.out, HasSubstr("\n  named   2023-11-14T"));
  EXPECT_EQ(Replay(recording, "a").out, "a: like its peers\n");
  const auto nobody = Replay(recording, "e");
  EXPECT_EQ(nobody.code, kExitFailed);
  EXPECT_THAT(nobody.err, HasSubstr("no server of the recordings is called e"));
}

TEST_F(ExplainCommandTest, OfRecordingsThatComparedNothingItFails) {
  const auto masked = Replay(testing::DiskRecording(40), "a", "masked: [a, b]\n");
  EXPECT_EQ(masked.code, kExitFailed);
  EXPECT_THAT(masked.err, HasSubstr("explain: nothing was compared: "));
  const auto one = Replay(testing::DiskRecording(40), "a", "masked: [a]\n");
  EXPECT_EQ(one.code, kExitFailed);
  EXPECT_EQ(one.out, "a: not judged: masked\n");
}

}  // namespace
}  // namespace limpet::explain_test
