// System calls in the pipeline: pages in; verdicts, events and training out.
#include "diagnoser/evidence/syscalls/syscall_seconds.h"

#include <gmock/gmock.h>

#include <set>

#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/publish/events.h"
#include "diagnoser/publish/explain.h"
#include "diagnoser/training/syscall_trainer.h"
#include "diagnoser/training/trainer.h"
#include "tests/support/syscall_fleet.h"

namespace limpet::syscall_seconds_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;
using testing::SyscallFleet;

PipelineConfig Config(SyscallTraining training = {}) {
  PipelineConfig config;
  config.presets = {DefaultPreset()};
  config.presets[0].shift = 8;  // verdicts sooner
  config.syscalls = SyscallPlan{.training = std::move(training), .events = true};
  for (int i = 1; i <= SyscallFleet::kServers; ++i) {
    config.addresses["10.0.0." + std::to_string(i)] = "s" + std::to_string(i);
  }
  return config;
}

// A fleet and who watches it.
class Watched {
 public:
  explicit Watched(PipelineConfig config) : pipeline(std::move(config)) {}

  void Run(int count) {
    for (int i = 0; i < count; ++i) {
      fleet.Step();
      const auto at = UnixFromSeconds(SyscallFleet::kStart + fleet.Second()) + milliseconds(2);
      for (const auto& node : SyscallFleet::Nodes()) {
        if (node == silent) {
          continue;
        }
        const auto page = fleet.Page(node);
        const auto stats = pipeline.Ingest({.source = node,
                                            .node = node,
                                            .role = SyscallFleet::IsServer(node) ? "io" : "client",
                                            .labels = {},
                                            .at = at,
                                            .text = page});
        EXPECT_TRUE(stats) << stats.error().Text();
      }
      for (auto& event : pipeline.Advance(at)) {
        if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
          named.insert(verdict->node + ": " + Name(verdict->cause) +
                       (verdict->secondary ? ", secondary" : ""));
          last = *verdict;
        }
        events.push_back(std::move(event));
      }
    }
  }

  SyscallFleet fleet;
  Pipeline pipeline;
  std::string silent;
  std::set<std::string> named;  // over all windows
  VerdictEvent last;
  std::vector<Event> events;
};

SyscallTraining Train() {
  Watched watched(ConfigForTraining(Config()));
  watched.fleet.probing = true;
  watched.Run(300);
  SyscallTrainer trainer;
  for (const auto& event : watched.events) {
    trainer.Learn(event);
  }
  return trainer.Finish();
}

TEST(SyscallSeconds, AFaultFreeFleetIndictsNobody) {
  Watched watched(Config(Train()));
  watched.fleet.probing = true;
  watched.Run(600);
  EXPECT_THAT(watched.named, IsEmpty());
}

TEST(SyscallSeconds, SlowSystemCallsAreNamed) {
  Watched watched(Config(Train()));
  watched.Run(60);
  watched.fleet.slow = 3;
  watched.Run(120);
  EXPECT_THAT(watched.named, ElementsAre("s3: slow-syscalls"));
  EXPECT_THAT(watched.last.evidence, SizeIs(2));  // reads and writes
  EXPECT_THAT(Explain(watched.last),
              StartsWith("s3: slow-syscalls (time of a call that reads from storage"));
  EXPECT_GT(watched.last.degree, 1);
}

TEST(SyscallSeconds, WithoutTrainingSlowSystemCallsAreNobodysFault) {
  Watched watched(Config());
  watched.Run(60);
  watched.fleet.slow = 3;
  watched.Run(120);
  EXPECT_THAT(watched.named, IsEmpty());
}

TEST(SyscallSeconds, AnErrorThatReachesAClientIsNamedWithoutTraining) {
  Watched watched(Config());
  watched.Run(60);
  watched.fleet.errors = 5;
  watched.Run(20);
  watched.fleet.errors = 0;
  watched.Run(10);
  EXPECT_THAT(watched.named, ElementsAre("s5: propagated-error"));
  ASSERT_THAT(watched.last.evidence, SizeIs(1));
  const auto& fact = watched.last.evidence[0].syscall;
  ASSERT_TRUE(fact);
  EXPECT_EQ(fact->error, "EMFILE");
  EXPECT_EQ(fact->call, "open");
  EXPECT_EQ(fact->path, "storage");
  EXPECT_EQ(fact->client_call, "write");
  // The counter's series began with the first error: it is counted, too.
  EXPECT_EQ(fact->count, 40U);
  EXPECT_THAT(Explain(watched.last), HasSubstr("EMFILE of its open (storage), 40 times; client c1 "
                                               "got EMFILE from write"));
  EXPECT_THAT(ToJsonLine(Event(watched.last)), HasSubstr("\"syscall\""));
}

TEST(SyscallSeconds, AnErrorThatReachesNobodyIsNobodysFault) {
  Watched watched(Config());
  watched.Run(60);
  watched.fleet.hidden = 5;
  watched.Run(60);
  EXPECT_THAT(watched.named, IsEmpty());
}

