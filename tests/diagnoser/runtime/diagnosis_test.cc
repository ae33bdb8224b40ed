#include "diagnoser/runtime/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "diagnoser/config/config.h"
#include "tests/support/disk_counters.h"
#include "tests/support/families.h"
#include "tests/support/manual_clock.h"
#include "tests/support/map_files.h"
#include "tests/support/temp_folder.h"

namespace limpet::diagnosis_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

// Windows of 8 s, a verdict after two of them.
constexpr std::string_view kQuick =
    "presets: [{base: bare, name: quick, smoothing: 1, window: 8, shift: 4, k: 1}]\n"
    "peer_groups: [{name: disks, kind: storage}]\n"
    "targets: [{addresses: [a, b, c, d]}]\n";

DiagnoserConfig Parse(std::string_view text) {
  return *ParseDiagnoserConfig(text, "test.yml", [](const std::string& path) {
    return Result<std::string>(Error{ErrorCode::kNotFound, "", path});
  });
}

class DiagnosisTest : public ::testing::Test {
 protected:
  void Start(Diagnosis::Options options = {}) {
    options.own_thread = false;
    diagnosis_.emplace(config_, config_, options, clock_, metrics_, Sink());
    diagnosis_->Start();
  }
  StateStore* Store(const std::string& folder) { return &store_.emplace(folder, Sink()); }
  LogSink Sink() {
    return [this](LogLevel, std::string_view text) {
      const std::lock_guard lock(mutex_);  // the saver's thread logs, too
      log_.append(text).append("\n");
    };
  }
  std::string Log() {
    const std::lock_guard lock(mutex_);
    return log_;
  }
  void Give(const Target& target, int await_ms) {
    disks_[target.node].AddSecond(await_ms);
    diagnosis_->Ingest({.target = std::make_shared<const Target>(target),
                        .result = {.body = disks_[target.node].Lines(), .asked_at = clock_.Now()},
                        .arrived = clock_.Steady()});
  }
  // Seconds in which every node answers; c takes 80 ms a request, the others 10.
  void Run(int seconds) {
    for (int i = 0; i < seconds; ++i) {
      clock_.Advance(1s);
      for (const auto& target : config_.targets) {
        Give(target, target.node == "c" ? 80 : 10);
      }
      diagnosis_->Step();
    }
  }
  std::string Page() { return *diagnosis_->Latest()->page->Get(Format::kText, false); }
  double Value(const std::string& name, const std::string& labels = "") {
    return testing::Value(metrics_.Collect(), name, labels).value_or(-1);
  }

  testing::TempFolder folder_;
  testing::ManualClock clock_;
  const RealClock real_clock_{};
  SelfMetrics metrics_{clock_.Now()};
  DiagnoserConfig config_ = Parse(kQuick);
  std::map<std::string, testing::DiskCounters> disks_;
  std::mutex mutex_;
  std::string log_;
  std::shared_ptr<testing::FileTree> proc_ = std::make_shared<testing::FileTree>();
  testing::MapFiles process_{proc_};
  std::optional<StateStore> store_;
  std::optional<Diagnosis> diagnosis_;  // last: it uses the others, at its end too
};

TEST_F(DiagnosisTest, WhatComesIsUsedAtTheNextStep) {
  Start();
  for (const auto& target : config_.targets) {
    Give(target, 10);
  }
  EXPECT_FALSE(diagnosis_->Latest()->ready);
  clock_.Advance(300ms);
  diagnosis_->Step();
  EXPECT_TRUE(diagnosis_->Latest()->ready);
  EXPECT_DOUBLE_EQ(Value("ingest_lag_seconds"), 0.3);
  EXPECT_EQ(Value("ingest_dropped_scrapes_total"), 0);
}

TEST_F(DiagnosisTest, TicksOnceASecondAndMakesUpForNothing) {
  Start();
  diagnosis_->Step();
  const auto begin = diagnosis_->LastTick();
  clock_.Advance(900ms);
  diagnosis_->Step();
  EXPECT_EQ(diagnosis_->LastTick(), begin);
  clock_.Advance(100ms);
  diagnosis_->Step();
  EXPECT_EQ(diagnosis_->LastTick(), begin + 1s);
  clock_.Advance(1h);
  diagnosis_->Step();
  diagnosis_->Step();
  EXPECT_EQ(diagnosis_->LastTick(), begin + 1h + 1s);
  clock_.Advance(900ms);
  diagnosis_->Step();
  EXPECT_EQ(diagnosis_->LastTick(), begin + 1h + 1s);
}

TEST_F(DiagnosisTest, OnAThreadOfItsOwnNobodyNeedsToStep) {
  diagnosis_.emplace(config_, config_, Diagnosis::Options{}, real_clock_, metrics_, Sink());
  for (const auto& target : config_.targets) {
    Give(target, 10);
  }
  diagnosis_->Start();
  while (!diagnosis_->Latest()->ready) {
    std::this_thread::yield();  // the test's time limit bounds it
  }
  diagnosis_->Stop();
}

