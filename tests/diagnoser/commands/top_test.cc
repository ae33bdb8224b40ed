#include "diagnoser/commands/top.h"

#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "diagnoser/publish/top.h"
#include "exporter/common/web/server.h"
#include "tests/diagnoser/commands/run_program.h"
#include "tests/support/temp_folder.h"

namespace limpet::top_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::RunWith;
using ::testing::StartsWith;

TopList List() {
  return {.window_ends = {{"default", UnixFromSeconds(1'700'000'032)}},
          .entries = {{.preset = "default",
                       .metric = "await",
                       .group = "disks",
                       .component = "io02/sdb",
                       .accumulator = 41,
                       .flagged = true,
                       .degree = 10.25,
                       .cause = "disk-busy",
                       .kind = "component"}}};
}

// What stands in for a running diagnoser.
class TopCommandTest : public ::testing::Test {
 protected:
  // Its URL.
  std::string Serve(std::string body, std::optional<web::WebConfig> config = {}) {
    auto server = web::Server::Start(
        {.listen_addresses = {"127.0.0.1:0"}, .config = std::move(config), .limits = {}},
        [this, body = std::move(body)](const web::Request& request) {
          const std::lock_guard lock(mutex_);
          asked_ = request.path + "?" + request.query;
          auto answer = web::Text(200, body);
          answer.content_type = "application/json";
          return answer;
        },
        [](LogLevel, std::string_view) {});
    if (!server) {
      ADD_FAILURE() << server.error().Text();
      return {};
    }
    server_ = *std::move(server);
    return "http://" + server_->Addresses().front();
  }
  std::string Asked() {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

  testing::TempFolder folder_;
  std::mutex mutex_;
  std::string asked_;
  std::unique_ptr<web::Server> server_;
};

TEST_F(TopCommandTest, PrintsTheTableOfARunningDiagnoser) {
  const auto outcome = RunWith({"top", "--url", Serve(TopJson(List()))});
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_EQ(outcome.out, TopTable(List(), "await"));
  EXPECT_EQ(Asked(), "/api/v1/persistent?metric=&limit=20");  // of every metric
}

TEST_F(TopCommandTest, PrintsJsonForOtherPrograms) {
  const auto outcome = RunWith({"top", "--json", "--url", Serve(TopJson(List()))});
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_EQ(outcome.out, TopJson(List()));
}

TEST_F(TopCommandTest, AsksBelowThePathOfTheUrlForWhatIsWanted) {
  for (const std::string prefix : {"/limpet", "/limpet/"}) {
    const auto outcome = RunWith(
        {"top", "--url", Serve(TopJson({})) + prefix, "--metric", "read_bytes", "--limit", "3"});
    EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
    EXPECT_EQ(Asked(), "/limpet/api/v1/persistent?metric=read_bytes&limit=3");
    EXPECT_EQ(outcome.out, "no persistent anomalies of read_bytes\n");
  }
}

TEST_F(TopCommandTest, ThePasswordIsThatOfTheFileWithoutItsNewline) {
  web::WebConfig config;
  // Of "secret", from htpasswd -nbBC 4.
  config.users = {{"ann", "$2y$04$yiiWHzQrOr7iHiMfLc7.0OWeEsmVN3VkqnSWGT4EV/ZYn6nW5WY7q"}};
  const auto url = Serve(TopJson(List()), config);
  const auto with = [&](const std::string& file) {
    return RunWith({"top", "--url", url, "--username", "ann", "--password-file", file});
  };
  EXPECT_EQ(with(folder_.Write("right", "secret\n")).code, kExitOk);
  const auto wrong = with(folder_.Write("wrong", "Secret\n"));
  EXPECT_EQ(wrong.code, kExitFailed);
  EXPECT_THAT(wrong.err, HasSubstr("401"));
  const auto missing = with(folder_.Path("none"));
  EXPECT_EQ(missing.code, kExitUsage);
  EXPECT_THAT(missing.err, HasSubstr("--password-file: cannot read the password: "));
}

TEST_F(TopCommandTest, WhereNobodyAnswersItSaysWhereItAsked) {
  const auto url = Serve("");
  server_->Stop();
  const auto outcome = RunWith({"top", "--url", url});
  EXPECT_EQ(outcome.code, kExitFailed);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, AllOf(StartsWith(url + "/api/v1/persistent"),
                                 HasSubstr("is limpet-diagnoser running there? --url says where")));
}

TEST_F(TopCommandTest, AnAnswerOfSomethingElseIsRefused) {
  const auto outcome = RunWith({"top", "--url", Serve("{\"status\":\"success\"}")});
  EXPECT_EQ(outcome.code, kExitFailed);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("expected the list of /api/v1/persistent"));
}

TEST_F(TopCommandTest, OfRecordingsItPrintsTheHoursAndTheTable) {
  const auto config = folder_.Write("d.yml", testing::kQuickConfig);
  const auto recording = folder_.Write("all.om", testing::DiskRecording(40, 'c'));
  const auto outcome = RunWith({"top", "--config", config, recording});
  EXPECT_EQ(outcome.code, kExitOk) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("preset quick\nDate.Hour: Value PG:LUN-server\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\nawait by preset quick, window of 2023-11-14T22:1"));
  EXPECT_THAT(outcome.out, HasSubstr("  disk sda of c  disks "));
}

TEST_F(TopCommandTest, ARecordingThatIsMissingIsAFailureAConfigurationWrongUse) {
  const auto config = folder_.Write("d.yml", testing::kQuickConfig);
  const auto missing = RunWith({"top", "--config", config, folder_.Path("no.om")});
  EXPECT_EQ(missing.code, kExitFailed);
  EXPECT_THAT(missing.err, HasSubstr("no.om"));
  const auto no_config = RunWith({"top", "--config", folder_.Path("no.yml"), "a.om"});
  EXPECT_EQ(no_config.code, kExitUsage);
  EXPECT_THAT(no_config.err, HasSubstr("--config names the file to read"));
}

}  // namespace
}  // namespace limpet::top_test
