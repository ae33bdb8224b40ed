#include "exporter/sampler/sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "exporter/collectors/catalog/host.h"

namespace limpet::sampler_test {
namespace {

using std::chrono_literals::operator""s;
using ::testing::HasSubstr;

// Ticks when the test says so, one second after another.
class HandTicker final : public Ticker {
 public:
  struct Control {
    std::mutex mutex;
    std::condition_variable changed;
    int ticks = 0;
    bool stopped = false;

    void Release() {
      const std::lock_guard lock(mutex);
      ++ticks;
      changed.notify_all();
    }
    void UntilStopped() {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return stopped; });
    }
  };

  explicit HandTicker(std::shared_ptr<Control> control) : control_(std::move(control)) {}

  std::optional<Tick> Next() override {
    std::unique_lock lock(control_->mutex);
    control_->changed.wait(lock, [&] { return control_->stopped || control_->ticks > 0; });
    if (control_->stopped) {
      return std::nullopt;
    }
    --control_->ticks;
    now_ += 1s;
    return Tick{UnixTime(now_), SteadyTime(now_)};
  }
  void Stop() override {
    const std::lock_guard lock(control_->mutex);
    control_->stopped = true;
    control_->changed.notify_all();
  }

 private:
  std::shared_ptr<Control> control_;
  Duration now_{};
};

// A door that a collector waits at; the test opens it.
class Gate {
 public:
  void Wait() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return open_; });
    --waiting_;
    changed_.notify_all();
  }
  void Open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void UntilWaiting(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ == count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  int waiting_ = 0;
};

class Fake final : public Collector {
 public:
  using Body = std::function<Result<Families>()>;
  Fake(std::string name, Body body) : name_(std::move(name)), body_(std::move(body)) {}
  std::string_view Name() const override { return name_; }
  Result<Families> Collect(const Tick&) override {
    ++ticks_;
    auto families = body_();
    if (families) {
      families->push_back({&catalog::kForks, {{nullptr, ticks_}}});
    }
    return families;
  }
  void Inherit(Collector& before) override { ticks_ = dynamic_cast<Fake&>(before).ticks_; }

 private:
  double ticks_ = 0;
  std::string name_;
  Body body_;
};

Families Load() { return {{&catalog::kLoad1, {{nullptr, 1}}}}; }

class SamplerTest : public ::testing::Test {
 protected:
  void AddCollector(std::string name, Fake::Body body) {
    collectors_.push_back(std::make_unique<Fake>(std::move(name), std::move(body)));
  }

  // Takes the place of the sampler there is, if any.
  void Start(Duration patience, Sampler::Extra extra = {}) {
    const auto before = std::move(sampler_);
    control_ = std::make_shared<HandTicker::Control>();
    auto made = Sampler::Make(
        {.interval = 1s, .patience = patience, .pages = {.describe = false}},
        std::move(collectors_), std::make_unique<HandTicker>(control_), clock_,
        [this](LogLevel, std::string_view text) {
          const std::lock_guard lock(mutex_);
          log_ += std::string(text) + "\n";
        },
        [this](SnapshotPtr snapshot) {
          const std::lock_guard lock(mutex_);
          published_.push_back(std::move(snapshot));
          changed_.notify_all();
        },
        std::move(extra));
    ASSERT_TRUE(made);
    collectors_.clear();
    sampler_ = *std::move(made);
    sampler_->Start(before.get());
  }

  // The page of the next tick.
  std::string TickPage() {
    control_->Release();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !published_.empty(); });
    const auto snapshot = published_.front();
    published_.pop_front();
    return *snapshot->Page(Format::kText, false);
  }

  std::string Log() {
    const std::lock_guard lock(mutex_);
    return log_;
  }

  RealClock clock_;
  std::shared_ptr<HandTicker::Control> control_;  // of the sampler there is
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<SnapshotPtr> published_;
  std::string log_;
  std::vector<std::unique_ptr<Collector>> collectors_;
  std::unique_ptr<Sampler> sampler_;
};

constexpr Duration kPatient = std::chrono::hours(1);
constexpr Duration kHasty = std::chrono::seconds(1);  // longer than a busy machine may stall

TEST_F(SamplerTest, PublishesOneSnapshotATick) {
  AddCollector("host", [] { return Load(); });
  Start(kPatient);
  EXPECT_THAT(TickPage(), HasSubstr("limpet_load1 1\n"));
  EXPECT_THAT(TickPage(), HasSubstr("limpet_sample_timestamp_seconds 2\n"));
}

TEST_F(SamplerTest, PutsMoreOntoThePageWhenTold) {
  Start(kPatient, [] { return Load(); });
  EXPECT_THAT(TickPage(), HasSubstr("limpet_load1 1\n"));
}

TEST_F(SamplerTest, AnErrorIsSuccessZeroAndALogLineAndTheOthersGoOn) {
  AddCollector("disk", []() -> Result<Families> {
    return Error{ErrorCode::kNotFound, "No such file", "/proc/diskstats"};
  });
  AddCollector("host", [] { return Load(); });
  Start(kPatient);
  for (int i = 0; i < 3; ++i) {
    const auto page = TickPage();
    EXPECT_THAT(page, HasSubstr("success{collector=\"disk\"} 0"));
    EXPECT_THAT(page, HasSubstr("success{collector=\"host\"} 1"));
    EXPECT_THAT(page, HasSubstr("limpet_load1 1\n"));
  }
  EXPECT_EQ(Log(), "collector disk: /proc/diskstats: No such file\n") << "once a minute";
}