TEST(SyscallSeconds, AKilledServerHasCrashed) {
  Watched watched(Config());
  watched.Run(60);
  watched.fleet.dead = 2;
  watched.Run(120);
  EXPECT_THAT(watched.named, ElementsAre("s2: server-crash"));
  EXPECT_THAT(Explain(watched.last), HasSubstr("ECONNREFUSED"));
  watched.fleet.dead = 0;
  watched.Run(90);
  watched.named.clear();
  watched.Run(30);
  EXPECT_THAT(watched.named, IsEmpty());
}

TEST(SyscallSeconds, AStoppedServerHangs) {
  Watched watched(Config());
  watched.Run(60);
  watched.fleet.stopped = 4;
  watched.Run(90);
  EXPECT_THAT(watched.named, ElementsAre("s4: server-hang"));
  EXPECT_THAT(Explain(watched.last), HasSubstr("has not returned for"));
}

TEST(SyscallSeconds, AFrozenServerHangsAlsoWhenClientsAskAgain) {
  Watched watched(Config());
  watched.Run(60);
  watched.fleet.frozen = 4;
  watched.Run(60);
  EXPECT_THAT(watched.named, ElementsAre("s4: server-hang"));
  EXPECT_THAT(Explain(watched.last), HasSubstr("has had no answer for"));
}

TEST(SyscallSeconds, AServerThatIsFedDoesNotHangWhetherItIsReadOrNot) {
  for (const auto* silent : {"", "s4"}) {
    Watched watched(Config());
    watched.Run(60);
    watched.fleet.fed = 4;
    watched.silent = silent;
    watched.Run(120);
    EXPECT_THAT(watched.named, IsEmpty()) << silent;
  }
}

TEST(SyscallSeconds, StartUpNoiseAndRestartedClientsIndictNobody) {
  Watched watched(Config());
  watched.fleet.dead = 2;  // not started yet
  watched.Run(20);
  watched.fleet.dead = 0;
  watched.Run(60);
  watched.silent = "c1";
  watched.Run(20);
  watched.silent = "";
  watched.Run(60);
  EXPECT_THAT(watched.named, IsEmpty());
}

TEST(SyscallSeconds, ARestartEndsNobodysIndictment) {
  Watched watched(Config());
  watched.Run(60);
  watched.fleet.dead = 2;
  watched.Run(30);
  EXPECT_THAT(watched.named, ElementsAre("s2: server-crash"));
  const auto state = watched.pipeline.ExportState();
  watched.pipeline = Pipeline(Config());
  EXPECT_EQ(watched.pipeline.ImportState(state), 0U);
  watched.named.clear();
  watched.Run(30);
  EXPECT_THAT(watched.named, ElementsAre("s2: server-crash"));
  // And it goes on for as long as the server is dead.
  watched.named.clear();
  watched.Run(120);
  EXPECT_THAT(watched.named, ElementsAre("s2: server-crash"));
}

TEST(SyscallSeconds, MaskedServersAreNotNamed) {
  auto config = Config();
  config.masked = {"s2"};
  Watched watched(std::move(config));
  watched.Run(60);
  watched.fleet.dead = 2;
  watched.fleet.errors = 2;
  watched.Run(60);
  EXPECT_THAT(watched.named, IsEmpty());
}

TEST(SyscallSeconds, TrainingLearnsErrorsAndDeviations) {
  const auto training = Train();
  EXPECT_THAT(training.errors.at("io"), ElementsAre("EAGAIN", "ENOENT"));
  const auto dread = training.Find("io", ServiceMetric::kDiskRead);
  EXPECT_THAT(dread.deviations, SizeIs(6));
  EXPECT_GT(dread.deviations.at("s1"), 0);
  EXPECT_LT(dread.deviations.at("s1"), 0.0008);
  EXPECT_THAT(training.Find("io", ServiceMetric::kClientRead).deviations, SizeIs(6));
}

TEST(SyscallSeconds, WindowsAreEventsOfAReplay) {
  Watched watched(Config(Train()));
  watched.Run(30);
  std::set<std::string> metrics;
  for (const auto& event : watched.events) {
    if (const auto* window = std::get_if<SyscallWindowEvent>(&event)) {
      metrics.insert(window->metric);
      EXPECT_EQ(window->role, "io");
      EXPECT_EQ(window->end.time_since_epoch() % seconds(5), Duration::zero());
      EXPECT_THAT(window->components, SizeIs(6));
    }
  }
  EXPECT_THAT(metrics, ElementsAre("dread", "dwrite", "ncread", "nsread"));
}

TEST(SyscallSeconds, WhatNobodyReadsIsNotRead) {
  auto config = Config();
  config.syscalls.reset();
  Watched watched(std::move(config));
  watched.Run(5);
  watched.fleet.dead = 2;
  watched.Run(100);
  EXPECT_THAT(watched.events, IsEmpty());
  EXPECT_FALSE(watched.pipeline.View().syscalls);
}

}  // namespace
}  // namespace limpet::syscall_seconds_test
