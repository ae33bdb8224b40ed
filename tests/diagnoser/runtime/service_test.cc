// The service put together with fakes: no sockets, no threads but the state saver's, no waiting.
#include "diagnoser/runtime/service.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "tests/support/fake_fetcher.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temp_folder.h"

namespace limpet::service_test {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;
using Trace = std::vector<std::string>;

class TracedFetcher final : public Fetcher {
 public:
  TracedFetcher(testing::ManualClock& clock, Trace& trace) : fake(clock), trace_(trace) {}

  std::unique_ptr<Connection> Open(const Endpoint& endpoint) override {
    return fake.Open(endpoint);
  }
  void RunAt(SteadyTime when, std::function<void()> task) override {
    fake.RunAt(when, std::move(task));
  }
  void Post(std::function<void()> task) override { fake.Post(std::move(task)); }
  void Stop() override {
    fake.Stop();
    trace_.emplace_back("fetcher stopped");
  }

  testing::FakeFetcher fake;

 private:
  Trace& trace_;
};

class FakeServer final : public web::Server {
 public:
  FakeServer(Trace& trace, bool& refuse) : trace_(trace), refuse_(refuse) {}

  [[nodiscard]] std::uint16_t Port() const override { return 1; }
  [[nodiscard]] std::vector<std::string> Addresses() const override { return {"fake:1"}; }
  [[nodiscard]] Result<void> Reload(std::optional<web::WebConfig>) override {
    if (refuse_) {
      return Error{ErrorCode::kInvalid, "bad certificate", "web.yml"};
    }
    trace_.emplace_back("server reloaded");
    return {};
  }
  void Stop() override { trace_.emplace_back("server stopped"); }

 private:
  Trace& trace_;
  bool& refuse_;
};

constexpr std::string_view kFour = "targets: [{addresses: [a, b, c, d]}]\n";
constexpr std::string_view kStore =
    "source: prometheus\nprometheus: {url: \"http://store\", step: 5s, lag: 0s}\n";

class ServiceTest : public ::testing::Test {
 protected:
  ServiceTest() {
    for (const auto* node : {"a", "b", "c", "d"}) {
      fetcher_.fake.answers[node] = [] { return FetchResult{.body = "limpet_load1 1\n"}; };
    }
    fetcher_.fake.answers["store"] = [] {
      return FetchResult{.failure = FetchFailure::kConnect, .error = "cannot connect"};
    };
  }
  Result<DiagnoserConfig> Config() const {
    return ParseDiagnoserConfig(text_, "d.yml", [](const std::string& path) {
      return Result<std::string>(Error{ErrorCode::kNotFound, "", path});
    });
  }
  Result<void> Start(std::string_view text = kFour) {
    text_ = text;
    service_.emplace(
        ServiceWorld{
            .clock = clock_,
            .fetcher = fetcher_,
            .store = store_ ? &*store_ : nullptr,
            .log = [this](LogLevel, std::string_view line) { trace_.emplace_back(line); },
            .load_config = [this] { return Config(); },
            .load_web_config = [this]() -> Result<ServiceWorld::OptionalWebConfig> {
              return web_problem_ ? Result<ServiceWorld::OptionalWebConfig>(*web_problem_)
                                  : ServiceWorld::OptionalWebConfig();
            },
            .start_server = [this](auto, web::Handler handler) { return StartServer(handler); },
            .notify = [this](const std::string& state) { trace_.push_back(state); },
            .sleep = [this](Duration time) { fetcher_.fake.Run(time); },
            .watchdog = 10s,
            .own_thread = false},
        *Config());
    return service_->Start({});
  }
  Result<std::unique_ptr<web::Server>> StartServer(const web::Handler& handler) {
    if (port_taken_) {
      return Error{ErrorCode::kUnavailable, "address already in use", ":9837"};
    }
    trace_.emplace_back("server started");
    handler_ = handler;
    return std::unique_ptr<web::Server>(std::make_unique<FakeServer>(trace_, refuse_));
  }
  // Seconds in which the targets are scraped and nobody signals.
  void Run(int seconds) {
    for (int i = 0; i < seconds; ++i) {
      fetcher_.fake.Run(1s);
      service_->Handle(std::nullopt);
    }
  }
  void Reload(std::string_view text) {
    text_ = text;
    trace_.clear();
    service_->Handle(Wake::kReload);
  }
  std::string Get(const std::string& path) {
    return *handler_({.method = "GET", .path = path}).body;
  }

  testing::ManualClock clock_;
  Trace trace_;
  TracedFetcher fetcher_{clock_, trace_};
  std::string text_;
  std::optional<Error> web_problem_;
  bool refuse_ = false;
  bool port_taken_ = false;
  web::Handler handler_;
  std::optional<StateStore> store_;
  std::optional<Service> service_;
};

TEST_F(ServiceTest, SaysItIsReadyOnceEverythingRuns) {
  ASSERT_TRUE(Start());
  EXPECT_THAT(trace_, ElementsAre("server started", "listening on fake:1", "watching 4 targets",
                                  "READY=1"));
  EXPECT_THAT(fetcher_.fake.asked, IsEmpty());
  Run(2);
  EXPECT_THAT(Get("/metrics"), HasSubstr("limpet_target_up{node=\"a\"} 1\n"));
}

TEST_F(ServiceTest, AServerThatCannotStartEndsWhatHasBegun) {
  port_taken_ = true;
  const auto started = Start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().Text(), ":9837: address already in use");
  EXPECT_THAT(trace_, ElementsAre("fetcher stopped"));
  service_.reset();
  EXPECT_THAT(trace_, SizeIs(1));
}

