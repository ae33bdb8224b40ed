#include "diagnoser/runtime/monitor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnoser/publish/top.h"
#include "diagnoser/state/codec.h"
#include "exporter/common/exposition/parser.h"
#include "tests/support/quick_monitor.h"

namespace limpet::monitor_test {
namespace {

using testing::Config;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kQuick;
using testing::MonitorTest;
using ::testing::Not;
using ::testing::SizeIs;
using namespace std::chrono_literals;

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

// After a pause of about max_gap the readings of some nodes are just near enough to one another,
// and those of others are not: what the pause says of one must not be what it says of its peers.
TEST_F(MonitorTest, APauseOfTheDiagnoserEndsNoVerdict) {
  Run(40s, "c");
  const auto give = [&](const std::string& node, Duration before) {
    for (int second = 1; second < 5; ++second) {
      (void)Page(node, node == "c" ? 80 : 10);
    }
    Take(node, {.body = Page(node, node == "c" ? 80 : 10), .asked_at = clock_.Now() - before});
  };
  clock_.Advance(5300ms);
  for (const auto* node : {"a", "b", "d"}) {
    give(node, 300ms);
  }
  give("c", 0ms);
  for (int second = 0; second < 20; ++second) {
    (void)monitor_->Tick();
    ASSERT_THAT(MetricsPage(), HasSubstr("limpet_indicted{node=\"c\",cause=\"disk-busy\"} 1\n"))
        << second << " s after it";
    Run(1s, "c");
  }
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
}  // namespace limpet::monitor_test
