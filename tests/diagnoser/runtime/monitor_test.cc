#include "diagnoser/runtime/monitor.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnoser/config/config.h"
#include "diagnoser/publish/top.h"
#include "diagnoser/state/codec.h"
#include "exporter/common/exposition/parser.h"
#include "tests/support/disk_counters.h"
#include "tests/support/manual_clock.h"

namespace limpet {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using namespace std::chrono_literals;

// Windows of 8 s, a verdict after two of them.
constexpr std::string_view kQuick =
    "presets: [{base: bare, name: quick, smoothing: 1, window: 8, shift: 4, k: 1}]\n"
    "peer_groups: [{name: disks, kind: storage}]\n"
    "targets: [{addresses: [a, b, c, d]}]\n";

DiagnoserConfig Config(std::string_view text = kQuick) {
  return *ParseDiagnoserConfig(text, "test.yml", [](const std::string& path) {
    return Result<std::string>(Error{ErrorCode::kNotFound, "", path});
  });
}

class MonitorTest : public ::testing::Test {
 protected:
  // A minute of seconds in which every node answers; `slow` takes 80 ms a request, others 10.
  void Run(Duration time, const std::string& slow = "") {
    for (Duration passed{}; passed < time; passed += 1s) {
      clock_.Advance(1s);
      for (const auto& target : monitor_->Plan().targets) {
        Give(target.node, Page(target.node, target.node == slow ? 80 : 10));
      }
      (void)monitor_->Tick();
    }
  }
  std::string Page(const std::string& node, int await_ms) {
    disks_[node].AddSecond(await_ms);
    return disks_[node].Lines();
  }
  void Give(const std::string& node, std::string body) {
    Take(node, {.body = std::move(body), .asked_at = clock_.Now()});
  }
  void Take(const std::string& node, FetchResult result) {
    for (const auto& target : monitor_->Plan().targets) {
      if (target.node == node) {
        monitor_->Ingest({.target = std::make_shared<const Target>(target),
                          .result = std::move(result),
                          .arrived = clock_.Steady()});
      }
    }
  }
  TargetStatus Status(const std::string& node) {
    (void)monitor_->Tick();
    for (const auto& status : monitor_->Latest()->targets) {
      if (status.target->node == node) {
        return status;
      }
    }
    return {};
  }
  // The same diagnosis of a store.
  void ReadStore() {
    const auto config =
        Config("source: prometheus\nprometheus: {url: \"http://store\", selector: 'job=\"x\"'}\n");
    monitor_ = std::make_unique<Monitor>(
        config, config, PipelineState{}, clock_, metrics_,
        [this](LogLevel, std::string_view text) { log_.emplace_back(text); },
        [](const std::vector<Event>&) {});
  }
  void Reload(const DiagnoserConfig& config) { monitor_->Reload(config, config); }
  void SetTargets(std::vector<Target> targets) {
    monitor_->SetPlan(
        MakePlan(monitor_->Settings(), std::move(targets), monitor_->Plan().all_groups));
  }
  std::string MetricsPage() { return *monitor_->Latest()->page->Get(Format::kText, false); }

