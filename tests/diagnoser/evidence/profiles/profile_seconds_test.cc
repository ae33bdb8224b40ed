// Behaviour profiles in the pipeline: pages in; events, verdicts and what is kept out.
#include <gmock/gmock.h>

#include <fmt/format.h>

#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/publish/events.h"
#include "diagnoser/training/profile_trainer.h"

namespace limpet::profile_seconds_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr auto kStart = UnixFromSeconds(1'700'000'000);

// Profile 1: idle, profile 2: busy; by user time and context switches.
ProfileModel Model() {
  return {.metrics = {HostMetric::kUser, HostMetric::kContextSwitches},
          .sigma = {1, 1},
          .profiles = {{.mean = {1.8, 6}, .covariance = {0.05, 0, 0, 0.05}},
                       {.mean = {4, 9}, .covariance = {0.05, 0, 0, 0.05}}},
          .threshold = 0.3};
}

PipelineConfig Config(bool wait = false) {
  PipelineConfig config;
  config.presets = {DefaultPreset()};
  config.profiles = ProfilePlan{.model = Model(), .roles = {"io"}, .wait = wait};
  return config;
}

// Counters of a node that is idle or busy, as limpet-exporter or node_exporter print them.
struct Host {
  std::string node;
  double user = 0;
  double switches = 0;

  void Work(bool busy) {
    user += busy ? 0.55 : 0.05;
    switches += busy ? 8000 : 400;
  }
  [[nodiscard]] std::string Page(const std::string& prefix = "limpet") const {
    auto text = fmt::format("{}_context_switches_total {}\n", prefix, switches);
    for (int cpu = 0; cpu < 2; ++cpu) {
      const auto label = prefix == "node" ? fmt::format("cpu=\"{}\",", cpu) : std::string();
      const double part = prefix == "node" ? 0.5 : 1;
      if (cpu == 0 || prefix == "node") {
        text +=
            fmt::format("{}_cpu_seconds_total{{{}mode=\"user\"}} {}\n", prefix, label, user * part);
        text += fmt::format("{}_cpu_seconds_total{{{}mode=\"idle\"}} 1\n", prefix, label);
        text += fmt::format("{}_cpu_seconds_total{{{}mode=\"system\"}} 0\n", prefix, label);
        text += fmt::format("{}_cpu_seconds_total{{{}mode=\"iowait\"}} 0\n", prefix, label);
        text += fmt::format("{}_cpu_seconds_total{{{}mode=\"guest\"}} {}\n", prefix, label, user);
      }
    }
    return text;
  }
};

class Fleet {
 public:
  explicit Fleet(PipelineConfig config, std::string prefix = "limpet")
      : pipeline(std::move(config)), prefix_(std::move(prefix)) {
    for (const char* node : {"io01", "io02", "io03", "io04"}) {
      hosts_.push_back({.node = node});
    }
  }
  // Second `t`: `odd` is busy all the time; `silent` is not read.
  std::vector<Event> Step(int t, const std::string& odd = "", const std::string& silent = "") {
    const auto at = kStart + seconds(t) + milliseconds(3);
    for (auto& host : hosts_) {
      host.Work(host.node == odd || (t / 10) % 2 == 1);
      if (host.node == silent) {
        continue;
      }
      const auto text = host.Page(prefix_);
      const auto stats = pipeline.Ingest({.source = host.node,
                                          .node = host.node,
                                          .role = "io",
                                          .labels = {},
                                          .at = at,
                                          .text = text});
      EXPECT_TRUE(stats) << stats.error().Text();
    }
    return pipeline.Advance(at);
  }
  std::vector<ProfileEvent> Run(int from, int to, const std::string& odd = "",
                                const std::string& silent = "") {
    std::vector<ProfileEvent> events;
    for (int t = from; t < to; ++t) {
      for (const auto& event : Step(t, odd, silent)) {
        if (const auto* profile = std::get_if<ProfileEvent>(&event)) {
          events.push_back(*profile);
        } else if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
          verdicts.push_back(*verdict);
        }
      }
    }
    return events;
  }

  Pipeline pipeline;
  std::vector<VerdictEvent> verdicts;

 private:
  std::string prefix_;
  std::vector<Host> hosts_;
};

