// The commands in this process, each on a thread of its own that gets the signals.
#include "exporter/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "exporter/settings_flags.h"
#include "tests/exporter/common/web/client.h"
#include "tests/support/temp_folder.h"

namespace limpet {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Commands : public ::testing::Test {
 protected:
  ~Commands() override {
    if (thread_.joinable()) {
      Signal(SIGTERM);
      thread_.join();
    }
  }

  // Returns the exit code.
  int Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "limpet-exporter");
    std::vector<const char*> pointers;
    for (const auto& argument : arguments) {
      pointers.push_back(argument.c_str());
    }
    const World world{clock_, clock_.Now(),
                      [this](LogLevel, std::string_view text) {
                        const std::lock_guard lock(mutex_);
                        log_ += std::string(text) + "\n";
                        logged_.notify_all();
                      },
                      [this](std::string_view text) { printed_ += text; }};
    const Program program{
        .name = "limpet-exporter",
        .description = "",
        .commands = {Command<ServeFlags>("serve", world, RunServe),
                     Command<OnceFlags>("once", world,
                                        [](const auto&, const Settings& settings,
                                           const World& its) { return RunOnce(settings, its); }),
                     Command<RecordFlags>(
                         "record", world,
                         [](const auto&, const Settings& settings, const World& its) {
                           return RunRecord(settings, its);
                         })},
        .default_command = "serve"};
    return RunProgram(program, static_cast<int>(pointers.size()), pointers.data());
  }

  // A subcommand of the program in a world of the test's.
  template <class Options, class Run>
  static Subcommand Command(const char* name, const World& world, Run run) {
    return MakeSubcommand<Options>(name, "", [&world, run](const Options& flags) {
      auto settings = LoadSettings(flags);
      if (!settings) {
        ADD_FAILURE() << settings.error().Text();
        return -1;
      }
      return run(flags, *std::move(settings), world);
    });
  }

  void Start(const std::vector<std::string>& arguments) {
    thread_ = std::thread([this, arguments] { code_ = Run(arguments); });
  }
  // Only once it has logged something: before, nothing waits for a signal.
  void Signal(int number) { ::pthread_kill(thread_.native_handle(), number); }
  int Stop() {
    Signal(SIGTERM);
    thread_.join();
    return code_;
  }

  std::string Log() {
    const std::lock_guard lock(mutex_);
    return log_;
  }
  // Until this has been logged so often; the whole log then.
  std::string WaitForLog(const std::string& text, std::size_t times = 1) {
    std::unique_lock lock(mutex_);
    const auto count = [&] {
      std::size_t found = 0;
      for (auto at = log_.find(text); at != std::string::npos; at = log_.find(text, at + 1)) {
        ++found;
      }
      return found;
    };
    EXPECT_TRUE(logged_.wait_for(lock, std::chrono::seconds(20), [&] { return count() >= times; }))
        << text << " is not in " << log_;
    return log_;
  }

  std::string Page() {
    const auto log = WaitForLog("listening on ");
    const auto line = log.substr(log.find("listening on "));
    const auto port = line.substr(line.find(':') + 1);
    testing::Client client(static_cast<std::uint16_t>(std::stoi(port)));
    return client.Get("/metrics");
  }
  // The first page for which this is so.
  std::string PageWhen(const std::function<bool(const std::string&)>& seen) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    auto page = Page();
    while (!seen(page) && std::chrono::steady_clock::now() < end) {
      std::this_thread::yield();
      page = Page();
    }
    return page;
  }

  testing::TempFolder folder_;
  RealClock clock_;
  std::thread thread_;
  int code_ = -1;
  std::mutex mutex_;  // of what follows
  std::condition_variable logged_;
  std::string log_;
  std::string printed_;
};

const std::vector<std::string> kServe = {"serve", "--web.listen-address", "127.0.0.1:0"};

std::vector<std::string> With(std::vector<std::string> arguments,
                              const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST_F(Commands, OncePrintsASampleWithItsGauges) {
  const auto config = folder_.Write("e.yml", "sampling: {interval: 100ms}\n");
  EXPECT_EQ(Run({"once", "--config", config}), kExitOk);
  EXPECT_THAT(printed_, HasSubstr("limpet_sampler_ticks_missed_total 0\n"));
  EXPECT_THAT(printed_, HasSubstr("limpet_load1 "));
}

TEST_F(Commands, ServeAnswersUntilItIsTold) {
  const auto config = folder_.Write("e.yml", "sampling: {interval: 100ms}\n");
  Start(With(kServe, {"--config", config}));
  const auto page =
      PageWhen([](const auto& got) { return got.find(" 200 ") != std::string::npos; });
  EXPECT_THAT(page, HasSubstr("limpet_config_last_reload_successful 1\n"));
  EXPECT_EQ(Stop(), kExitOk);
  EXPECT_THAT(Log(), HasSubstr("stopped\n"));
}

TEST_F(Commands, ServeReadsTheConfigurationAgainOrKeepsTheOneBefore) {
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

TEST_F(Commands, ServeSaysThatAnAddressNeedsARestart) {
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

TEST_F(Commands, ServeEndsWhenItCannotBegin) {
  EXPECT_EQ(Run(With(kServe, {"--web.config.file", "/no/such/web.yml"})), kExitUsage);
  EXPECT_EQ(Run({"serve", "--web.listen-address", "192.0.2.1:1"}), kExitFailed);
}

TEST_F(Commands, RecordWritesAFileUntilItIsTold) {
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

TEST_F(Commands, RecordEndsWhenItCannotBegin) {
  EXPECT_EQ(Run({"record"}), kExitUsage);
  EXPECT_THAT(Log(), HasSubstr("--output-dir: expected a folder"));
  const auto file = folder_.Write("file", "");
  EXPECT_EQ(Run({"record", "--output-dir", file}), kExitFailed);
}

}  // namespace
}  // namespace limpet