TEST_F(SamplerTest, AnExceptionIsAnErrorLikeAnyOther) {
  AddCollector("disk", []() -> Result<Families> { throw std::runtime_error("broken"); });
  AddCollector("net", []() -> Result<Families> { throw 5; });
  Start(kPatient);
  const auto page = TickPage();
  EXPECT_THAT(page, HasSubstr("success{collector=\"disk\"} 0"));
  EXPECT_THAT(page, HasSubstr("success{collector=\"net\"} 0"));
  EXPECT_THAT(Log(), HasSubstr("broken"));
}

TEST_F(SamplerTest, AHungCollectorIsLeftBehindAndTakenBackWhenItReturns) {
  const auto gate = std::make_shared<Gate>();
  const auto calls = std::make_shared<std::atomic<int>>(0);
  AddCollector("disk", [gate, calls]() -> Result<Families> {
    ++*calls;
    gate->Wait();
    return Families{};
  });
  AddCollector("host", [] { return Load(); });
  Start(kHasty);
  for (int i = 0; i < 3; ++i) {
    const auto page = TickPage();
    EXPECT_THAT(page, HasSubstr("success{collector=\"disk\"} 0"));
    EXPECT_THAT(page, HasSubstr("limpet_load1 1\n"));
  }
  EXPECT_EQ(*calls, 1) << "one thread left behind, not one a tick";
  EXPECT_THAT(Log(), HasSubstr("collector disk: does not come back"));
  gate->Open();
  gate->UntilWaiting(0);
  std::string page;
  do {  // the late thread still has to say that it is back
    page = TickPage();
  } while (page.find("success{collector=\"disk\"} 1") == std::string::npos);
  EXPECT_GT(*calls, 1);
}

TEST_F(SamplerTest, TwoHungCollectorsDoNotHoldUpTheThird) {
  const auto gate = std::make_shared<Gate>();
  const auto hang = [gate]() -> Result<Families> {
    gate->Wait();
    return Families{};
  };
  AddCollector("disk", hang);
  AddCollector("net", hang);
  AddCollector("host", [] { return Load(); });
  Start(kHasty);
  EXPECT_THAT(TickPage(), HasSubstr("limpet_load1 1\n"));
  sampler_.reset();
  gate->Open();
  gate->UntilWaiting(0);
}

TEST_F(SamplerTest, StoppingDoesNotWaitForAHungCollector) {
  const auto gate = std::make_shared<Gate>();
  AddCollector("disk", [gate]() -> Result<Families> {
    gate->Wait();
    return Families{};
  });
  Start(kHasty);
  control_->Release();
  gate->UntilWaiting(1);
  sampler_->Stop();  // would never return
  sampler_.reset();
  gate->Open();
  gate->UntilWaiting(0);
}

TEST_F(SamplerTest, ASecondSamplerGoesOnWhereTheFirstEnded) {
  AddCollector("host", [] { return Load(); });
  Start(kPatient);
  static_cast<void>(TickPage());
  EXPECT_THAT(TickPage(), HasSubstr("limpet_forks_total 2\n"));
  AddCollector("host", [] { return Load(); });
  Start(kPatient);
  EXPECT_THAT(TickPage(), HasSubstr("limpet_forks_total 3\n"));
}

// A reload must not leave one more thread behind for every SIGHUP.
TEST_F(SamplerTest, ASecondSamplerDoesNotHangOnWhatTheFirstHangsOn) {
  const auto gate = std::make_shared<Gate>();
  const auto calls = std::make_shared<std::atomic<int>>(0);
  const auto hang = [gate, calls]() -> Result<Families> {
    ++*calls;
    gate->Wait();
    return Families{};
  };
  AddCollector("disk", hang);
  Start(kHasty);
  control_->Release();
  gate->UntilWaiting(1);
  AddCollector("disk", hang);
  Start(kHasty);  // stops the first while its collector hangs
  EXPECT_THAT(TickPage(), HasSubstr("success{collector=\"disk\"} 0"));
  EXPECT_EQ(*calls, 1);
  gate->Open();
  gate->UntilWaiting(0);
  std::string page;
  do {  // the late thread still has to say that it is back
    page = TickPage();
  } while (page.find("success{collector=\"disk\"} 1") == std::string::npos);
  EXPECT_THAT(page, HasSubstr("limpet_forks_total 2\n"));
}

// Its collector is at work when Stop is called, and done before Stop gives up on it.
TEST_F(SamplerTest, NothingIsPublishedOnceItIsStopped) {
  const auto gate = std::make_shared<Gate>();
  AddCollector("host", [gate] {
    gate->Wait();
    return Load();
  });
  Start(kPatient);
  control_->Release();
  gate->UntilWaiting(1);
  std::thread stopping([this] { sampler_->Stop(); });
  control_->UntilStopped();
  gate->Open();
  stopping.join();
  sampler_->Stop();  // a second call does nothing
  const std::lock_guard lock(mutex_);
  EXPECT_TRUE(published_.empty());
}

TEST(RealTicker, TicksOnMultiplesOfTheIntervalUntilStopped) {
  const RealClock clock;
  const auto interval = std::chrono::milliseconds(20);
  auto ticker = OpenRealTicker(clock, interval);
  ASSERT_TRUE(ticker);
  const auto first = (*ticker)->Next();
  const auto second = (*ticker)->Next();
  ASSERT_TRUE(first && second);
  EXPECT_GT(second->at, first->at);
  EXPECT_GT(second->steady, first->steady);
  (*ticker)->Stop();
  EXPECT_EQ((*ticker)->Next().has_value(), false);
}

}  // namespace
}  // namespace limpet::sampler_test