TEST(ProfileSeconds, EveryNodeHasItsLabelEverySecond) {
  Fleet fleet(Config());
  const auto events = fleet.Run(0, 30);
  ASSERT_THAT(events, SizeIs(29));  // the last second is settled by a reading after it
  EXPECT_EQ(events[0].end, kStart + seconds(1));
  EXPECT_FALSE(events[0].components[0].label);  // it began before the first reading
  EXPECT_EQ(events[5].components[3].component, "io04");
  EXPECT_EQ(events[5].components[3].label, 1U);
  EXPECT_EQ(events[15].components[0].label, 2U);
  EXPECT_THAT(events[5].components[0].distances, SizeIs(3));
}

TEST(ProfileSeconds, NodeExportersOfSeveralProcessorsSayTheSame) {
  Fleet ours(Config());
  Fleet theirs(Config(), "node");
  const auto a = ours.Run(0, 60);
  const auto b = theirs.Run(0, 60);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(ToJsonLine(Event(a[i])), ToJsonLine(Event(b[i])));
  }
}

TEST(ProfileSeconds, TheOddNodeIsIndictedForItsBehaviour) {
  Fleet fleet(Config());
  (void)fleet.Run(0, 150, "io03");
  ASSERT_FALSE(fleet.verdicts.empty());
  const auto& verdict = fleet.verdicts.back();
  EXPECT_EQ(verdict.node, "io03");
  EXPECT_EQ(verdict.cause, Cause::kBehaviour);
  EXPECT_EQ(verdict.preset, "default");
  EXPECT_FALSE(verdict.secondary);
  ASSERT_GE(verdict.evidence.size(), 2U);
  EXPECT_EQ(verdict.evidence[0].metric, "profile");
  const auto view = fleet.pipeline.View();
  ASSERT_TRUE(view.profiles);
  EXPECT_TRUE(view.profiles->nodes[2].indicted);
  EXPECT_GT(view.profiles->nodes[2].distance, 0.3);
  ASSERT_THAT(view.nodes, SizeIs(1));
  EXPECT_EQ(view.nodes[0].cause, Cause::kBehaviour);
}

TEST(ProfileSeconds, WithoutProfilesHostSeriesAreNotKept) {
  auto config = Config();
  config.profiles.reset();
  Fleet fleet(config);
  EXPECT_TRUE(fleet.Run(0, 20).empty());
  EXPECT_EQ(fleet.pipeline.View().counters.components, 0U);
  EXPECT_FALSE(fleet.pipeline.View().profiles);
}

TEST(ProfileSeconds, ASilentNodeHoldsNobodyUpForLong) {
  Fleet fleet(Config());
  (void)fleet.Run(0, 80);
  const auto events = fleet.Run(80, 130, "", "io02");
  ASSERT_FALSE(events.empty());
  // Five seconds of patience at first; then each second as it comes.
  EXPECT_GE(events.back().end, kStart + seconds(128));
  EXPECT_FALSE(events.back().components[1].label);
  EXPECT_TRUE(events.back().components[1].distances.empty());  // away for over 30 s
  EXPECT_THAT(events.back().components[0].distances, SizeIs(2));
}

TEST(ProfileSeconds, WaitingFillsAGapInFromBothSides) {
  Fleet fleet(Config(true));
  auto events = fleet.Run(0, 40);
  for (auto& more : {fleet.Run(40, 50, "", "io02"), fleet.Run(50, 300)}) {
    events.insert(events.end(), more.begin(), more.end());
  }
  for (const auto& event : events) {
    EXPECT_EQ(event.components[1].label.has_value(), event.end > kStart + seconds(1));
  }
  EXPECT_GE(events.back().end, kStart + seconds(298));
}

