#include "diagnoser/state/migrate.h"

#include <gmock/gmock.h>

namespace limpet::migrate_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr UnixTime kEnd = UnixFromSeconds(1'700'000'000);

PipelineConfig Config() {
  PipelineConfig config;
  config.presets = {DefaultPreset(), TestbenchPreset()};
  config.groups = {{.name = "disks"}, {.name = "tcp", .kind = GroupKind::kCwnd, .ports = {1}}};
  return config;
}

ProfilePlan Profiles() {
  return {.model = {.metrics = {HostMetric::kUser},
                    .sigma = {1},
                    .profiles = {{.mean = {0}, .covariance = {1}}},
                    .threshold = 0.5}};
}

// One of everything; the columns hold the number of their preset.
StoredState Saved(const PipelineConfig& config) {
  StoredState saved{.state = {}, .origin = DescribeOrigin(config)};
  auto& state = saved.state;
  state.window_ends = {{"default", kEnd}, {"testbench", kEnd}};
  for (const auto* preset : {"default", "testbench"}) {
    for (const auto* metric : {"await", "svctm"}) {
      state.components.push_back({.preset = preset,
                                  .group = "disks",
                                  .metric = metric,
                                  .component = "a/sda",
                                  .accumulator = 5});
    }
  }
  TrackTail tail{.last = kEnd, .value = 1, .columns = {}};
  tail.columns = {ColumnTail{.values = {0}, .sum = 0}, ColumnTail{.values = {1}, .sum = 1}};
  state.entities = {{.kind = EntityKind::kDisk, .entity = {.node = "a"}, .counters = {tail}}};
  state.cwnd["tcp"] = {};
  state.last = kEnd;
  return saved;
}

TEST(Migrate, ToTheSameConfigurationKeepsEverything) {
  const auto migrated = Migrate(Saved(Config()), Config());
  EXPECT_THAT(migrated.ignored, IsEmpty());
  EXPECT_THAT(migrated.state.components, SizeIs(4));
  EXPECT_THAT(migrated.state.window_ends, SizeIs(2));
  EXPECT_THAT(migrated.state.cwnd, SizeIs(1));
  EXPECT_EQ(migrated.state.last, kEnd);
}

TEST(Migrate, ColumnsFollowTheirPresets) {
  auto config = Config();
  std::swap(config.presets[0], config.presets[1]);
  config.presets.insert(config.presets.begin(), ProductionPreset());
  const auto migrated = Migrate(Saved(Config()), config);
  EXPECT_THAT(migrated.ignored, IsEmpty());
  const auto& columns = migrated.state.entities[0].counters[0]->columns;
  ASSERT_THAT(columns, SizeIs(3));
  EXPECT_FALSE(columns[0]);
  EXPECT_EQ(columns[1]->sum, 1);
  EXPECT_EQ(columns[2]->sum, 0);
}

TEST(Migrate, AChangedPresetIsSaidOnceAGroupAndLosesItsColumn) {
  auto config = Config();
  config.presets[0].window += 1;
  const auto migrated = Migrate(Saved(Config()), config);
  EXPECT_THAT(migrated.ignored,
              ElementsAre(HasSubstr("preset default has other settings"),
                          HasSubstr("peer group disks under preset default has other settings")));
  EXPECT_THAT(migrated.state.components, SizeIs(2));
  EXPECT_FALSE(migrated.state.entities[0].counters[0]->columns[0]);
  EXPECT_TRUE(migrated.state.entities[0].counters[0]->columns[1]);
}

TEST(Migrate, WhatIsNotConfiguredAnyMoreGoes) {
  auto config = Config();
  config.groups.pop_back();
  config.presets.pop_back();
  const auto migrated = Migrate(Saved(Config()), config);
  EXPECT_THAT(migrated.ignored,
              ElementsAre(HasSubstr("preset testbench is not configured any more"),
                          HasSubstr("peer group disks under preset testbench is not configured"),
                          HasSubstr("peer group tcp (congestion windows) is not configured")));
}

TEST(Migrate, HistogramsMustBeOfTheModelInUse) {
  auto config = Config();
  config.profiles = Profiles();
  auto saved = Saved(config);
  saved.state.profiles.emplace().nodes["a"].history.counts = {1, 2};
  saved.state.host_entities.emplace_back();
  auto migrated = Migrate(saved, config);
  EXPECT_TRUE(migrated.state.profiles);
  EXPECT_THAT(migrated.ignored, IsEmpty());

  auto wrong = saved;
  wrong.state.profiles->nodes["a"].history.counts = {1, 2, 3};
  EXPECT_FALSE(Migrate(wrong, config).state.profiles);

  config.profiles->model.profiles[0].mean = {1};
  migrated = Migrate(saved, config);
  EXPECT_FALSE(migrated.state.profiles);
  EXPECT_THAT(migrated.state.host_entities, SizeIs(1));  // their counters are what they were
  EXPECT_THAT(migrated.ignored, ElementsAre(HasSubstr("another model")));

  config.profiles.reset();
  migrated = Migrate(saved, config);
  EXPECT_THAT(migrated.state.host_entities, IsEmpty());
  EXPECT_THAT(migrated.ignored, ElementsAre(HasSubstr("profiles are not configured any more")));
}

TEST(Migrate, RecordsOfAMetricStayAsLongAsItsRowDoes) {
  auto config = Config();
  CustomMetric metric;
  metric.name = "latency";
  metric.series = "op_latency";
  config.custom = {metric};
  auto saved = Saved(config);
  saved.state.components.push_back({.preset = config.presets[0].name,
                                    .group = "latency:hdd",
                                    .metric = "latency",
                                    .component = "a/osd.1",
                                    .accumulator = 5});
  EXPECT_THAT(Migrate(saved, config).ignored, IsEmpty());
  EXPECT_THAT(Migrate(saved, config).state.components, SizeIs(5));
  config.custom[0].text = "another text";
  EXPECT_THAT(Migrate(saved, config).ignored, IsEmpty());
  config.custom[0].noise_floor = 1;
  EXPECT_THAT(Migrate(saved, config).state.components, SizeIs(4));
  config.custom.clear();
  EXPECT_THAT(Migrate(saved, config).ignored, SizeIs(1));
}

}  // namespace
}  // namespace limpet::migrate_test