TEST_F(ServiceTest, StopsWhoeverBringsSomethingInBeforeWhatUsesIt) {
  const testing::TempFolder folder;
  store_.emplace(folder.Path(), [](LogLevel, std::string_view) {});
  ASSERT_TRUE(Start());
  Run(2);
  trace_.clear();
  service_->Stop();
  EXPECT_THAT(trace_, ElementsAre("STOPPING=1", "fetcher stopped", "server stopped", "stopped"));
  EXPECT_TRUE(std::filesystem::exists(folder.Path("state")));
  service_->Stop();
  service_.reset();
  EXPECT_THAT(trace_, SizeIs(4));
}

TEST_F(ServiceTest, AReloadIsUsedAsAWhole) {
  ASSERT_TRUE(Start());
  Run(2);
  Reload("targets: [{addresses: [a, b]}]\n");
  EXPECT_THAT(trace_, ElementsAre("WATCHDOG=1", StartsWith("RELOADING=1\nMONOTONIC_USEC="),
                                  "server reloaded", "configuration reloaded", "watching 2 targets",
                                  "READY=1"));
  Run(2);
  EXPECT_THAT(Get("/metrics"), Not(HasSubstr("limpet_target_up{node=\"c\"}")));
  EXPECT_THAT(Get("/metrics"), HasSubstr("limpet_diagnoser_config_last_reload_successful 1\n"));
}

TEST_F(ServiceTest, AReloadThatIsRefusedChangesNothing) {
  ASSERT_TRUE(Start());
  Run(2);
  Reload("nonsense: 1\nmore: 2\n");
  EXPECT_THAT(trace_, Contains(HasSubstr("nonsense: unknown key")));
  EXPECT_THAT(trace_, Contains(HasSubstr("more: unknown key")));
  EXPECT_THAT(trace_, Contains(HasSubstr("the old one stays")));
  EXPECT_THAT(trace_, Contains("READY=1"));
  EXPECT_THAT(trace_, Not(Contains("server reloaded")));
  Run(2);
  EXPECT_THAT(Get("/metrics"), HasSubstr("limpet_target_up{node=\"d\"} 1\n"));
  EXPECT_THAT(Get("/metrics"), HasSubstr("limpet_diagnoser_config_last_reload_successful 0\n"));
}

TEST_F(ServiceTest, WhatTheWebServerRefusesIsRefusedForAll) {
  ASSERT_TRUE(Start());
  refuse_ = true;
  Reload("targets: [{addresses: [a]}]\n");
  EXPECT_THAT(trace_, Contains("web.yml: bad certificate"));
  EXPECT_THAT(trace_, Not(Contains("watching 1 targets")));
  refuse_ = false;
  web_problem_ = Error{ErrorCode::kInvalid, "unknown key", "web.yml:1"};
  Reload("targets: [{addresses: [a]}]\n");
  EXPECT_THAT(trace_, Contains("web.yml:1: unknown key"));
  EXPECT_THAT(trace_, Not(Contains("server reloaded")));
}

TEST_F(ServiceTest, AStoreIsReadAsLongAsTheConfigurationNamesOne) {
  const auto asked = [this] {
    return std::count_if(fetcher_.fake.asked.begin(), fetcher_.fake.asked.end(),
                         [](const std::string& path) { return path.starts_with("/api/"); });
  };
  ASSERT_TRUE(Start(kStore));
  EXPECT_THAT(trace_, Contains("watching 0 targets"));
  Run(60);
  const auto before = asked();
  EXPECT_GT(before, 0);
  Reload(kFour);
  Run(60);
  EXPECT_EQ(asked(), before);
  EXPECT_THAT(Get("/metrics"), HasSubstr("limpet_target_up{node=\"a\"} 1\n"));
  Reload(kStore);
  Run(60);
  EXPECT_GT(asked(), before);
}

TEST_F(ServiceTest, AListThatChangesChangesTheTargets) {
  const testing::TempFolder folder;
  const auto list = folder.Write("list.json", R"([{"targets": ["a", "b"]}])");
  ASSERT_TRUE(Start("targets: [{file_sd: {files: [" + list + "], refresh_interval: 1s}}]\n"));
  EXPECT_THAT(trace_, Contains("watching 2 targets"));
  EXPECT_EQ(service_->Patience(), 500ms);
  folder.Write("list.json", R"([{"targets": ["a", "b", "c"], "labels": {"role": "mds"}}])");
  Run(3);
  EXPECT_THAT(trace_, Contains("watching 3 targets"));
  EXPECT_THAT(Get("/metrics"), HasSubstr("limpet_target_up{node=\"c\"} 1\n"));
}

TEST_F(ServiceTest, AStalledDiagnosisIsNotVouchedFor) {
  ASSERT_TRUE(Start());
  EXPECT_EQ(service_->Patience(), 5s);
  Run(1);
  EXPECT_THAT(trace_, Contains("WATCHDOG=1"));
  trace_.clear();
  clock_.Advance(61s);  // in which it has not come round
  service_->Handle(std::nullopt);
  EXPECT_THAT(trace_, Not(Contains("WATCHDOG=1")));
  service_->Handle(std::nullopt);
  EXPECT_THAT(trace_, Contains("WATCHDOG=1"));
}

}  // namespace
}  // namespace limpet::service_test