// Takes a while to answer, and says how often it was asked.
class SlowClock final : public Clock {
 public:
  [[nodiscard]] UnixTime Now() const override { return clock_.Now(); }
  [[nodiscard]] SteadyTime Steady() const override {
    asked_.fetch_add(1);
    std::this_thread::sleep_for(2ms);
    return clock_.Steady();
  }
  [[nodiscard]] int Asked() const { return asked_; }

 private:
  const RealClock clock_{};
  mutable std::atomic<int> asked_{0};
};

// A machine too busy for its pages must still be able to stop the program in time.
TEST_F(DiagnosisTest, StopLeavesWhatIsStillToBeRead) {
  constexpr int kPages = 4000;  // eight seconds of them
  SlowClock clock;
  diagnosis_.emplace(config_, config_, Diagnosis::Options{}, clock, metrics_, Sink());
  for (int i = 0; i < kPages; ++i) {
    Give(config_.targets[0], 10);
  }
  const int before = clock.Asked();
  diagnosis_->Start();  // asks once itself
  while (clock.Asked() < before + 2) {
    std::this_thread::yield();  // until the thread is at its first page
  }
  diagnosis_->Stop();
  EXPECT_LT(clock.Asked() - before, kPages);
}

TEST_F(DiagnosisTest, EventsAreWrittenWithoutWindowsUnlessTheyAreWanted) {
  config_.events.file = folder_.Path("events");
  Start();
  Run(40);
  EXPECT_THAT(folder_.Read("events"),
              AllOf(HasSubstr("\"type\":\"verdict\""), Not(HasSubstr("\"type\":\"window\""))));
  EXPECT_GT(Value("events_written_total", "result=\"ok\""), 0);
  config_.events = {.file = folder_.Path("all"), .windows = true};
  diagnosis_->Reload(config_, config_);
  Run(10);
  EXPECT_THAT(folder_.Read("all"),
              AllOf(HasSubstr("\"type\":\"verdict\""), HasSubstr("\"type\":\"window\"")));
}

TEST_F(DiagnosisTest, AnEventLogThatCannotBeWrittenIsCountedAndLoggedOnceAMinute) {
  config_.events.file = "/dev/full";
  Start();
  Run(40);
  EXPECT_GT(Value("events_written_total", "result=\"failed\""), 1);
  EXPECT_EQ(Value("events_written_total", "result=\"ok\""), 0);
  const std::string line = "/dev/full: cannot write the event log";
  const auto log = Log();
  ASSERT_THAT(log, HasSubstr(line));
  EXPECT_EQ(log.find(line), log.rfind(line));
  EXPECT_THAT(Page(), HasSubstr("limpet_indicted{node=\"c\",cause=\"disk-busy\"} 1\n"));
}

TEST_F(DiagnosisTest, AReloadReopensTheEventLogUnderTheSameName) {
  config_.events.file = folder_.Path("events");
  Start();
  Run(40);
  std::filesystem::rename(folder_.Path("events"), folder_.Path("events.1"));
  const auto rotated = folder_.Read("events.1");
  diagnosis_->Reload(config_, config_);
  Run(10);
  EXPECT_EQ(folder_.Read("events.1"), rotated);
  EXPECT_THAT(folder_.Read("events"), HasSubstr("\"type\":\"verdict\""));
}

TEST_F(DiagnosisTest, AMaskCountsFromTheNextWindowAndABadFileChangesNothing) {
  config_.masked_file = folder_.Write("masked", "c\n");
  Start();
  Run(40);
  EXPECT_THAT(Page(), Not(HasSubstr("limpet_indicted{node=\"c\",cause=\"disk-busy\"} 1\n")));
  folder_.Write("masked", "c\nwhat is this\n");
  Run(20);
  EXPECT_THAT(Log(), HasSubstr("masked:2: expected one node or node/device"));
  EXPECT_THAT(Log(), HasSubstr("the masks stay as they were\n"));
  EXPECT_EQ(Value("diagnoser_config_last_reload_successful"), 0);
  EXPECT_THAT(Page(), Not(HasSubstr("limpet_indicted{node=\"c\",cause=\"disk-busy\"} 1\n")));
  folder_.Write("masked", "");
  Run(30);
  EXPECT_EQ(Value("diagnoser_config_last_reload_successful"), 1);
  EXPECT_THAT(Page(), HasSubstr("limpet_indicted{node=\"c\",cause=\"disk-busy\"} 1\n"));
}

