#include "exporter/settings_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "exporter/app.h"
#include "tests/support/temp_folder.h"

namespace limpet::settings_flags_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The settings of a subcommand that does nothing else, from arguments as a user types them.
template <class Options>
Result<Settings> Loaded(std::vector<const char*> arguments) {
  Result<Settings> loaded = Error{ErrorCode::kInternal, "nothing ran", ""};
  const Program program{.name = "limpet-exporter",
                        .description = "",
                        .commands = {MakeSubcommand<Options>("any", "",
                                                             [&](const Options& flags) {
                                                               loaded = LoadSettings(flags);
                                                               return kExitOk;
                                                             })},
                        .default_command = "any"};
  arguments.insert(arguments.begin(), "limpet-exporter");
  EXPECT_EQ(RunProgram(program, static_cast<int>(arguments.size()), arguments.data()), kExitOk);
  return loaded;
}

int ExitCode(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "limpet-exporter");
  const RealClock clock;
  return RunProgram(ExporterProgram(clock, [](std::string_view) {}),
                    static_cast<int>(arguments.size()), arguments.data());
}

TEST(LoadSettings, PutsFlagsOverTheFile) {
  const testing::TempFolder folder;
  const auto file = folder.Write("e.yml",
                                 "paths: {procfs: /file/proc, sysfs: /file/sys}\n"
                                 "web: {listen_addresses: [\"127.0.0.1:1\"]}\n");
  const auto settings = Loaded<ServeFlags>(
      {"--config", file.c_str(), "--path.procfs", "/flag/proc", "--web.listen-address",
       "127.0.0.1:2", "--compat.node-exporter-names", "--log.level", "debug"});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->procfs, "/flag/proc");
  EXPECT_EQ(settings->sysfs, "/file/sys");
  EXPECT_THAT(settings->listen_addresses, ElementsAre("127.0.0.1:2"));
  EXPECT_TRUE(settings->node_exporter_names);
  EXPECT_EQ(settings->log_level, LogLevel::kDebug);
}

TEST(LoadSettings, DefaultsShownByHelpDoNotOverrideTheFile) {
  const testing::TempFolder folder;
  const auto file = folder.Write("e.yml",
                                 "paths: {procfs: /p}\nlog_level: error\n"
                                 "node_exporter_names: true\n"
                                 "web: {listen_addresses: [\"127.0.0.1:1\"]}\n");
  const auto settings = Loaded<ServeFlags>({"--config", file.c_str()});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->procfs, "/p");
  EXPECT_THAT(settings->listen_addresses, ElementsAre("127.0.0.1:1"));
  EXPECT_TRUE(settings->node_exporter_names);
  EXPECT_EQ(settings->log_level, LogLevel::kError);
}

TEST(LoadSettings, NeedsNoFile) { EXPECT_TRUE(Loaded<OnceFlags>({})); }

TEST(LoadSettings, NamesAFileThatIsNotThere) {
  const auto settings = Loaded<ServeFlags>({"--config", "/no/such.yml"});
  ASSERT_FALSE(settings);
  EXPECT_EQ(settings.error().where, "/no/such.yml");
}

TEST(LoadSettings, ADeviceIsNoConfiguration) {
  const auto settings = Loaded<OnceFlags>({"--config", "/dev/zero"});
  ASSERT_FALSE(settings);
  EXPECT_THAT(settings.error().Text(), HasSubstr("/dev/zero: expected a regular file"));
}

TEST(LoadSettings, ReadsTheOutputFolderOfARecording) {
  const auto settings = Loaded<RecordFlags>({"--output-dir", "/tmp/r"});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->record.output_dir, "/tmp/r");
}

TEST(LoadSettings, ReadsHowLongRecordingsAreKept) {
  const auto settings =
      Loaded<ServeFlags>({"--record.dir", "/tmp/r", "--record.keep-days", "7", "--record.max-bytes",
                          "2000000000", "--record.fsync", "false", "--record.format", "columns"});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->record.dir, "/tmp/r");
  EXPECT_EQ(settings->record.keep_days, 7U);
  EXPECT_EQ(settings->record.max_bytes, 2'000'000'000U);
  EXPECT_FALSE(settings->record.fsync);
  EXPECT_EQ(settings->record.format, RecordingForm::kColumns);
  const auto wrong = Loaded<RecordFlags>({"--record.max-bytes", "5"});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().where, "--record.max-bytes");
}

TEST(ExporterProgram, RefusesWrongFlags) {
  EXPECT_EQ(ExitCode({"--log.level", "loud"}), kExitUsage);
  EXPECT_EQ(ExitCode({"once", "--output-dir", "/tmp"}), kExitUsage);
  EXPECT_EQ(ExitCode({"check-config"}), kExitUsage);
  EXPECT_EQ(ExitCode({"record", "--config", "/no/such.yml"}), kExitUsage);
}

TEST(ExporterProgram, ChecksAConfiguration) {
  const testing::TempFolder folder;
  EXPECT_EQ(
      ExitCode({"check-config", "--config", folder.Write("e.yml", "log_level: info\n").c_str()}),
      kExitOk);
}

// What only the parts themselves find wrong, before the service is restarted with it.
TEST(ExporterProgram, ChecksWhatServeWouldRefuse) {
  const testing::TempFolder folder;
  const auto check = [&](const std::string& text) {
    return ExitCode({"check-config", "--config", folder.Write("e.yml", text).c_str()});
  };
  EXPECT_EQ(check("web: {listen_addresses: [\"9836\"]}\n"), kExitUsage);
  EXPECT_EQ(check("collectors: {syscall: {enabled: true}}\n"), kExitUsage);
  EXPECT_EQ(check("probe: {enabled: true}\n"), kExitOk) << "a flag may name the passwords";
  EXPECT_EQ(check("probe: {enabled: true}\nweb: {config_file: /no/such.yml}\n"), kExitUsage);
  const auto wrong = folder.Write("web.yml", "tls_server_config: {zz: 1}\n");
  EXPECT_EQ(check("web: {config_file: " + wrong + "}\n"), kExitUsage);
  // It may lie on the servers alone, and a folder may be made later.
  EXPECT_EQ(check("web: {config_file: /no/such.yml}\nrecord: {dir: /no/such/folder}\n"), kExitOk);
}

}  // namespace
}  // namespace limpet::settings_flags_test
