#include <filesystem>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "tests/exporter/running_command.h"

namespace limpet::serve_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ServeTest : public testing::RunningCommand {};

const std::vector<std::string> kServe = {"serve", "--web.listen-address", "127.0.0.1:0"};

std::vector<std::string> With(std::vector<std::string> arguments,
                              const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST_F(ServeTest, AnswersUntilItIsTold) {
  const auto config = folder_.Write("e.yml", "sampling: {interval: 100ms}\n");
  Start(With(kServe, {"--config", config}));
  const auto page =
      PageWhen([](const auto& got) { return got.find(" 200 ") != std::string::npos; });
  EXPECT_THAT(page, HasSubstr("limpet_config_last_reload_successful 1\n"));
  EXPECT_EQ(Stop(), kExitOk);
  EXPECT_THAT(Log(), HasSubstr("stopped\n"));
}

TEST_F(ServeTest, ReadsTheConfigurationAgainOrKeepsTheOneBefore) {
  const auto config = folder_.Write("e.yml", "sampling: {interval: 100ms}\n");
  Start(With(kServe, {"--config", config}));
  WaitForLog("listening on ");
  folder_.Write("e.yml", "sampling: {interval: 100ms}\ncollectors: {host: {enabled: false}}\n");
  Signal(SIGHUP);
  WaitForLog("configuration read again");
  const auto without = [](const auto& page) {
    return page.find(" 200 ") != std::string::npos &&
           page.find("limpet_load1 ") == std::string::npos;
  };
  EXPECT_THAT(PageWhen(without), Not(HasSubstr("limpet_load1 ")));

  folder_.Write("e.yml", "sampling: {interval: soon}\n");
  Signal(SIGHUP);
  EXPECT_THAT(WaitForLog("configuration refused"), HasSubstr("e.yml:1: sampling.interval"));
  const auto page = PageWhen([](const auto& got) {
    return got.find("limpet_config_last_reload_successful 0\n") != std::string::npos;
  });
  EXPECT_THAT(page, HasSubstr("limpet_config_last_reload_successful 0\n"));
  EXPECT_THAT(page, Not(HasSubstr("limpet_load1 "))) << "the one before stays";
  EXPECT_EQ(Stop(), kExitOk);
}

TEST_F(ServeTest, SaysThatAnAddressNeedsARestart) {
  const auto text = [](const std::string& port) {
    return "sampling: {interval: 100ms}\nweb: {listen_addresses: [\"127.0.0.1:" + port + "\"]}\n";
  };
  const auto config = folder_.Write("e.yml", text("0"));
  Start({"serve", "--config", config});
  WaitForLog("listening on ");
  folder_.Write("e.yml", text("1"));
  Signal(SIGHUP);
  EXPECT_THAT(WaitForLog("configuration read again"), HasSubstr("takes effect after a restart"));
}

TEST_F(ServeTest, AReloadThatIsRefusedInOnePartChangesNoOther) {
  const auto config = folder_.Write("e.yml", "sampling: {interval: 100ms}\n");
  const auto web =
      folder_.Write("web.yml", "http_server_config: {headers: {X-Frame-Options: deny}}\n");
  Start(With(kServe, {"--config", config, "--web.config.file", web}));
  WaitForLog("listening on ");
  folder_.Write("e.yml", "sampling: {interval: 100ms}\ncollectors: {host: {enabled: false}}\n");
  folder_.Write("web.yml", "headers: none\n");
  Signal(SIGHUP);
  EXPECT_THAT(WaitForLog("configuration refused"), HasSubstr("web.yml:1: headers: unknown key"));
  const auto page = PageWhen([](const auto& got) {
    return got.find("limpet_config_last_reload_successful 0\n") != std::string::npos;
  });
  EXPECT_THAT(page, HasSubstr("limpet_load1 "));
  EXPECT_THAT(page, HasSubstr("\r\nX-Frame-Options: deny\r\n"));
}

TEST_F(ServeTest, RecordsTheSamplesThatItServes) {
  const auto config = folder_.Write(
      "e.yml", "sampling: {interval: 100ms}\nrecord: {flush_interval: 1s, instance: io01}\n");
  Start(With(kServe, {"--config", config, "--record.dir", folder_.Path("r")}));
  const auto written = [](const auto& page) {
    return page.find("limpet_recorder_last_write_timestamp_seconds") != std::string::npos;
  };
  EXPECT_THAT(PageWhen(written), HasSubstr("limpet_recorder_up 1\n"));
  folder_.Write("e.yml", "sampling: {interval: 100ms}\n");
  Signal(SIGHUP);
  EXPECT_THAT(WaitForLog("configuration read again"),
              HasSubstr("record has changed: that takes effect after a restart"));
  EXPECT_EQ(Stop(), kExitOk);
  EXPECT_THAT(Log(), Not(HasSubstr("lost")));
  const std::filesystem::directory_iterator files(folder_.Path("r"));
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(ServeTest, GoesOnWhenItCannotRecordAndBeginsWhenItCan) {
  const auto config =
      folder_.Write("e.yml", "sampling: {interval: 100ms}\nrecord: {flush_interval: 1s, dir: " +
                                 folder_.Path("no/such") + "}\n");
  Start(With(kServe, {"--config", config}));
  EXPECT_THAT(WaitForLog("mkdir -p"), HasSubstr("/no/such: "));
  const auto has = [](const std::string& line) {
    return [line](const auto& page) { return page.find(line) != std::string::npos; };
  };
  EXPECT_THAT(PageWhen(has("limpet_recorder_up 0\n")), HasSubstr("limpet_load1 "));
  std::filesystem::create_directory(folder_.Path("no"));
  EXPECT_THAT(PageWhen(has("limpet_recorder_up 1\n")), HasSubstr("limpet_recorder_up 1\n"));
  EXPECT_THAT(WaitForLog("is written again; 0 samples were lost"), HasSubstr(".columns.zst"));
  EXPECT_EQ(Stop(), kExitOk);
}

TEST_F(ServeTest, EndsWhenItCannotBeginAndSaysWhy) {
  EXPECT_EQ(Run(With(kServe, {"--web.config.file", "/no/such/web.yml"})), kExitUsage);
  EXPECT_THAT(Log(), HasSubstr("/no/such/web.yml: "));
  EXPECT_EQ(Run({"serve", "--web.listen-address", "192.0.2.1:1"}), kExitFailed);
  EXPECT_THAT(Log(), HasSubstr("192.0.2.1:1: "));
}

}  // namespace
}  // namespace limpet::serve_test