TEST_F(DiagnosisTest, StopSavesWhatTheNextOneBeginsWith) {
  Start({.store = Store(folder_.Path())});
  EXPECT_EQ(diagnosis_->LastReading(), std::nullopt);
  Run(40);
  const auto last = clock_.Now();
  diagnosis_->Stop();
  Start({.store = &*store_});
  ASSERT_TRUE(diagnosis_->LastReading());
  EXPECT_EQ(*diagnosis_->LastReading(), last);
  Run(8);  // less than a verdict from nothing takes
  EXPECT_THAT(Page(), HasSubstr("limpet_indicted{node=\"c\",cause=\"disk-busy\"} 1\n"));
}

TEST_F(DiagnosisTest, TheStateIsSavedMeanwhileToo) {
  Start({.store = Store(folder_.Path())});
  Run(1);
  while (Value("state_saves_total", "result=\"ok\"") < 1) {
    std::this_thread::yield();  // the test's time limit bounds it
  }
  EXPECT_TRUE(std::filesystem::exists(folder_.Path("state")));
}

TEST_F(DiagnosisTest, AStateThatCannotBeSavedIsLoggedAndCounted) {
  folder_.Write("file", "");
  Start({.store = Store(folder_.Path("file/below"))});
  EXPECT_EQ(Value("state_saves_total", "result=\"failed\""), 1) << "at the start";
  Run(40);
  diagnosis_->Stop();
  const std::string line = "cannot save the state (the diagnosis goes on): ";
  const auto log = Log();
  ASSERT_THAT(log, HasSubstr(line));
  EXPECT_EQ(log.find(line), log.rfind(line));
  EXPECT_GE(Value("state_saves_total", "result=\"failed\""), 2);
  EXPECT_EQ(Value("state_saves_total", "result=\"ok\""), 0);
}

TEST_F(DiagnosisTest, AStateFolderThatBecomesWritableIsUsed) {
  folder_.Write("file", "");
  Start({.store = Store(folder_.Path("file/below"))});
  Run(1);
  std::filesystem::remove(folder_.Path("file"));
  Run(20);
  diagnosis_->Stop();
  EXPECT_GE(Value("state_saves_total", "result=\"ok\""), 1);
  EXPECT_THAT(Log(), HasSubstr("the state is saved again\n"));
  EXPECT_TRUE(std::filesystem::exists(folder_.Path("file/below/state")));
}

TEST_F(DiagnosisTest, AStateFileWithoutAnEndIsSetAside) {
  std::filesystem::create_symlink("/dev/zero", folder_.Path("state"));
  Start({.store = Store(folder_.Path())});
  EXPECT_THAT(Log(), AllOf(HasSubstr("state: expected a regular file"),
                           HasSubstr("the file is kept as state.refused")));
}

TEST_F(DiagnosisTest, ABatchOfAStoreIsSaidToBeUsedOnceItIs) {
  config_ = Parse("source: prometheus\nprometheus: {url: \"http://store\", step: 5s}\n");
  Start();
  bool used = false;
  diagnosis_->Ingest(StoreBatch{.until = clock_.Now(), .targets = {}, .pages = {}},
                     [&] { used = true; });
  diagnosis_->SetStore({.tried = true, .good = true, .error = "", .queries = 7});
  EXPECT_FALSE(used);
  diagnosis_->Step();
  EXPECT_TRUE(used);
  EXPECT_THAT(Page(), HasSubstr("limpet_store_queries_total 7\n"));
}

TEST_F(DiagnosisTest, OnlyTheLatestPlanOfSeveralCountsAndAReloadBeforeAll) {
  Start();
  auto targets = config_.targets;
  targets.pop_back();
  diagnosis_->SetPlan(MakePlan(config_, targets));
  targets.pop_back();
  diagnosis_->SetPlan(MakePlan(config_, targets));
  Run(1);
  EXPECT_THAT(Page(), AllOf(HasSubstr("limpet_target_up{node=\"b\"} 1\n"),
                            Not(HasSubstr("limpet_target_up{node=\"c\"}"))));
  diagnosis_->SetPlan(MakePlan(config_, targets));
  diagnosis_->Reload(config_, config_);
  Run(1);
  EXPECT_THAT(Page(), HasSubstr("limpet_target_up{node=\"d\"} 1\n"));
}

TEST_F(DiagnosisTest, TheProgramsOwnMemoryIsReadAtEachTick) {
  proc_->files["statm"] = "900 25 10 1 0 5 0\n";
  Start({.process = &process_});
  diagnosis_->Step();
  const auto before = Value("diagnoser_resident_memory_bytes");
  EXPECT_GT(before, 0);
  proc_->files["statm"] = "900 50 10 1 0 5 0\n";
  clock_.Advance(1s);
  diagnosis_->Step();
  EXPECT_EQ(Value("diagnoser_resident_memory_bytes"), 2 * before);
}

}  // namespace
}  // namespace limpet::diagnosis_test