  testing::ManualClock clock_;
  SelfMetrics metrics_{clock_.Now()};
  std::vector<std::string> log_;
  std::vector<Event> events_;
  std::map<std::string, testing::DiskCounters> disks_;
  std::unique_ptr<Monitor> monitor_ = std::make_unique<Monitor>(
      Config(), Config(), PipelineState{}, clock_, metrics_,
      [this](LogLevel, std::string_view text) { log_.emplace_back(text); },
      [this](const std::vector<Event>& events) {
        events_.insert(events_.end(), events.begin(), events.end());
      });
};

TEST_F(MonitorTest, IsReadyOnceEveryTargetHasBeenTried) {
  EXPECT_FALSE(monitor_->Latest()->ready);
  for (const auto* node : {"a", "b", "c"}) {
    Give(node, Page(node, 10));
  }
  (void)monitor_->Tick();
  EXPECT_FALSE(monitor_->Latest()->ready);
  Take("d", {.failure = FetchFailure::kConnect, .error = "cannot connect"});
  (void)monitor_->Tick();
  EXPECT_TRUE(monitor_->Latest()->ready);
}

TEST_F(MonitorTest, IndictsTheSlowOneSaysWhyAndWhenItIsOver) {
  Run(30s);
  EXPECT_THAT(MetricsPage(), HasSubstr("limpet_indicted{node=\"c\",cause=\"disk-busy\"} 0\n"));
  EXPECT_THAT(log_, IsEmpty());
  Run(30s, "c");
  EXPECT_THAT(MetricsPage(), HasSubstr("limpet_indicted{node=\"c\",cause=\"disk-busy\"} 1\n"));
  EXPECT_THAT(log_, ElementsAre(HasSubstr("indicted: c: disk-busy (await of c/sda ")));
  EXPECT_THAT(monitor_->Latest()->view->verdicts, SizeIs(1));
  Run(30s);
  EXPECT_THAT(MetricsPage(), HasSubstr("limpet_indicted{node=\"c\",cause=\"disk-busy\"} 0\n"));
  EXPECT_THAT(log_, Contains(HasSubstr("no longer indicted: c: disk-busy (for ")));
  EXPECT_THAT(events_, Not(IsEmpty()));
}

TEST_F(MonitorTest, WhenThePagesStopNobodyStaysIndicted) {
  Run(40s, "c");
  EXPECT_THAT(MetricsPage(), HasSubstr("limpet_indicted{node=\"c\",cause=\"disk-busy\"} 1\n"));
  for (int i = 0; i < 60; ++i) {
    clock_.Advance(1s);
    (void)monitor_->Tick();
  }
  EXPECT_THAT(MetricsPage(), HasSubstr("limpet_indicted{node=\"c\",cause=\"disk-busy\"} 0\n"));
  EXPECT_THAT(MetricsPage(), Not(HasSubstr("limpet_anomaly{")));
}

TEST_F(MonitorTest, APageThatIsNoneMarksItsTargetOnly) {
  Give("a", "limpet_disk{device=\"sda} 1\n");
  Give("b", Page("b", 10));
  EXPECT_FALSE(Status("a").up);
  EXPECT_EQ(Status("a").failure, FetchFailure::kPage);
  EXPECT_TRUE(Status("b").up);
  EXPECT_EQ(Status("b").samples, 8U);
  EXPECT_THAT(log_, ElementsAre(HasSubstr("a: http://a:9836/metrics: line 1")));
  EXPECT_THAT(MetricsPage(), HasSubstr("limpet_target_scrape_errors_total{reason=\"page\"} 1\n"));
  Give("a", Page("a", 10));
  EXPECT_TRUE(Status("a").up);
  EXPECT_THAT(log_, Contains("a: up again"));
}

TEST_F(MonitorTest, AFailureThatRepeatsIsLoggedOnceAMinute) {
  for (int i = 0; i < 30; ++i) {
    clock_.Advance(1s);
    Take("a", {.failure = FetchFailure::kTimeout, .error = "not done within 0.9 s"});
  }
  EXPECT_THAT(log_, SizeIs(1));
  EXPECT_EQ(Status("a").failures_in_a_row, 30U);
}

TEST_F(MonitorTest, AClockThatIsWrongIsMeasuredAndWarnedOf) {
  const auto page = [&](Duration ahead) {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(
        (clock_.Now() + ahead).time_since_epoch());
    return fmt::format("limpet_sample_timestamp_seconds {}.{:03}\n", ms.count() / 1000,
                       ms.count() % 1000);
  };
  Give("a", page(-300ms));
  Give("b", page(3s));
  Give("c", page(-5s));
  EXPECT_EQ(Status("a").clock_skew, 0s);
  EXPECT_EQ(Status("b").clock_skew, 3s);
  EXPECT_EQ(Status("c").clock_skew, -4s);
  EXPECT_EQ(Status("d").clock_skew, std::nullopt);
  EXPECT_THAT(log_, ElementsAre(HasSubstr("b: its clock is ahead of ours by at least 3"),
                                HasSubstr("c: its clock is behind ours, or its samples stand")));
}

TEST_F(MonitorTest, AStoreWithNothingToCompareIsLoggedOnceAMinute) {
  ReadStore();
  for (int i = 0; i < 8; ++i) {
    clock_.Advance(15s);
    monitor_->Ingest(StoreBatch{.until = clock_.Now(), .targets = {}, .pages = {}});
  }
  EXPECT_THAT(log_, SizeIs(2));
  EXPECT_THAT(log_, Each(HasSubstr("no series that a peer group compares with the selector job=")));
}

TEST_F(MonitorTest, AStoreWithFewerReadingsThanStepsSaysWhatToExpect) {
  ReadStore();
  const Target target{.node = "a", .role = "server"};
  for (int i = 1; i <= 8; ++i) {
    clock_.Advance(15s);
    StoreBatch batch{.until = clock_.Now(), .targets = {target}, .pages = {}};
    if (i % 4 == 0) {
      const auto ms = clock_.Now().time_since_epoch() / 1ms;
      batch.pages.push_back(
          {.target = std::make_shared<const Target>(target),
           .result = {.body = fmt::format(
                          "node_disk_reads_completed_total{{device=\"sda\"}} {} {}\n", i, ms)},
           .arrived = clock_.Steady()});
    }
    monitor_->Ingest(batch);
  }
  EXPECT_THAT(log_, Contains(HasSubstr("a reading every 60 s and is read every 15 s; expected "
                                       "step: 60s")));
}

TEST_F(MonitorTest, AReloadThatKeepsThePeersKeepsTheirFilters) {
  Run(40s, "c");
  log_.clear();
  auto config = Config();
  config.publish.detail = Detail::kFlagged;
  Reload(config);
  Run(8s, "c");
  EXPECT_THAT(MetricsPage(), HasSubstr("limpet_indicted{node=\"c\",cause=\"disk-busy\"} 1\n"));
  EXPECT_THAT(log_, IsEmpty());
  EXPECT_THAT(MetricsPage(), Not(HasSubstr("limpet_anomaly{peer_group=\"disks\",node=\"a\"")));
}

TEST_F(MonitorTest, AReloadForgetsTargetsThatAreGone) {
  Run(20s);
  auto config = Config();
  config.targets.pop_back();
  Reload(config);
  Run(20s);
  EXPECT_THAT(MetricsPage(), Not(HasSubstr("limpet_target_up{node=\"d\"}")));
  EXPECT_THAT(MetricsPage(), HasSubstr("peer_group=\"disks\",preset=\"quick\","
                                       "state=\"taking_part\"} 3\n"));
}

// Of the await of c/sda, as the page says it.
double Accumulator(const std::string& page) {
  PageParser parser(page);
  for (auto item = parser.Next(); item.kind == ItemKind::kSample || item.kind == ItemKind::kHelp ||
                                  item.kind == ItemKind::kType;
       item = parser.Next()) {
    if (item.name == "limpet_anomaly_accumulator" &&
        item.labels.find("node=\"c\"") != std::string_view::npos &&
        item.labels.find("metric=\"await\"") != std::string_view::npos) {
      return item.value;
    }
  }
  return 0;
}

TEST_F(MonitorTest, TargetsComeAndGoAndTheOthersGoOn) {
  Run(40s, "c");
  log_.clear();
  const auto before = Accumulator(MetricsPage());
  const auto with = [&](std::vector<Target> targets) { SetTargets(std::move(targets)); };
  auto targets = monitor_->Plan().targets;
  Target fifth = targets[0];
  fifth.node = fifth.endpoint.host = "e";
  targets.erase(targets.begin());  // a goes, e comes
  targets.push_back(fifth);
  with(targets);
  Run(4s, "c");
  EXPECT_THAT(MetricsPage(), HasSubstr("limpet_indicted{node=\"c\",cause=\"disk-busy\"} 1\n"));
  EXPECT_THAT(MetricsPage(), Not(HasSubstr("node=\"a\"")));
  EXPECT_THAT(MetricsPage(), HasSubstr("state=\"taking_part\"} 3\n"));
  Run(20s, "c");
  EXPECT_THAT(MetricsPage(), HasSubstr("limpet_indicted{node=\"c\",cause=\"disk-busy\"} 1\n"));
  EXPECT_THAT(MetricsPage(), HasSubstr("limpet_indicted{node=\"e\",cause=\"disk-busy\"} 0\n"));
  EXPECT_THAT(MetricsPage(), HasSubstr("state=\"taking_part\"} 4\n"));
  EXPECT_THAT(MetricsPage(), HasSubstr("state=\"missing\"} 0\n"));
  EXPECT_GE(Accumulator(MetricsPage()), before + 5);
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(MonitorTest, ANodeThatComesBackWithinADayHasItsAccumulatorAndLaterNot) {
  Run(60s, "c");
  const auto before =
      MetricsPage().find("limpet_anomaly_accumulator{peer_group=\"disks\",node=\"c\"");
  ASSERT_NE(before, std::string::npos);
  const auto saved = [&] {
    std::uint32_t value = 0;
    const auto decoded = DecodeState(monitor_->SnapshotState()(), Config().pipeline);
    for (const auto& component : decoded->state.components) {
      if (component.component == "c/sda" && component.metric == "await") {
        value = component.accumulator;
      }
    }
    return value;
  };
  const auto accumulated = saved();
  EXPECT_GT(accumulated, 5U);
  const auto all = monitor_->Plan().targets;
  auto rest = all;
  std::erase_if(rest, [](const Target& target) { return target.node == "c"; });
  SetTargets(rest);
  Run(60s);
  EXPECT_THAT(MetricsPage(), Not(HasSubstr("node=\"c\"")));
  EXPECT_EQ(saved(), accumulated);
  SetTargets(all);
  Run(20s, "c");
  EXPECT_GE(saved(), accumulated);
  SetTargets(rest);
  Run(10s);
  clock_.Advance(25h);
  Run(10s);
  EXPECT_EQ(saved(), 0U);
}

TEST_F(MonitorTest, ATargetWithOtherLabelsHasOtherPeersAtOnce) {
  Reload(
      Config("presets: [{base: bare, name: quick, smoothing: 1, window: 8, shift: 4, k: 1}]\n"
             "peer_groups: [{name: r1, kind: storage, labels: {rack: r1}},"
             " {name: r2, kind: storage, labels: {rack: r2}}]\n"
             "targets: [{addresses: [a, b, c, d], labels: {rack: r1}},"
             " {addresses: [e, f, g], labels: {rack: r2}}]\n"));
  Run(20s);
  EXPECT_THAT(MetricsPage(),
              HasSubstr("peer_group=\"r1\",preset=\"quick\",state=\"taking_part\"} 4\n"));
  auto targets = monitor_->Plan().targets;
  targets[0].labels["rack"] = "r2";
  SetTargets(targets);
  Run(20s);
  EXPECT_THAT(MetricsPage(),
              HasSubstr("peer_group=\"r1\",preset=\"quick\",state=\"taking_part\"} 3\n"));
  EXPECT_THAT(MetricsPage(),
              HasSubstr("peer_group=\"r2\",preset=\"quick\",state=\"taking_part\"} 4\n"));
  EXPECT_THAT(MetricsPage(), Not(HasSubstr("\"} 1\n# HELP limpet_anomaly_degree")));
}

TEST_F(MonitorTest, ANewRoleHasGroupsOfItsOwnAndTakesNothingFromTheOthers) {
  const std::string text =
      "presets: [{base: bare, name: quick, smoothing: 1, window: 8, shift: 4, k: 1}]\n"
      "targets: [{addresses: [a, b, c, d]}, {file_sd: {files: [/none/*.json]}}]\n";
  Reload(Config(text));
  Run(40s, "c");
  EXPECT_THAT(MetricsPage(), HasSubstr("limpet_indicted{node=\"c\",cause=\"disk-busy\"} 1\n"));
  log_.clear();
  auto targets = monitor_->Plan().targets;
  for (const auto* node : {"m1", "m2", "m3"}) {
    targets.push_back(targets[0]);
    targets.back().node = targets.back().endpoint.host = node;
    targets.back().role = "mds";
  }
  const auto next = WithTargets(Config(text), targets);
  EXPECT_THAT(next.all_groups, SizeIs(6));
  monitor_->SetPlan(next);
  for (int i = 0; i < 6; ++i) {
    Run(4s, "c");
    EXPECT_THAT(MetricsPage(), HasSubstr("limpet_indicted{node=\"c\",cause=\"disk-busy\"} 1\n"));
  }
  EXPECT_THAT(MetricsPage(),
              HasSubstr("peer_group=\"mds-disks\",preset=\"quick\",state=\"taking_part\"} 3\n"));
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(MonitorTest, IsNotReadyBeforeAllListsHaveBeenTried) {
  SdStatus list{.name = "http://inventory/limpet", .error = ""};
  monitor_->SetDiscovery({list});
  Run(2s);
  EXPECT_FALSE(monitor_->Latest()->ready);
  list.tried = true;
  list.refused = 2;
  monitor_->SetDiscovery({list});
  Run(1s);
  EXPECT_TRUE(monitor_->Latest()->ready);
  EXPECT_THAT(
      MetricsPage(),
      HasSubstr("limpet_discovery_refused_entries{source=\"http://inventory/limpet\"} 2\n"));
}

TEST_F(MonitorTest, AReloadWithAnotherPresetBeginsAnew) {
  Run(40s, "c");
  Reload(
      Config("presets: [{base: bare, name: quick, smoothing: 1, window: 10, "
             "shift: 4, k: 1}]\npeer_groups: [{name: disks, kind: storage}]\n"
             "targets: [{addresses: [a, b, c, d]}]\n"));
  (void)monitor_->Tick();
  Run(6s, "c");
  EXPECT_THAT(MetricsPage(), Not(HasSubstr("cause=\"disk-busy\"} 1\n")));
  Run(30s, "c");
  EXPECT_THAT(MetricsPage(), HasSubstr("limpet_indicted{node=\"c\",cause=\"disk-busy\"} 1\n"));
}

TEST_F(MonitorTest, TheStateOfOneMonitorIsGoneOnWithByTheNext) {
  Run(40s, "c");
  const auto decoded = DecodeState(monitor_->SnapshotState()(), Config().pipeline);
  ASSERT_TRUE(decoded);
  EXPECT_THAT(decoded->ignored, IsEmpty());
  std::uint32_t before = 0;
  for (const auto& component : decoded->state.components) {
    if (component.component == "c/sda" && component.metric == "await") {
      before = component.accumulator;
    }
  }
  EXPECT_GT(before, 3U);
  monitor_ = std::make_unique<Monitor>(
      Config(), Config(), decoded->state, clock_, metrics_, [](LogLevel, std::string_view) {},
      [](const std::vector<Event>&) {});
  Run(16s, "c");
  EXPECT_GT(Accumulator(MetricsPage()), before);
}

TEST_F(MonitorTest, GroupsAreJudgedByWhoeverHelpsAlsoAfterAReload) {
  std::size_t asked = 0;
  monitor_->WorkBy([&](std::size_t count, const std::function<void(std::size_t)>& body) {
    ++asked;
    OneAfterTheOther(count, body);
  });
  Run(20s, "c");
  EXPECT_GT(std::exchange(asked, 0U), 0U);
  auto other = Config();
  other.pipeline.presets.front().rho = 4;
  other.presets = other.pipeline.presets;
  Reload(other);
  Run(20s, "c");
  EXPECT_GT(asked, 0U);
}

TEST_F(MonitorTest, WhatLastsCanBeAskedForAfterItIsOnThePage) {
  Run(40s, "c");
  const auto list = MakeTopList(*monitor_->Latest()->view, "await", 10);
  ASSERT_EQ(list.entries.size(), 1U);
  EXPECT_EQ(list.entries[0].component, "c/sda");
  EXPECT_EQ(list.entries[0].accumulator, Accumulator(MetricsPage()));
}

TEST_F(MonitorTest, AClockSetBackBeginsNewWindowsAndKeepsTheAccumulators) {
  const auto accumulator = [&] { return Accumulator(MetricsPage()); };
  Run(40s, "c");
  const auto before = accumulator();
  EXPECT_GT(before, 3U);
  log_.clear();
  events_.clear();
  clock_.StepWall(-300s);
  Run(20s, "c");
  EXPECT_THAT(log_, Contains(HasSubstr("the clock was set back by 299")));
  EXPECT_THAT(events_, Not(IsEmpty()));
  EXPECT_THAT(MetricsPage(), HasSubstr("limpet_indicted{node=\"c\",cause=\"disk-busy\"} 1\n"));
  EXPECT_GT(accumulator(), before);
  EXPECT_LE(accumulator(), before + 5);
}

TEST_F(MonitorTest, AClockSetForwardIsAGap) {
  Run(40s, "c");
  log_.clear();
  clock_.StepWall(300s);
  Run(2s, "c");
  EXPECT_THAT(MetricsPage(),
              HasSubstr("limpet_indicted_unknown{node=\"c\",cause=\"disk-busy\"} 1\n"))
      << "nobody can be compared yet";
  Run(20s, "c");
  EXPECT_THAT(MetricsPage(), HasSubstr("limpet_indicted{node=\"c\",cause=\"disk-busy\"} 1\n"));
  EXPECT_THAT(MetricsPage(), HasSubstr("limpet_indicted{node=\"a\",cause=\"disk-busy\"} 0\n"));
  EXPECT_THAT(MetricsPage(), Not(HasSubstr("limpet_indicted_unknown{")));
}

TEST_F(MonitorTest, AProbeIsAskedForAndStandsBesideLaterVerdicts) {
  std::vector<ProbeRound> rounds;
  Reload(Config(std::string(kQuick) + "probe: {enabled: true}\n"));
  monitor_->SetProbeSink([&](ProbeRound round) { rounds.push_back(std::move(round)); });
  Run(30s, "b");
  ASSERT_THAT(rounds, SizeIs(1));
  ASSERT_THAT(rounds[0], SizeIs(3));
  EXPECT_EQ(rounds[0][0].node, "b");
  EXPECT_EQ(rounds[0][1].node, "c");
  EXPECT_THAT(MetricsPage(), HasSubstr("limpet_indicted{node=\"b\"")) << "it does not wait";
  EXPECT_THAT(MetricsPage(), Not(HasSubstr("limpet_fact{")));

  using State = ProbeReading::State;
  ProbeReadings readings;
  for (const auto& target : rounds[0]) {
    readings.push_back({.node = target.node,
                        .device = target.device,
                        .state = State::kMeasured,
                        .reads = 30,
                        .median = target.node == "b" ? 0.08 : 0.01});
  }
  monitor_->AddProbe(readings);
  events_.clear();
  Run(1s, "b");
  EXPECT_THAT(MetricsPage(), HasSubstr("fact=\"probe\",detail=\"80 ms, c/")) << "at once";
  EXPECT_THAT(log_, Contains(HasSubstr("probe: b: 30 reads of 4 KiB straight from the disk: b/")));
  Run(8s, "b");
  std::size_t told = 0;
  for (const auto& event : events_) {
    if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
      ASSERT_FALSE(verdict->facts.empty());
      EXPECT_EQ(verdict->facts[0].fact, "probe");
      ++told;
    }
  }
  EXPECT_GT(told, 0U);
  EXPECT_THAT(rounds, SizeIs(1));
}

TEST_F(MonitorTest, EveryNumberOnThePageIsFinite) {
  for (const auto* node : {"a", "b", "c", "d"}) {
    Give(node,
         "limpet_disk_reads_completed_total{device=\"sda\"} NaN\n"
         "limpet_disk_read_time_seconds_total{device=\"sda\"} +Inf\n"
         "limpet_disk_io_time_seconds_total{device=\"sda\"} 1e308\n");
  }
  Run(40s, "c");
  EXPECT_THAT(MetricsPage(), Not(HasSubstr("NaN")));
  EXPECT_THAT(MetricsPage(), Not(HasSubstr("Inf")));
}

}  // namespace
}  // namespace limpet
