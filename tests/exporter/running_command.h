// running_command.h: a fixture for the exporter's commands in this process, on a thread of its own
// that gets the signals.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "exporter/commands.h"
#include "exporter/settings_flags.h"
#include "tests/exporter/common/web/client.h"
#include "tests/support/temp_folder.h"

namespace limpet::testing {

class RunningCommand : public ::testing::Test {
 protected:
  ~RunningCommand() override {
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
    if (arguments[1] == "serve") {
      // A filter would hold for the rest of the tests, and for good.
      pointers.insert(pointers.end(), {"--seccomp", "off"});
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
  // Until this has been logged; the whole log then.
  std::string WaitForLog(const std::string& text) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(logged_.wait_for(lock, std::chrono::seconds(20),
                                 [&] { return log_.find(text) != std::string::npos; }))
        << text << " is not in " << log_;
    return log_;
  }

  std::string Page() {
    const auto log = WaitForLog("listening on ");
    const auto line = log.substr(log.find("listening on "));
    const auto port = line.substr(line.find(':') + 1);
    Client client(static_cast<std::uint16_t>(std::stoi(port)));
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

  TempFolder folder_;
  RealClock clock_;
  std::thread thread_;
  int code_ = -1;
  std::mutex mutex_;  // of what follows
  std::condition_variable logged_;
  std::string log_;
  std::string printed_;
};

}  // namespace limpet::testing
