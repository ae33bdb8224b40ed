// The monitor with a keeper: what becomes of verdicts.
#include <gmock/gmock.h>

#include "diagnoser/config/config.h"
#include "diagnoser/publish/events.h"
#include "diagnoser/runtime/monitor.h"
#include "tests/support/disk_counters.h"
#include "tests/support/manual_clock.h"

namespace limpet::monitor_incidents_test {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Windows of 8 s, a verdict after two of them.
constexpr std::string_view kQuick =
    "presets: [{base: bare, name: quick, smoothing: 1, window: 8, shift: 4, k: 1}]\n"
    "peer_groups: [{name: disks, kind: storage}]\n"
    "targets: [{addresses: [a, b, c, d]}]\n"
    "cluster: site\n"
    "actions: {causes: [disk-busy, disk-hog], programs: {begin: [/bin/true]}}\n";

DiagnoserConfig Config() {
  return *ParseDiagnoserConfig(kQuick, "test.yml", [](const std::string& path) {
    return Result<std::string>(Error{ErrorCode::kNotFound, "", path});
  });
}

class MonitorIncidents : public ::testing::Test {
 protected:
  MonitorIncidents() {
    const auto config = Config();
    keeper_.emplace(IncidentKeeper::Options{.own_thread = false}, config.incidents, clock_,
                    [](LogLevel, std::string_view) {});
    monitor_.emplace(
        config, config, PipelineState{}, clock_, metrics_,
        [this](LogLevel, std::string_view line) { log_.emplace_back(line); },
        [this](const std::vector<Event>& events) {
          for (const auto& event : events) {
            if (std::holds_alternative<VerdictEvent>(event)) {
              verdicts_.push_back(ToJsonLine(event));
            }
          }
        });
    monitor_->SetKeeper(*keeper_);
  }
  void Run(Duration time, const std::string& slow = "") {
    for (Duration passed{}; passed < time; passed += 1s) {
      clock_.Advance(1s);
      for (const auto& target : monitor_->Plan().targets) {
        disks_[target.node].AddSecond(target.node == slow ? 80 : 10);
        monitor_->Ingest(
            {.target = std::make_shared<const Target>(target),
             .result = {.body = disks_[target.node].Lines(), .asked_at = clock_.Now()}});
      }
      (void)monitor_->Tick();
      keeper_->Step();
    }
  }
  template <class Ask>
  void AskStore(Ask ask) {
    ASSERT_TRUE(keeper_->Ask([&](IncidentStore& store) -> std::optional<Error> {
      ask(store);
      return std::nullopt;
    }));
    keeper_->Step();
  }
  std::vector<IncidentRecord> Kept() {
    std::vector<IncidentRecord> kept;
    AskStore([&](IncidentStore& store) { kept = *store.List({.to = UnixTime::max()}); });
    return kept;
  }

  testing::ManualClock clock_;
  SelfMetrics metrics_{clock_.Now()};
  std::vector<std::string> log_;
  std::vector<std::string> verdicts_;
  std::map<std::string, testing::DiskCounters> disks_;
  std::optional<IncidentKeeper> keeper_;
  std::optional<Monitor> monitor_;
};

TEST_F(MonitorIncidents, AVerdictIsAnIncidentInStoreEventsAndView) {
  Run(60s);
  EXPECT_THAT(Kept(), IsEmpty());
  Run(60s, "c");
  const auto kept = Kept();
  ASSERT_THAT(kept, SizeIs(1));
  EXPECT_EQ(kept[0].node, "c");
  EXPECT_EQ(kept[0].cluster, "site");
  EXPECT_THAT(verdicts_, Contains(HasSubstr("\"incident\":\"" + kept[0].id + "\"")));
  EXPECT_EQ(monitor_->Latest()->view->verdicts.at(0).incident, kept[0].id);
  Run(120s);
  ASSERT_THAT(Kept(), SizeIs(1));
  EXPECT_TRUE(Kept()[0].ended);
  EXPECT_EQ(Kept()[0].ending, "like its peers");
}

TEST_F(MonitorIncidents, AnAnswerStandsOnTheVerdict) {
  Run(60s);
  Run(60s, "c");
  const auto id = Kept().at(0).id;
  AskStore([&](IncidentStore& store) {
    EXPECT_TRUE(store.Add({.incident = id, .at = clock_.Now(), .kind = AnswerKind::kKnown}));
  });
  Run(10s, "c");
  EXPECT_EQ(monitor_->Latest()->view->verdicts.at(0).answer, "known");
  EXPECT_THAT(*monitor_->Latest()->page->Get(Format::kText, false),
              HasSubstr("limpet_incident_answered{node=\"c\""));
}

TEST_F(MonitorIncidents, WhatIsNotLocalEvidenceIsNotActedUponAndSaidSo) {
  Run(60s);
  Run(60s, "c");
  std::vector<Act> acts;
  AskStore([&](IncidentStore& store) {
    acts = *store.ActsOf(store.List({.to = UnixTime::max()})->at(0).id);
  });
  ASSERT_THAT(acts, SizeIs(1));
  EXPECT_EQ(acts[0].state, "refused");
  EXPECT_THAT(log_, Contains(HasSubstr("its evidence is not local")));
}

}  // namespace
}  // namespace limpet::monitor_incidents_test
