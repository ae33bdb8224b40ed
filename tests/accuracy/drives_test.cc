// What 3,006 production drives taught (docs/decisions/0151), as simulated drives at 15 s: 4 hosts
// of 12 drives, peers are those of one host.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/detect/time_scales.h"
#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/training/trainer.h"
#include "tests/accuracy/production_drives.h"
#include "tests/simulator/drives.h"

namespace limpet::accuracy::drives_test {
namespace {

using simulator::DriveChange;
using simulator::Drives;
using simulator::DrivesSpec;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr std::int64_t kStart = 1'699'920'000;
constexpr std::int64_t kHour = 3600;

PipelineConfig Config(PresetSettings preset = SlowDefaultPreset()) {
  PipelineConfig config;
  config.presets = {std::move(preset)};
  config.groups = {{.name = "drives", .per_node = true}};
  return config;
}

void RunThrough(const DrivesSpec& spec, const PipelineConfig& config, std::int64_t hours,
                const std::function<void(const Event&)>& on_event) {
  Drives drives(spec);
  Pipeline pipeline(config);
  while (drives.Second() < hours * kHour) {
    drives.Next();
    const auto at = UnixFromSeconds(kStart + drives.Second());
    for (std::size_t host = 0; host < spec.hosts; ++host) {
      const auto node = fmt::format("h{}", host);
      const auto page = drives.Page(host);
      ASSERT_TRUE(
          pipeline.Ingest({.source = node, .node = node, .role = "io", .at = at, .text = page}));
    }
    for (const auto& event : pipeline.Advance(at)) {
      on_event(event);
    }
  }
}

// Drives that ever stood in the evidence of an indictment.
std::set<std::string> Named(const DrivesSpec& spec, const PipelineConfig& config,
                            std::int64_t hours) {
  std::set<std::string> named;
  RunThrough(spec, config, hours, [&](const Event& event) {
    const auto* verdict = std::get_if<VerdictEvent>(&event);
    if (verdict != nullptr && !verdict->secondary) {
      for (const auto& evidence : verdict->evidence) {
        named.insert(evidence.component);
      }
    }
  });
  return named;
}

const std::vector<DriveChange> kSlow = {{.host = 1, .drive = 2, .latency = 1.8, .from = kHour},
                                        {.host = 3, .drive = 5, .latency = 3, .from = kHour}};

TEST(Drives, SlowOnesAreNamedAndNobodyElse) {
  EXPECT_THAT(Named({.changes = kSlow}, Config(), 8), UnorderedElementsAre("h1/sdc", "h3/sdf"));
  EXPECT_THAT(Named({.seed = 2}, Config(), 12), IsEmpty());
}

PipelineConfig ConfigFor(Duration spacing) {
  auto config = Config();
  config.presets = WithScales(DefaultPresetFor(spacing));
  config.limits.future = 2 * spacing;  // the clock is advanced by whole steps here
  return config;
}

// node_exporter, scraped as often as sites do.
TEST(Drives, StrongOnesAreNamedByShortWindowsAtAnyStep) {
  for (const std::int64_t step : {5, 15, 30, 60}) {
    const auto config = ConfigFor(std::chrono::seconds(step));
    const auto from = 100 * step;
    const DrivesSpec spec{.step = step,
                          .changes = {{.host = 1, .drive = 2, .latency = 6, .from = from}}};
    std::set<std::string> named;
    std::optional<Duration> after;
    RunThrough(spec, config, (from + 60 * step) / kHour + 1, [&](const Event& event) {
      const auto* verdict = std::get_if<VerdictEvent>(&event);
      if (verdict != nullptr && !verdict->secondary) {
        after = after.value_or(verdict->end - UnixFromSeconds(kStart + from));
        named.insert(verdict->evidence.front().component);
      }
    });
    EXPECT_THAT(named, UnorderedElementsAre("h1/sdc")) << step;
    ASSERT_TRUE(after) << step;
    EXPECT_LE(*after, FindNamingTime(config.presets.at(1)).most) << step;
  }
}

TEST(Drives, ShortWindowsNameNoHealthyDrive) {
  for (const std::int64_t step : {5, 15, 60}) {
    const DrivesSpec spec{.unlike = 0.1, .uneven = 0.2, .step = step, .seed = 7};
    EXPECT_THAT(Named(spec, ConfigFor(std::chrono::seconds(step)), step), IsEmpty()) << step;
  }
}

// 200 healthy drives were called hogs for this.
TEST(Drives, AQuarterMoreThroughputForTwentyMinutesIsNoHog) {
  std::vector<DriveChange> bursts;
  for (std::size_t drive = 0; drive < 12; ++drive) {
    const auto from = static_cast<std::int64_t>(drive) * 40 * 60;
    bursts.push_back({.host = drive % 4,
                      .drive = drive,
                      .latency = 1.03,
                      .load = 1.25,
                      .from = from,
                      .to = from + 20 * 60});
  }
  EXPECT_THAT(Named({.changes = bursts}, Config(), 9), IsEmpty());
}

TEST(Drives, SlowOnesAreNamedWhereBusyTimeIsCapped) {
  const DrivesSpec spec{.busy_time = simulator::BusyTime::kSaturated, .changes = kSlow};
  EXPECT_THAT(Named(spec, Config(), 8), UnorderedElementsAre("h1/sdc", "h3/sdf"));
  auto gated = SlowDefaultPreset();
  gated.svctm_gate = SvctmGate::kAlways;
  EXPECT_THAT(Named(spec, Config(gated), 8), UnorderedElementsAre("h1/sdc", "h3/sdf"))
      << "busy for no longer than its requests take";
}

// Of those of one production cluster, 1 of 18 was found with busy time as a kernel counts it.
TEST(Drives, SlowOnesLastWhereBusyTimeIsCappedNowAndThen) {
  const auto presets = WithScales(SlowDefaultPreset());
  for (const auto& [busy_time, in_flight] :
       {std::pair(simulator::BusyTime::kKernel, 0.85), std::pair(simulator::BusyTime::kRandom, 2.0),
        std::pair(simulator::BusyTime::kUncapped, 10.0)}) {
    const auto fleet =
        WatchFleet({.busy_time = busy_time, .in_flight = in_flight, .seed = 1}, presets);
    EXPECT_EQ(fleet.sick_lasting, fleet.sick) << in_flight;
    EXPECT_EQ(fleet.healthy_named, 0U) << in_flight;
    EXPECT_EQ(fleet.passing_lasting, 0U) << in_flight;
  }
}

TEST(Drives, SlowOnesAreNamedAtLatenciesOfNvme) {
  const DrivesSpec spec{
      .latency = 0.0002, .requests = 800, .request_bytes = 16384, .flash = true, .changes = kSlow};
  EXPECT_THAT(Named(spec, Config(), 8), UnorderedElementsAre("h1/sdc", "h3/sdf"));
}

std::vector<Thresholds> Train(const DrivesSpec& spec, const PipelineConfig& config) {
  const auto measured = ConfigForTraining(config);
  Trainer trainer(measured.presets);
  RunThrough(spec, measured, 8, [&](const Event& event) { trainer.Learn(event); });
  std::vector<Thresholds> all;
  for (auto& preset : trainer.Finish()) {
    all.push_back(std::move(preset.thresholds));
  }
  return all;
}

// With thresholds of their own they would be normal from then on.
TEST(Drives, SickOnesInTrainingDoNotBlind) {
  auto sick = kSlow;
  for (auto& change : sick) {
    change.from = 0;
  }
  const DrivesSpec spec{.seed = 3, .changes = sick};
  auto config = Config();
  config.thresholds = Train(spec, config);
  EXPECT_THAT(Named(spec, config, 8), UnorderedElementsAre("h1/sdc", "h3/sdf"));
  auto own = SlowDefaultPreset();
  own.training_deviant = TrainingDeviant::kCap;
  auto blind = Config(own);
  blind.thresholds = Train(spec, blind);
  EXPECT_THAT(Named(spec, blind, 8), testing::Not(testing::Contains("h1/sdc")));
}

}  // namespace
}  // namespace limpet::accuracy::drives_test