TEST(ProfileSeconds, ARestartGoesOnWithTheHistograms) {
  Fleet before(Config());
  (void)before.Run(0, 120, "io03");
  const auto state = before.pipeline.ExportState();
  ASSERT_TRUE(state.profiles);
  Fleet after(Config());
  (void)after.pipeline.ImportState(state);
  const auto events = after.Run(125, 140, "io03");
  ASSERT_FALSE(events.empty());
  EXPECT_TRUE(events.back().components[2].indicted);
  EXPECT_FALSE(events.back().components[0].indicted);
}

// Its numbers are given to others; who comes in its place begins with nothing.
TEST(ProfileSeconds, ANodeThatIsForgottenTakesPartNoMore) {
  Fleet fleet(Config());
  (void)fleet.Run(0, 100);
  fleet.pipeline.ForgetNode("io02", "io02");
  const auto events = fleet.Run(100, 110, "", "io02");
  ASSERT_FALSE(events.empty());
  EXPECT_THAT(events.back().components, SizeIs(3));
  const auto again = fleet.Run(110, 120);
  ASSERT_FALSE(again.empty());
  ASSERT_THAT(again.back().components, SizeIs(4));
  EXPECT_EQ(again.back().components[1].component, "io02");
  EXPECT_TRUE(again.back().components[1].label);
  EXPECT_EQ(fleet.pipeline.ExportState().profiles->nodes.at("io02").history.counts.size(), 3U);
  EXPECT_LT(fleet.pipeline.ExportState().profiles->nodes.at("io02").history.counts[0] +
                fleet.pipeline.ExportState().profiles->nodes.at("io02").history.counts[1],
            11);
}

TEST(ProfileSeconds, ALongSilenceIsPassedOver) {
  Fleet fleet(Config(true));
  (void)fleet.Run(0, 100);
  const auto far = fleet.Run(1'000'000, 1'000'300);
  ASSERT_FALSE(far.empty());
  EXPECT_LT(far.size(), 1'000U);
  EXPECT_TRUE(far.back().components[0].label);
}

TEST(ProfileTrainer, LearnsFromTheSamplesOfAPipeline) {
  auto config = Config();
  config.profiles = PlanForTraining(*config.profiles);
  Fleet fleet(config);
  ProfileTrainer trainer;
  std::size_t seen = 0;
  for (int t = 0; t < 300; ++t) {
    for (const auto& event : fleet.Step(t)) {
      trainer.Learn(event);
      seen += std::holds_alternative<HostEvent>(event) ? 1U : 0U;
    }
  }
  EXPECT_EQ(seen, 299U);
  const auto trained = trainer.Finish({.profiles = 2});
  ASSERT_TRUE(trained) << trained.error().Text();
  EXPECT_EQ(trained->model.metrics, (std::vector{HostMetric::kUser, HostMetric::kContextSwitches}));
  EXPECT_EQ(trained->model.profiles.size(), 2U);
}

// Recordings of two experiments, with the nodes known all the time in between.
TEST(ProfileTrainer, ASilenceOfMinutesBeginsANewRun) {
  auto config = Config();
  config.profiles = PlanForTraining(*config.profiles);
  for (const int silence : {240, 500}) {
    Fleet fleet(config);
    ProfileTrainer trainer;
    for (const int begin : {0, 100 + silence}) {
      for (int t = begin; t < begin + 100; ++t) {
        for (const auto& event : fleet.Step(t)) {
          trainer.Learn(event);
        }
      }
    }
    for (const auto& event : fleet.pipeline.Finish()) {
      trainer.Learn(event);
    }
    EXPECT_EQ(trainer.Runs(), silence > 300 ? 2U : 1U);
  }
}

}  // namespace
}  // namespace limpet::profile_seconds_test
