#include <algorithm>
#include <filesystem>
#include <thread>

#include "tests/exporter/running_command.h"

namespace limpet::record_command_test {
namespace {

using ::testing::HasSubstr;

class RecordCommandTest : public testing::RunningCommand {};

TEST_F(RecordCommandTest, WritesAFileUntilItIsTold) {
  const auto config = folder_.Write(
      "e.yml", "sampling: {interval: 100ms}\nrecord: {flush_interval: 1s, instance: io01}\n");
  const auto output = folder_.Path("recordings");
  Start({"record", "--config", config, "--output-dir", output});
  WaitForLog("recording into " + output);
  const auto has_data = [&] {
    const std::filesystem::directory_iterator files(output);
    return std::any_of(begin(files), end(files),
                       [](const auto& file) { return file.file_size() > 0; });
  };
  while (!has_data()) {
    std::this_thread::yield();
  }
  EXPECT_EQ(Stop(), kExitOk);
  EXPECT_THAT(Log(), HasSubstr(" in 1 files; 0 pieces and 0 samples lost"));
}

TEST_F(RecordCommandTest, EndsWhenItCannotBegin) {
  EXPECT_EQ(Run({"record"}), kExitUsage);
  EXPECT_THAT(Log(), HasSubstr("--output-dir: expected a folder"));
  const auto file = folder_.Write("file", "");
  EXPECT_EQ(Run({"record", "--output-dir", file}), kExitFailed);
}

}  // namespace
}  // namespace limpet::record_command_test
